//! One table per tool says what its arguments are: the Rust struct, the JSON Schema and the
//! checks all come from it, so that they cannot disagree.

use std::marker::PhantomData;

use serde_json::{Map, Value, json};

/// The most characters of a SMILES or SMARTS argument.
pub const MAX_TEXT_CHARS: usize = 16_384;

/// What values an argument takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Text that is not blank, unless the default is blank.
    Text {
        /// Longest text accepted, in characters.
        max_chars: usize,
        /// Used when the argument is left out.
        default: Option<&'static str>,
    },
    /// One of a few names.
    Choice {
        /// The names.
        values: &'static [&'static str],
        /// Used when the argument is left out.
        default: Option<&'static str>,
    },
    /// A whole number; `500.0` counts as one.
    Integer {
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
        /// Used when the argument is left out.
        default: Option<i64>,
    },
    /// A finite number.
    Number {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
        /// Used when the argument is left out.
        default: Option<f64>,
    },
    /// `true` or `false`.
    Flag {
        /// Used when the argument is left out.
        default: bool,
    },
    /// A list of texts.
    TextList {
        /// Most entries.
        max_items: usize,
        /// Longest entry, in characters.
        max_chars: usize,
    },
    /// A list of pairs of whole numbers from zero; left out, an empty one.
    PairList {
        /// Most pairs.
        max_items: usize,
        /// Greatest number.
        max: i64,
    },
    /// An object whose keys the tool itself looks at.
    Object,
}

impl Kind {
    /// The JSON type that a value must have.
    pub fn json_type(&self) -> &'static str {
        match self {
            Kind::Text { .. } | Kind::Choice { .. } => "string",
            Kind::Integer { .. } => "integer",
            Kind::Number { .. } => "number",
            Kind::Flag { .. } => "boolean",
            Kind::TextList { .. } | Kind::PairList { .. } => "array",
            Kind::Object => "object",
        }
    }

    /// The default as JSON, if there is one.
    pub fn default(&self) -> Option<Value> {
        match *self {
            Kind::Text { default, .. } | Kind::Choice { default, .. } => default.map(Value::from),
            Kind::Integer { default, .. } => default.map(Value::from),
            Kind::Number { default, .. } => default.map(Value::from),
            Kind::Flag { default } => Some(default.into()),
            Kind::PairList { .. } => Some(json!([])),
            Kind::TextList { .. } | Kind::Object => None,
        }
    }
}

/// One argument of a tool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Argument {
    /// Its key in the arguments object.
    pub name: &'static str,
    /// What it means, for people and models.
    pub description: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// Whether a call without it is refused.
    pub required: bool,
}

/// How much a schema says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaDetail {
    /// Type, minimum, maximum, enum and default: for programs and model APIs.
    Plain,
    /// Also descriptions and the bounds of text and lists: for the wire.
    Full,
}

impl Argument {
    /// The JSON Schema of this argument.
    pub fn schema(&self, detail: SchemaDetail) -> Value {
        let full = detail == SchemaDetail::Full;
        let mut out = Map::new();
        out.insert("type".into(), self.kind.json_type().into());
        if full {
            out.insert("description".into(), self.description.trim().into());
        }
        match self.kind {
            Kind::Text { max_chars, default } => {
                if full {
                    if default != Some("") {
                        out.insert("minLength".into(), 1.into());
                    }
                    out.insert("maxLength".into(), max_chars.into());
                }
            }
            Kind::Choice { values, .. } => {
                out.insert("enum".into(), values.into());
            }
            Kind::Integer { min, max, .. } => {
                out.insert("minimum".into(), min.into());
                out.insert("maximum".into(), max.into());
            }
            Kind::Number { min, max, .. } => {
                out.insert("minimum".into(), min.into());
                out.insert("maximum".into(), max.into());
            }
            Kind::Flag { .. } | Kind::PairList { .. } | Kind::Object => {}
            Kind::TextList { max_items, max_chars } => {
                let items = if full {
                    json!({"type": "string", "minLength": 1, "maxLength": max_chars})
                } else {
                    json!({"type": "string"})
                };
                out.insert("items".into(), items);
                if full {
                    out.insert("maxItems".into(), max_items.into());
                }
            }
        }
        if let Kind::PairList { max_items, max } = self.kind {
            let mut pair = json!({"type": "array", "items": {"type": "integer"}});
            if full {
                pair["items"]["minimum"] = 0.into();
                pair["items"]["maximum"] = max.into();
                pair["minItems"] = 2.into();
                pair["maxItems"] = 2.into();
                out.insert("maxItems".into(), max_items.into());
            }
            out.insert("items".into(), pair);
        }
        if let Some(default) = self.kind.default() {
            out.insert("default".into(), default);
        }
        Value::Object(out)
    }
}

/// A [`Kind`] that yields values of type `T`; what the `arguments!` table is made of.
#[derive(Clone, Copy, Debug)]
pub struct Typed<T> {
    /// The kind without its type.
    pub kind: Kind,
    /// Whether a call without the argument is refused.
    pub required: bool,
    value: PhantomData<fn() -> T>,
}

impl<T> Typed<T> {
    const fn new(kind: Kind, required: bool) -> Self {
        Typed { kind, required, value: PhantomData }
    }
}

/// Required text.
pub const fn text(max_chars: usize) -> Typed<String> {
    Typed::new(Kind::Text { max_chars, default: None }, true)
}

/// Text that may be left out, without a default.
pub const fn optional_text(max_chars: usize) -> Typed<Option<String>> {
    Typed::new(Kind::Text { max_chars, default: None }, false)
}

/// Text with a default; a blank default makes blank text acceptable.
pub const fn text_or(default: &'static str, max_chars: usize) -> Typed<String> {
    Typed::new(Kind::Text { max_chars, default: Some(default) }, false)
}

/// A whole number with a default.
pub const fn integer(min: i64, max: i64, default: i64) -> Typed<i64> {
    Typed::new(Kind::Integer { min, max, default: Some(default) }, false)
}

/// A whole number that may be left out, without a default.
pub const fn optional_integer(min: i64, max: i64) -> Typed<Option<i64>> {
    Typed::new(Kind::Integer { min, max, default: None }, false)
}

/// A number with a default.
pub const fn number(min: f64, max: f64, default: f64) -> Typed<f64> {
    Typed::new(Kind::Number { min, max, default: Some(default) }, false)
}

/// A number that may be left out, without a default.
pub const fn optional_number(min: f64, max: f64) -> Typed<Option<f64>> {
    Typed::new(Kind::Number { min, max, default: None }, false)
}

/// Pairs of whole numbers; none when left out.
pub const fn pairs(max_items: usize, max: i64) -> Typed<Vec<[u32; 2]>> {
    Typed::new(Kind::PairList { max_items, max }, false)
}

/// An object that may be left out.
pub const fn optional_object() -> Typed<Option<Map<String, Value>>> {
    Typed::new(Kind::Object, false)
}

/// A switch.
pub const fn flag(default: bool) -> Typed<bool> {
    Typed::new(Kind::Flag { default }, false)
}

/// A required list of texts.
pub const fn text_list(max_items: usize, max_chars: usize) -> Typed<Vec<String>> {
    Typed::new(Kind::TextList { max_items, max_chars }, true)
}

/// An enum of names.
pub trait Choice: Sized {
    /// The names, in the order of the schema.
    const NAMES: &'static [&'static str];
    /// The value of a name out of [`NAMES`](Self::NAMES).
    fn from_name(name: &str) -> Option<Self>;
}

/// One name out of those of `T`, with a default.
pub const fn choice<T: Choice>(default: &'static str) -> Typed<T> {
    Typed::new(Kind::Choice { values: T::NAMES, default: Some(default) }, false)
}

/// Arguments that passed [`check`](crate::check::check): complete, typed and within bounds.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    pub(crate) values: Map<String, Value>,
    pub(crate) given: Vec<String>,
}

impl Checked {
    /// Whether the caller gave this argument, rather than leaving it to its default.
    pub fn was_given(&self, name: &str) -> bool {
        self.given.iter().any(|given| given == name)
    }

    /// Reads one argument; used by the `arguments!` table.
    pub fn read<T: FromArgument>(&self, name: &str, _typed: &Typed<T>) -> T {
        T::from_argument(self.values.get(name))
    }
}

/// A type that an argument is read as.
pub trait FromArgument {
    /// Reads a value that has passed its check; `None` where it was left out and has no default.
    fn from_argument(value: Option<&Value>) -> Self;
}

const CHECKED: &str = "the argument has passed its check";

impl FromArgument for String {
    fn from_argument(value: Option<&Value>) -> Self {
        value.and_then(Value::as_str).expect(CHECKED).to_owned()
    }
}

impl FromArgument for i64 {
    fn from_argument(value: Option<&Value>) -> Self {
        value.and_then(Value::as_i64).expect(CHECKED)
    }
}

impl FromArgument for f64 {
    fn from_argument(value: Option<&Value>) -> Self {
        value.and_then(Value::as_f64).expect(CHECKED)
    }
}

impl FromArgument for bool {
    fn from_argument(value: Option<&Value>) -> Self {
        value.and_then(Value::as_bool).expect(CHECKED)
    }
}

impl FromArgument for Vec<String> {
    fn from_argument(value: Option<&Value>) -> Self {
        let items = value.and_then(Value::as_array).expect(CHECKED);
        items.iter().map(|item| String::from_argument(Some(item))).collect()
    }
}

impl FromArgument for Vec<[u32; 2]> {
    fn from_argument(value: Option<&Value>) -> Self {
        let number = |value: &Value| u32::try_from(value.as_i64().expect(CHECKED)).expect(CHECKED);
        let pairs = value.and_then(Value::as_array).expect(CHECKED);
        pairs.iter().map(|pair| [number(&pair[0]), number(&pair[1])]).collect()
    }
}

impl FromArgument for Map<String, Value> {
    fn from_argument(value: Option<&Value>) -> Self {
        value.and_then(Value::as_object).expect(CHECKED).clone()
    }
}

impl<T: FromArgument> FromArgument for Option<T> {
    fn from_argument(value: Option<&Value>) -> Self {
        value.map(|value| T::from_argument(Some(value)))
    }
}

/// Declares the arguments of a tool: a struct whose fields carry their description as doc
/// comment and their kind after `=`. Gives `Self::TABLE` and `Self::read`.
macro_rules! arguments {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $Name:ident {
            $( $(#[doc = $doc:literal])+ $field:ident : $Type:ty = $typed:expr, )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        $visibility struct $Name {
            $( $(#[doc = $doc])+ pub $field: $Type, )*
        }

        impl $Name {
            /// The arguments in the order of the schema.
            pub const TABLE: &'static [$crate::arguments::Argument] = &[
                $({
                    const TYPED: $crate::arguments::Typed<$Type> = $typed;
                    $crate::arguments::Argument {
                        name: stringify!($field),
                        description: concat!($($doc),+),
                        kind: TYPED.kind,
                        required: TYPED.required,
                    }
                },)*
            ];

            /// Reads arguments that were checked against [`TABLE`](Self::TABLE).
            pub fn read(checked: &$crate::arguments::Checked) -> Self {
                $Name { $( $field: {
                    const TYPED: $crate::arguments::Typed<$Type> = $typed;
                    checked.read(stringify!($field), &TYPED)
                }, )* }
            }
        }
    };
}
pub(crate) use arguments;

/// Declares an enum that an argument is chosen from.
macro_rules! choices {
    (
        $(#[$meta:meta])*
        $visibility:vis enum $Name:ident { $( $(#[$vmeta:meta])* $Variant:ident = $name:literal, )* }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $visibility enum $Name { $( $(#[$vmeta])* $Variant, )* }

        impl $crate::arguments::Choice for $Name {
            const NAMES: &'static [&'static str] = &[$($name),*];
            fn from_name(name: &str) -> Option<Self> {
                match name { $( $name => Some($Name::$Variant), )* _ => None }
            }
        }

        impl $crate::arguments::FromArgument for $Name {
            fn from_argument(value: Option<&serde_json::Value>) -> Self {
                value
                    .and_then(serde_json::Value::as_str)
                    .and_then(<Self as $crate::arguments::Choice>::from_name)
                    .expect("the argument has passed its check")
            }
        }
    };
}
pub(crate) use choices;
