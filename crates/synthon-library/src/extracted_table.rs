//! The lines of an extracted library in memory: two texts as they are written, and places in them.

use std::collections::BTreeMap;

/// What a line says beside its texts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    start: u32,
    end: u32,
    pub count: u32,
    /// 0 for none.
    pub class: u8,
    family: u32,
    named: u32,
    /// Number of the reaction centre.
    pub core: u32,
}

/// No word.
const NO_WORD: u32 = u32::MAX;

/// The templates of a library, and their reaction centres.
#[derive(Debug)]
pub(crate) struct Table {
    text: String,
    pub rows: Vec<Row>,
    /// Families and names, each once.
    words: Vec<String>,
    cores: String,
    core_places: Vec<[u32; 2]>,
}

/// What is wrong with the lines.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TableFault {
    /// A line of templates, counted from 1, that is none.
    Line(usize),
    /// Other than the announced number of templates.
    Templates,
    /// More reaction centres than templates, or more text than places can tell.
    Cores,
}

impl Table {
    /// Reads `templates` lines of text, count, class, family, named template and number of the
    /// reaction centre, with tabs between, and the lines of the centres. Takes about 60 bytes a
    /// template beside the texts.
    pub fn read(text: String, cores: String, templates: usize) -> Result<Table, TableFault> {
        if u32::try_from(text.len().max(cores.len())).is_err() {
            return Err(TableFault::Cores);
        }
        let mut core_places = Vec::new();
        let mut at = 0;
        for line in cores.split_inclusive('\n') {
            if core_places.len() == templates {
                return Err(TableFault::Cores);
            }
            core_places.push([at, at + line.trim_end_matches('\n').len() as u32]);
            at += line.len() as u32;
        }
        let mut words = Words::default();
        let mut rows = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            if rows.len() == templates {
                return Err(TableFault::Templates);
            }
            let row = row(line.trim_end_matches('\n'), start, core_places.len(), &mut words);
            rows.push(row.ok_or(TableFault::Line(rows.len() + 1))?);
            start += line.len() as u32;
        }
        if rows.len() != templates || rows.is_empty() {
            return Err(TableFault::Templates);
        }
        let words = words.list.into_iter().map(str::to_owned).collect();
        Ok(Table { rows, words, core_places, text, cores })
    }

    /// Canonical text of a template.
    pub fn smarts(&self, position: usize) -> &str {
        let row = &self.rows[position];
        &self.text[row.start as usize..row.end as usize]
    }

    pub fn family(&self, position: usize) -> Option<&str> {
        self.word(self.rows[position].family)
    }

    pub fn named(&self, position: usize) -> Option<&str> {
        self.word(self.rows[position].named)
    }

    /// Text of a template's reaction centre.
    pub fn core(&self, position: usize) -> &str {
        let [start, end] = self.core_places[self.rows[position].core as usize];
        &self.cores[start as usize..end as usize]
    }

    /// Number of reaction centres.
    pub fn core_count(&self) -> usize {
        self.core_places.len()
    }

    fn word(&self, word: u32) -> Option<&str> {
        self.words.get(word as usize).map(String::as_str)
    }
}

/// Words, each once, in the order of their first appearance.
#[derive(Default)]
struct Words<'t> {
    list: Vec<&'t str>,
    known: BTreeMap<&'t str, u32>,
}

impl<'t> Words<'t> {
    fn number(&mut self, word: &'t str) -> u32 {
        if word.is_empty() {
            return NO_WORD;
        }
        let next = self.list.len() as u32;
        let number = *self.known.entry(word).or_insert(next);
        if number == next {
            self.list.push(word);
        }
        number
    }
}

fn row<'t>(line: &'t str, start: u32, cores: usize, words: &mut Words<'t>) -> Option<Row> {
    let mut fields = line.split('\t');
    let mut next = || fields.next();
    let smarts = next()?;
    let row = Row {
        start,
        end: start + smarts.len() as u32,
        count: next()?.parse().ok()?,
        class: match next()? {
            "" => 0,
            class => class.parse().ok().filter(|class| (1..=10).contains(class))?,
        },
        family: words.number(next()?),
        named: words.number(next()?),
        core: next()?.parse().ok().filter(|&core| (core as usize) < cores)?,
    };
    (next().is_none() && !smarts.is_empty()).then_some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, cores: &str, templates: usize) -> Result<Table, TableFault> {
        Table::read(text.to_owned(), cores.to_owned(), templates)
    }

    #[test]
    fn lines_are_read_where_they_stand() {
        let text = "[C:1]>>[C:1]Cl\t7\t9\thalogenation\t\t1\n[N:1]>>[N:1]\t2\t\t\tx\t0\n";
        let table = read(text, "\ncore\n", 2).expect("two templates");
        assert_eq!((table.smarts(0), table.smarts(1)), ("[C:1]>>[C:1]Cl", "[N:1]>>[N:1]"));
        assert_eq!((table.rows[0].count, table.rows[0].class, table.rows[1].class), (7, 9, 0));
        assert_eq!((table.family(0), table.named(0)), (Some("halogenation"), None));
        assert_eq!((table.family(1), table.named(1)), (None, Some("x")));
        assert_eq!((table.core(0), table.core(1), table.core_count()), ("core", "", 2));
    }

    #[test]
    fn other_lines_are_refused() {
        let good = "C>>C\t1\t\t\t\t0\n";
        for (text, cores, templates, fault) in [
            (good, "c\n", 2, TableFault::Templates),
            (&good.repeat(2), "c\n", 1, TableFault::Templates),
            ("", "", 0, TableFault::Templates),
            (good, &"\n".repeat(1_000), 1, TableFault::Cores),
            (&format!("{good}C>>C\t1\t11\t\t\t0\n"), "c\n", 2, TableFault::Line(2)),
            ("C>>C\t1\t\t\t\t1\n", "c\n", 1, TableFault::Line(1)),
            ("C>>C\t1\t\t\t\t0\tmore\n", "c\n", 1, TableFault::Line(1)),
            ("\t1\t\t\t\t0\n", "c\n", 1, TableFault::Line(1)),
            ("C>>C\t-1\t\t\t\t0\n", "c\n", 1, TableFault::Line(1)),
        ] {
            assert_eq!(read(text, cores, templates).err(), Some(fault), "{text:?}");
        }
    }
}
