//! Colours: one set of element colours that is legible on white and on near-black.

use synthon_mol::Element;

/// What a drawing is painted on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// White, or near-black where the reader's screen is set to dark. Viewers that know nothing
    /// of that, and PNG, show white.
    #[default]
    Auto,
    /// White.
    Light,
    /// Near-black.
    Dark,
    /// Nothing painted; grey lines that are legible on white and on near-black.
    Transparent,
}

pub(crate) const LIGHT_PAPER: &str = "#ffffff";
pub(crate) const LIGHT_INK: &str = "#1f2328";
pub(crate) const DARK_PAPER: &str = "#15171c";
pub(crate) const DARK_INK: &str = "#e8eaed";
pub(crate) const MIDDLE_INK: &str = "#767b83";
/// Of highlights, painted at [`HALO_OPACITY`].
pub(crate) const HALO: &str = "#f2a900";
pub(crate) const HALO_OPACITY: &str = ".4";

impl Theme {
    /// Colour of the paper, if it is painted, and of what is drawn.
    pub(crate) fn colours(self) -> (Option<&'static str>, &'static str) {
        match self {
            Theme::Auto | Theme::Light => (Some(LIGHT_PAPER), LIGHT_INK),
            Theme::Dark => (Some(DARK_PAPER), DARK_INK),
            Theme::Transparent => (None, MIDDLE_INK),
        }
    }
}

/// Colour of an element's symbol; `None`: that of the lines. Hues are the customary ones of
/// Corey, Pauling and Koltun models, at a lightness in the middle.
pub(crate) fn colour_of(element: Element) -> Option<&'static str> {
    Some(match element.atomic_number() {
        0 | 1 | 6 => return None,
        5 => "#b4705a",
        7 => "#3a6ff0",
        8 => "#e3342f",
        9 => "#2f8f4e",
        14 => "#8a7a5c",
        15 => "#c46210",
        16 => "#a07800",
        17 => "#218c21",
        34 => "#b0651e",
        35 => "#b2472f",
        53 => "#9a4acc",
        3 | 11 | 19 | 37 | 55 => "#8f57d4",
        4 | 12 | 20 | 38 | 56 => "#4f8a10",
        26 => "#c05a20",
        29 => "#b86b2e",
        _ => "#557a95",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance(colour: &str) -> f64 {
        let part = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    /// Contrast by WCAG 2, from 1 to 21.
    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn element_colours_are_legible_on_white_and_on_near_black() {
        for number in 0..=118 {
            let Some(colour) = colour_of(Element::new(number).unwrap()) else { continue };
            for paper in [LIGHT_PAPER, DARK_PAPER] {
                let contrast = contrast(colour, paper);
                assert!(contrast >= 3.2, "{number} {colour} on {paper}: {contrast:.2}");
            }
        }
    }

    #[test]
    fn lines_are_legible_on_their_paper() {
        assert!(contrast(LIGHT_INK, LIGHT_PAPER) > 12.0);
        assert!(contrast(DARK_INK, DARK_PAPER) > 12.0);
        assert!(contrast(MIDDLE_INK, LIGHT_PAPER) > 3.9 && contrast(MIDDLE_INK, DARK_PAPER) > 3.9);
    }
}
