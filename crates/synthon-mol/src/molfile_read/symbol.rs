//! What the symbol of an atom means.

use crate::Element;

/// An atom symbol as understood.
pub(super) struct Symbol {
    pub element: Element,
    pub isotope: u16,
    /// The symbol stands for a query; read as a wildcard.
    pub is_query: bool,
}

/// Symbols of the format for "any of these elements", and the generic groups of Reaxys.
const QUERIES: [&str; 44] = [
    "A", "AH", "Q", "QH", "X", "XH", "M", "MH", "L", "LP", "Pol", "Mod", "G", "GH", "G*", "GH*",
    "ACY", "ACH", "ALK", "ALH", "AEL", "AEH", "AYL", "AYH", "AOX", "AOH", "ABC", "ABH", "AHC",
    "AHH", "CYC", "CYH", "CBC", "CBH", "ARY", "ARH", "CAL", "CAH", "CEL", "CEH", "CHC", "CHH",
    "HAR", "HAH",
];

/// Reads a symbol; `None` when there is no such thing.
pub(super) fn read(symbol: &str) -> Option<Symbol> {
    let plain = |element| Symbol { element, isotope: 0, is_query: false };
    let wildcard = plain(Element::WILDCARD);
    match symbol {
        "*" | "R" | "R#" => return Some(wildcard),
        "D" => return Some(Symbol { isotope: 2, ..plain(Element::H) }),
        "T" => return Some(Symbol { isotope: 3, ..plain(Element::H) }),
        _ => {}
    }
    if let Some(number) = symbol.strip_prefix('R')
        && (1..=2).contains(&number.len())
        && number.bytes().all(|b| b.is_ascii_digit())
    {
        return Some(Symbol { isotope: number.parse().ok()?, ..wildcard });
    }
    if QUERIES.contains(&symbol) || matches!(symbol, "CXX" | "CXH") {
        return Some(Symbol { is_query: true, ..wildcard });
    }
    if let Some(element) = Element::from_symbol(symbol) {
        return Some(plain(element));
    }
    // `CL` for chlorine, as some programs write.
    let bytes = symbol.as_bytes();
    if let [first, second @ b'A'..=b'Z'] = bytes {
        let usual = [*first, second.to_ascii_lowercase()];
        let element = std::str::from_utf8(&usual).ok().and_then(Element::from_symbol);
        return element.map(plain);
    }
    None
}
