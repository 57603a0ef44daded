//! A second look at a finished SVG, which knows nothing of how it was made.

use synthon_mol::is_steering;

use crate::{DepictError, DepictErrorKind};

/// Most bytes of an SVG.
pub const MAX_SVG_BYTES: usize = 1 << 20;

/// Elements that a drawing may consist of, and the attributes of any of them.
const ELEMENTS: [&str; 8] = ["svg", "title", "style", "rect", "g", "path", "text", "tspan"];
const ATTRIBUTES: [&str; 21] = [
    "xmlns",
    "width",
    "height",
    "viewBox",
    "role",
    "class",
    "fill",
    "stroke",
    "stroke-width",
    "stroke-linecap",
    "stroke-linejoin",
    "opacity",
    "font-family",
    "font-size",
    "text-anchor",
    "d",
    "x",
    "y",
    "rx",
    "dx",
    "dy",
];

/// Checks that a text is well-formed SVG of plain shapes and letters: only known elements and
/// attributes, so no script, event handler, foreign object, link, image or document type, nothing
/// from outside, and at most [`MAX_SVG_BYTES`].
///
/// # Errors
/// Names the first thing that is not allowed, with its place.
pub fn check_svg(text: &str) -> Result<(), DepictError> {
    if text.len() > MAX_SVG_BYTES {
        let error = DepictError::new(
            DepictErrorKind::TooLarge,
            format!("The drawing has {} bytes; at most {MAX_SVG_BYTES} leave", text.len()),
        );
        return Err(error.with_hint("draw fewer or smaller molecules"));
    }
    let unsafe_at = |what: &str, at: usize| {
        DepictError::new(DepictErrorKind::Unsafe, format!("The drawing has {what} at byte {at}"))
    };
    let mut open: Vec<&str> = Vec::new();
    let mut at = 0;
    let mut roots = 0;
    while at < text.len() {
        let Some(found) = text[at..].find('<') else {
            check_letters(&text[at..]).map_err(|what| unsafe_at(what, at))?;
            if !text[at..].trim().is_empty() {
                return Err(unsafe_at("text after its end", at));
            }
            break;
        };
        let content = &text[at..at + found];
        check_letters(content).map_err(|what| unsafe_at(what, at))?;
        match open.last() {
            Some(&"style") if content != crate::svg::dark_style() => {
                return Err(unsafe_at("an unknown style", at));
            }
            None if !content.trim().is_empty() => {
                return Err(unsafe_at("text outside its root", at));
            }
            _ => {}
        }
        at += found;
        let Some(end) = text[at..].find('>') else {
            return Err(unsafe_at("a tag without end", at));
        };
        let tag = &text[at + 1..at + end];
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(unsafe_at("a tag that closes another", at));
            }
        } else {
            let (tag, closes) = match tag.strip_suffix('/') {
                Some(tag) => (tag, true),
                None => (tag, false),
            };
            let name = check_tag(tag).map_err(|what| unsafe_at(&what, at))?;
            if open.is_empty() {
                roots += 1;
                if name != "svg" || roots > 1 {
                    return Err(unsafe_at("another root than svg", at));
                }
            }
            if !closes {
                open.push(name);
            }
        }
        at += end + 1;
    }
    if open.is_empty() && roots == 1 {
        Ok(())
    } else {
        Err(unsafe_at("tags left open", text.len()))
    }
}

/// Name of an opening tag, if all in it is known.
fn check_tag(tag: &str) -> Result<&str, String> {
    let name = tag.split([' ', '\n', '\t']).next().unwrap_or_default();
    if !ELEMENTS.contains(&name) {
        return Err(format!("the element `{}`", name.escape_debug()));
    }
    let mut rest = tag[name.len()..].trim_start();
    let mut seen: Vec<&str> = Vec::new();
    while !rest.is_empty() {
        let Some((attribute, after)) = rest.split_once("=\"") else {
            return Err("a malformed attribute".into());
        };
        let Some((value, after)) = after.split_once('"') else {
            return Err("an attribute without end".into());
        };
        if !ATTRIBUTES.contains(&attribute) || seen.contains(&attribute) {
            return Err(format!("the attribute `{}`", attribute.escape_debug()));
        }
        seen.push(attribute);
        let is_namespace = attribute == "xmlns" && value == "http://www.w3.org/2000/svg";
        let suspicious = value.contains(['<', '&', ':', '\\', '(']) || attribute == "xmlns";
        if suspicious && !is_namespace {
            return Err(format!("an unexpected value of `{attribute}`"));
        }
        rest = after.trim_start();
        if rest.len() == after.len() && !rest.is_empty() {
            return Err("attributes without a space between".into());
        }
    }
    Ok(name)
}

/// Only the entities of XML itself.
fn check_letters(text: &str) -> Result<(), &'static str> {
    for (at, _) in text.match_indices('&') {
        let known = ["&amp;", "&lt;", "&gt;", "&quot;"];
        if !known.iter().any(|entity| text[at..].starts_with(entity)) {
            return Err("an unknown entity");
        }
    }
    let is_refused = |c: char| c != '\n' && is_steering(c) || matches!(c, '\u{fffe}' | '\u{ffff}');
    if text.contains(is_refused) {
        return Err("a control character");
    }
    if text.contains("]]>") {
        return Err("the end of a CDATA section");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\">";

    #[test]
    fn plain_shapes_pass() {
        for inside in ["", "<g><path d=\"M0 0L1 1\"/></g>", "<title>a &lt; b</title>"] {
            let text = format!("{HEAD}{inside}</svg>\n");
            assert_eq!(check_svg(&text), Ok(()), "{text}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for inside in [
            "<script>alert(1)</script>",
            "<foreignObject/>",
            "<image href=\"x\"/>",
            "<use href=\"#a\"/>",
            "<a href=\"http://example.org\">x</a>",
            "<g onclick=\"alert(1)\"/>",
            "<g style=\"fill:red\"/>",
            "<g fill=\"url(#a)\"/>",
            "<path d=\"M0 0\" d=\"M1 1\"/>",
            "<style>@import 'x'</style>",
            "<!-- a -->",
            "<![CDATA[x]]>",
            "<?xml-stylesheet href=\"x\"?>",
            "<g>",
            "</g>",
            "<g></path>",
            "&nbsp;",
            "<text>a\u{1b}b</text>",
            "<text>a\u{202e}b</text>",
            "<text>a\u{ffff}b</text>",
            "&#x3c;",
            "<g fill='red'/>",
            "<g fill=\"red\"stroke=\"red\"/>",
            "<svg xmlns=\"http://example.org\"/>",
        ] {
            let text = format!("{HEAD}{inside}</svg>");
            assert!(check_svg(&text).is_err(), "{text}");
        }
        for text in
            ["", "x", "<!DOCTYPE svg><svg></svg>", "<svg/><svg/>", "<svg/>x", "<g/>", "<svg"]
        {
            assert!(check_svg(text).is_err(), "{text}");
        }
        let long = format!("{HEAD}<title>{}</title></svg>", "a".repeat(MAX_SVG_BYTES));
        assert_eq!(check_svg(&long).unwrap_err().kind(), DepictErrorKind::TooLarge);
    }
}
