//! Expressions written back as SMARTS.

use crate::expression::{AtomPrimitive as P, Count, Expression, Join};
use crate::pattern::Pattern;
use std::fmt::Write;

impl Pattern {
    /// An atom expression as SMARTS, without brackets.
    pub(crate) fn shown(&self, expression: &Expression<P>) -> String {
        let mut text = String::new();
        for (k, literal) in expression.iter().enumerate() {
            if k > 0 {
                text.push(match literal.join {
                    Join::And => '&',
                    Join::Or => ',',
                    Join::LowAnd => ';',
                });
            }
            if literal.negated {
                text.push('!');
            }
            self.show_primitive(literal.primitive, &mut text);
        }
        text
    }

    fn show_primitive(&self, primitive: P, text: &mut String) {
        let counted = |text: &mut String, letter: &str, count: Count| {
            text.push_str(letter);
            // Writing to a string cannot fail.
            let _ = match (count.single(), count.max) {
                (Some(n), _) => write!(text, "{n}"),
                (None, Count::NO_LIMIT) if count.min == 1 && "Rrxhkz".contains(letter) => Ok(()),
                (None, Count::NO_LIMIT) => write!(text, "{{{}-}}", count.min),
                (None, max) => write!(text, "{{{}-{max}}}", count.min),
            };
        };
        let _ = match primitive {
            P::Any => write!(text, "*"),
            P::Aliphatic => write!(text, "A"),
            P::Aromatic => write!(text, "a"),
            P::Number(element) => write!(text, "#{}", element.atomic_number()),
            P::Symbol(element, false) => write!(text, "{element}"),
            P::Symbol(element, true) => write!(text, "{}", element.symbol().to_lowercase()),
            P::Isotope(mass) | P::IsotopeIfStated(mass) => write!(text, "{mass}"),
            P::Charge(low, high) if low == high => {
                let sign = if low < 0 { '-' } else { '+' };
                match low.unsigned_abs() {
                    1 => write!(text, "{sign}"),
                    n => write!(text, "{sign}{n}"),
                }
            }
            P::Charge(low, high) if high < 0 => {
                write!(text, "-{{{}-{}}}", high.unsigned_abs(), low.unsigned_abs())
            }
            P::Charge(low, high) => write!(text, "+{{{low}-{high}}}"),
            P::Degree(c) => return counted(text, "D", c),
            P::HeavyDegree(c) => return counted(text, "d", c),
            P::Hydrogens(c) => return counted(text, "H", c),
            P::ImplicitHydrogens(c) => return counted(text, "h", c),
            P::Connectivity(c) => return counted(text, "X", c),
            P::Valence(c) => return counted(text, "v", c),
            P::RingBonds(c) => return counted(text, "x", c),
            P::RingCount(c) => return counted(text, "R", c),
            P::SmallestRing(c) => return counted(text, "r", c),
            P::AnyRing(c) => return counted(text, "k", c),
            P::HeteroNeighbours(c) => return counted(text, "z", c),
            P::AliphaticHeteroNeighbours(c) => return counted(text, "Z", c),
            P::Hybridisation(n) => write!(text, "^{n}"),
            P::Chirality { clockwise, or_unspecified } => write!(
                text,
                "{}{}",
                if clockwise { "@@" } else { "@" },
                if or_unspecified { "?" } else { "" }
            ),
            P::Recursive(graph) => {
                let span = self.recursion_spans.get(graph as usize).cloned();
                write!(text, "$({})", span.and_then(|s| self.text.get(s)).unwrap_or("..."))
            }
        };
    }
}
