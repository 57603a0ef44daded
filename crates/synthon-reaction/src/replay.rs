//! What a step says when it is run forwards.

/// Elements of a step counted on both sides, hydrogen left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    /// Elements of which the target has more atoms than the precursors together, by atomic
    /// number, with how many are missing.
    pub missing: Vec<(u8, u32)>,
    /// Elements of which the precursors have more, with how many are left over.
    pub left_over: Vec<(u8, u32)>,
}

impl Balance {
    /// Whether no element is missing.
    pub fn is_balanced(&self) -> bool {
        self.missing.is_empty()
    }
}

/// What the forward template makes of a step's precursors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForwardCheck {
    /// Whether the target is among the products.
    pub reproduces_target: bool,
    /// How many distinct products (sets of products, where a template makes several) there are.
    pub distinct_products: usize,
    /// Set when the same template also gives other products from the same precursors: a sentence
    /// that says how many.
    pub selectivity_warning: Option<String>,
    /// Whether a limit cut the enumeration; the count is then a lower bound.
    pub truncated: bool,
}
