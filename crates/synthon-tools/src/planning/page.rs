//! Lists that are cut where a reply would grow too long for a model to take in.

use std::ops::Range;

use serde_json::{Map, Value};

use crate::arguments::{Typed, integer};
use crate::context::CallContext;
use crate::output::{count, described, nullable};
use crate::registry::json_size;

/// Where a list begins that was cut before.
pub(crate) const fn offset() -> Typed<i64> {
    integer(0, 1_000, 0)
}

/// The field of a result that says where its list goes on.
pub(crate) fn next_offset<'a>() -> (&'a str, Value) {
    ("next_offset", described(nullable(count()), "Where a list that was cut goes on."))
}

/// A list with the text that goes with each item.
pub(crate) struct Items {
    pub values: Vec<Value>,
    pub texts: Vec<String>,
    /// What the items are called in a sentence.
    pub name: &'static str,
}

impl Items {
    /// Puts into `out`, which is a whole reply but for the list, as many items from `offset` on as
    /// leave object and text short enough, and at least one. `truncated` and `next_offset` say
    /// what is left, the text says it too. `head` is the text before that of the items.
    pub(crate) fn put(
        mut self,
        key: &str,
        offset: usize,
        head: String,
        out: &mut Map<String, Value>,
        context: &CallContext<'_>,
    ) -> String {
        let (mut text, total) = (head, self.values.len());
        let room = context.reply_bytes().saturating_sub(json_size(out) + json_size(&text));
        let sizes = self.values.iter().zip(&self.texts);
        let sizes: Vec<usize> = sizes.map(|(v, t)| json_size(v) + 1 + json_size(t)).collect();
        let shown = fitting(&sizes, offset, room);
        text.extend(self.texts.drain(shown.clone()));
        let next = (shown.end < total).then_some(shown.end);
        if let Some(next) = next {
            text.push_str(&format!(
                "\n{} {} to {total} are left out to keep this short: ask again with offset {next}.\n",
                self.name,
                next + 1
            ));
        }
        if shown.len() < total {
            out.insert("truncated".into(), true.into());
        }
        self.values.truncate(shown.end);
        out.insert(key.into(), self.values.split_off(shown.start).into());
        out.insert("next_offset".into(), next.into());
        text
    }
}

/// The items from `offset` on that fit into `room` together, and at least one.
fn fitting(sizes: &[usize], offset: usize, room: usize) -> Range<usize> {
    let start = offset.min(sizes.len());
    let mut taken = 0;
    let fit = sizes[start..]
        .iter()
        .take_while(|&&size| {
            taken += size;
            taken <= room
        })
        .count();
    start..(start + fit.max(1)).min(sizes.len())
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn pages_cover_a_list_whatever_the_room() {
        let sizes = [5, 1, 9, 2, 2, 30, 1];
        for room in 0..60 {
            let (mut at, mut pages) = (0, 0);
            while at < sizes.len() {
                let page = fitting(&sizes, at, room);
                assert_eq!(page.start, at);
                let size: usize = sizes[page.clone()].iter().sum();
                assert!(page.len() == 1 || size <= room);
                (at, pages) = (page.end, pages + 1);
            }
            assert!(pages <= sizes.len());
        }
        assert_eq!(fitting(&sizes, 70, 100), 7..7);
        assert_eq!(fitting(&[], 0, 100), 0..0);
    }
}
