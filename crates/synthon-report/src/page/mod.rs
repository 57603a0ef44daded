//! Pages that are one file: they work offline, in light and dark, on paper and read aloud.
//!
//! Style and script stand in the page and are allowed by their hash; everything else is forbidden
//! by its content security policy. The page is whole without the script, which only filters,
//! sorts and changes the theme.

mod drawings;
mod plots;
mod route;
mod summary;

use std::fmt::Write as _;

use serde_json::Value;
use sha2::{Digest, Sha256};
use synthon_budget::Budget;
use synthon_plan::Route;

use drawings::Drawings;

pub use summary::batch_page;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// What a page says above its routes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageHead {
    /// Name of the target; its SMILES where there is none.
    pub name: Option<String>,
    /// SMILES of the target.
    pub target: String,
    /// What the answer proves, in a sentence.
    pub claim: String,
    /// What it holds for: names and values, in their order.
    pub facts: Vec<(String, String)>,
}

impl PageHead {
    /// The head of a planning result, as the tools give it.
    pub fn of(result: &Value) -> Self {
        let text = |value: &Value| match value {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            Value::Object(map) if map.is_empty() => None,
            other => Some(other.to_string()),
        };
        let proof = &result["proof"];
        let facts = [
            ("Library", &proof["library"]),
            ("Stock", &proof["stock"]),
            ("Depth limit", &proof["depth"]),
            ("Constraints", &proof["constraints"]),
            ("Search", &result["status"]),
            ("Complete", &result["complete"]),
            ("Molecules expanded", &result["search"]["nodes_expanded"]),
            ("Synthon", &result["engine_version"]),
        ];
        PageHead {
            name: text(&result["name"]),
            target: text(&result["target"]).unwrap_or_default(),
            claim: text(&result["claim"]).unwrap_or_default(),
            facts: facts
                .into_iter()
                .filter_map(|(name, value)| Some((name.to_owned(), text(value)?)))
                .collect(),
        }
    }
}

/// A page with the routes as trees of drawings, the details of each step, filters and orders.
///
/// The budget is that of the drawings: when it is spent, the molecules that are left stand as
/// text.
///
/// ```
/// use synthon_budget::Budget;
/// use synthon_plan::Route;
/// use synthon_report::{PageHead, routes_page};
///
/// let head = PageHead { target: "CCO".into(), ..PageHead::default() };
/// let page = routes_page(&head, &[Route::default()], &mut Budget::unlimited());
/// assert!(page.starts_with("<!doctype html>"));
/// ```
pub fn routes_page(head: &PageHead, routes: &[Route], budget: &mut Budget) -> String {
    let mut drawings = Drawings::new(budget);
    let title = format!("Routes to {}", head.name.as_deref().unwrap_or(&head.target));
    let mut body = String::new();
    push_head(&mut body, head, routes, &title, &mut drawings);
    body.push_str("<main>\n");
    if routes.is_empty() {
        body.push_str("<p class=\"empty\">There is no route to show.</p>\n");
    } else {
        push_controls(&mut body, routes.len());
        body.push_str("<ol id=\"routes\" class=\"routes\">\n");
        for (number, route) in (1..).zip(routes) {
            route::push(&mut body, number, routes.len(), route, &mut drawings);
        }
        body.push_str("</ol>\n");
    }
    body.push_str("</main>\n");
    body.push_str(
        "<footer><p>Every step was run forwards again and gave its product, with its atoms \
         accounted for, up to the tier stated. Routes are proposals from templates, not tested \
         procedures; they say nothing of hazards, legality or yield.</p></footer>\n",
    );
    body.push_str(&drawings.definitions());
    document(&title, &body)
}

fn push_head(
    out: &mut String,
    head: &PageHead,
    routes: &[Route],
    title: &str,
    drawings: &mut Drawings<'_>,
) {
    out.push_str("<header class=\"top\">\n<div class=\"what\">\n");
    let _ = writeln!(out, "<h1>{}</h1>", Escaped(title));
    if !head.claim.is_empty() {
        let _ = writeln!(out, "<p class=\"claim\">{}</p>", Escaped(&head.claim));
    }
    out.push_str("<dl class=\"facts\">\n");
    for (name, value) in &head.facts {
        let _ = writeln!(out, "<div><dt>{}</dt><dd>{}</dd></div>", Escaped(name), Escaped(value));
    }
    let _ = writeln!(out, "<div><dt>Routes</dt><dd>{}</dd></div>\n</dl>", routes.len());
    out.push_str(
        "<details class=\"legend\"><summary>How to read this page</summary>\n<ul>\n\
         <li>A tree begins with the target; what stands to the right of a step is what it starts \
         from. Steps are numbered from the target backwards.</li>\n\
         <li><span class=\"mark yes\">✓ in stock</span> <span class=\"mark probable\">≈ probably \
         in stock</span> <span class=\"mark no\">✗ not in stock</span> mark where a route ends.</li>\n\
         <li>In the drawing of a step the bonds that it makes, breaks or changes lie on a yellow \
         band; the same is said in words below.</li>\n\
         <li>Tier 0: molecules are valid and leaves in stock. 1: each step gives its product \
         forwards and balances. 2: moreover no alarm of selectivity. 3: moreover each step has a \
         precedent.</li>\n\
         <li>The score ranks routes, lower is better. Confidence is the mean of the steps', \
         success their product.</li>\n</ul></details>\n</div>\n",
    );
    if !head.target.is_empty() {
        let picture = drawings.molecule(&head.target, true);
        let _ = writeln!(
            out,
            "<figure class=\"target\">{picture}<figcaption><code>{}</code></figcaption></figure>",
            Escaped(&head.target)
        );
    }
    out.push_str("</header>\n");
}

fn push_controls(out: &mut String, routes: usize) {
    let _ = write!(
        out,
        "<form class=\"controls\" role=\"search\" aria-label=\"Filter and order of the routes\">\n\
         <label>Tier<select id=\"f-tier\"><option value=\"0\">any</option>\
         <option value=\"1\">1 or more</option><option value=\"2\">2 or more</option>\
         <option value=\"3\">3</option></select></label>\n\
         <label>Steps at most<input id=\"f-steps\" type=\"number\" min=\"1\" max=\"200\" \
         inputmode=\"numeric\" placeholder=\"any\"></label>\n\
         <label>Text<input id=\"f-text\" type=\"search\" placeholder=\"SMILES, reaction, \
         family\" autocomplete=\"off\" spellcheck=\"false\"></label>\n\
         <label>Order by<select id=\"f-sort\"><option value=\"rank\">rank</option>\
         <option value=\"score\">score</option><option value=\"steps\">steps</option>\
         <option value=\"confidence\">confidence</option>\
         <option value=\"success\">success</option><option value=\"cost\">cost</option>\
         </select></label>\n\
         <span class=\"buttons\"><button type=\"button\" id=\"b-open\">Open all steps</button>\
         <button type=\"button\" id=\"b-close\">Close all</button>\
         <button type=\"button\" id=\"b-theme\">Theme: as the system</button></span>\n</form>\n\
         <p id=\"count\" class=\"count\" role=\"status\">{routes} of {routes} routes shown</p>\n",
    );
}

/// The page around a body, with its policy.
fn document(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<title>{}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#content\">Skip to the content</a>\n\
         <div id=\"content\">\n{body}</div>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
        hash(STYLE),
        hash(SCRIPT),
        Escaped(title),
    )
}

/// How a content security policy names a text.
fn hash(text: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::from("sha256-");
    for bytes in Sha256::digest(text.as_bytes()).chunks(3) {
        let word = bytes.iter().fold(0u32, |word, byte| word << 8 | u32::from(*byte))
            << (8 * (3 - bytes.len()));
        for place in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * place) & 63) as usize];
            out.push(if place <= bytes.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

/// Text as HTML, between tags and within quoted attributes.
struct Escaped<'t>(&'t str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                // What turns the direction of writing would let a name pose as something else.
                '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => f.write_str(" ")?,
                c if c.is_control() && c != '\n' && c != '\t' => f.write_str(" ")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use synthon_plan::{InStock, Leaf, Step};

    use super::*;

    #[test]
    fn a_hash_is_written_as_policies_have_it() {
        // Of the empty text; `printf '' | openssl dgst -sha256 -binary | base64`.
        assert_eq!(hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }

    fn route(smiles: &str, rule: &str) -> Route {
        Route {
            route_id: "route-0123456789abcdef".into(),
            steps: vec![Step {
                target: "CC(=O)NC".into(),
                precursors: vec![smiles.into(), "CN".into()],
                rule: rule.into(),
                alarms: vec![rule.into()],
                ..Step::default()
            }],
            leaves: vec![Leaf { smiles: smiles.into(), in_stock: InStock::No, ..Leaf::default() }],
            ..Route::default()
        }
    }

    #[test]
    fn what_is_shown_stays_text() {
        let evil = "\"><script>alert(1)</script><img src=x onerror='alert(1)'>";
        let head = PageHead {
            name: Some(evil.into()),
            target: evil.into(),
            claim: evil.into(),
            facts: vec![(evil.into(), evil.into())],
        };
        let page = routes_page(&head, &[route(evil, evil)], &mut Budget::unlimited());
        assert_eq!(page.matches("<script").count(), 1, "our own alone");
        assert!(!page.contains("<img") && !page.contains("alert(1)</script>"));
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    }

    #[test]
    fn the_page_names_nothing_outside_and_no_style_of_its_own() {
        let page = routes_page(
            &PageHead { target: "CC(=O)NC".into(), ..PageHead::default() },
            &[route("CC(=O)O", "Amide")],
            &mut Budget::unlimited(),
        );
        let plain = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!plain.contains("http:") && !plain.contains("https:") && !plain.contains("url("));
        // The policy would not apply them.
        assert!(!plain.contains(" style=") && !plain.contains(" onclick="));
        for part in plain.split("<use href=\"#").skip(1) {
            let id = part.split('"').next().expect("an id");
            assert!(plain.contains(&format!("<symbol id=\"{id}\"")), "{id}");
        }
    }

    #[test]
    fn the_same_routes_give_the_same_bytes() {
        let page = || {
            routes_page(&PageHead::default(), &[route("CC(=O)O", "x")], &mut Budget::unlimited())
        };
        assert_eq!(page(), page());
    }
}
