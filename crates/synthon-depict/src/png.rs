//! A scene as PNG.

use std::sync::{Arc, OnceLock};

use resvg::{tiny_skia, usvg};

use crate::scene::Scene;
use crate::svg::to_svg;
use crate::theme::Theme;
use crate::{DepictError, DepictErrorKind};

/// Letters for pictures, so that no font of the system is needed.
static FONT: &[u8] = include_bytes!("../assets/Roboto-Regular-subset.ttf");

/// Most pixels of a picture along either side.
pub const MAX_PNG_SIDE: u32 = 8_192;

/// Draws a scene as PNG with `zoom` pixels for each pixel of the scene. The picture of
/// [`Theme::Auto`] is that of [`Theme::Light`]; that of [`Theme::Transparent`] has no paper.
///
/// # Errors
/// When the picture would be larger than [`MAX_PNG_SIDE`], or the zoom is no positive number.
pub fn to_png(scene: &Scene, theme: Theme, zoom: f64) -> Result<Vec<u8>, DepictError> {
    let side = |length: f64| -> Option<u32> {
        let pixels = (length * zoom).ceil();
        (pixels >= 1.0 && pixels <= f64::from(MAX_PNG_SIDE)).then_some(pixels as u32)
    };
    let (Some(width), Some(height)) = (side(scene.width), side(scene.height)) else {
        return Err(DepictError::new(
            DepictErrorKind::TooLarge,
            format!(
                "No picture of {} by {} pixels",
                (scene.width * zoom).ceil(),
                (scene.height * zoom).ceil()
            ),
        )
        .with_hint(format!("at least 1 and at most {MAX_PNG_SIDE} pixels a side")));
    };
    let theme = if theme == Theme::Auto { Theme::Light } else { theme };
    let svg = to_svg(scene, theme)?;
    let failed = |reason: String| DepictError::new(DepictErrorKind::Picture, reason);
    let options =
        usvg::Options { fontdb: fonts(), font_family: "Roboto".into(), ..usvg::Options::default() };
    let tree = usvg::Tree::from_str(&svg, &options)
        .map_err(|e| failed(format!("The drawing was not understood: {e}")))?;
    let mut picture = tiny_skia::Pixmap::new(width, height)
        .ok_or_else(|| failed("No memory for the picture".into()))?;
    let transform = tiny_skia::Transform::from_scale(zoom as f32, zoom as f32);
    resvg::render(&tree, transform, &mut picture.as_mut());
    picture.encode_png().map_err(|e| failed(format!("The picture was not written: {e}")))
}

fn fonts() -> Arc<usvg::fontdb::Database> {
    static FONTS: OnceLock<Arc<usvg::fontdb::Database>> = OnceLock::new();
    FONTS
        .get_or_init(|| {
            let mut fonts = usvg::fontdb::Database::new();
            fonts.load_font_data(FONT.to_vec());
            fonts.set_sans_serif_family("Roboto");
            Arc::new(fonts)
        })
        .clone()
}
