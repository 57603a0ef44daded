//! YAML as a tree of texts, lists and tables with their lines, without what may grow: aliases.

use yaml_rust2::Event;
use yaml_rust2::parser::Parser;
use yaml_rust2::scanner::Marker;

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 16;

/// A value and the line where it begins, counted from 1.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub line: u64,
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// A scalar, as it is written; empty for none.
    Text(String),
    List(Vec<Node>),
    /// Keys, each once, in the order of the file.
    Table(Vec<(String, Node)>),
}

/// A fault: line and reason.
pub(crate) type Fault = (u64, String);

/// Reads the first document of a text.
pub(crate) fn read(text: &str) -> Result<Node, Fault> {
    let mut reader = Reader { parser: Parser::new_from_str(text) };
    loop {
        match reader.next()? {
            (Event::StreamStart | Event::DocumentStart, _) => {}
            (Event::StreamEnd, line) => {
                return Ok(Node { line, value: Value::Text(String::new()) });
            }
            (event, line) => return reader.node(event, line, 0),
        }
    }
}

struct Reader<'t> {
    parser: Parser<std::str::Chars<'t>>,
}

impl Reader<'_> {
    fn next(&mut self) -> Result<(Event, u64), Fault> {
        let line = |marker: &Marker| marker.line() as u64;
        match self.parser.next_token() {
            Ok((event, marker)) => Ok((event, line(&marker))),
            Err(error) => Err((line(error.marker()), error.info().to_owned())),
        }
    }

    fn node(&mut self, event: Event, line: u64, depth: usize) -> Result<Node, Fault> {
        if depth > MAX_DEPTH {
            return Err((line, format!("nested deeper than {MAX_DEPTH}")));
        }
        let value = match event {
            Event::Scalar(text, ..) => Value::Text(text),
            Event::SequenceStart(..) => {
                let mut list = Vec::new();
                loop {
                    match self.next()? {
                        (Event::SequenceEnd, _) => break Value::List(list),
                        (event, line) => list.push(self.node(event, line, depth + 1)?),
                    }
                }
            }
            Event::MappingStart(..) => {
                let mut table: Vec<(String, Node)> = Vec::new();
                loop {
                    let (event, at) = self.next()?;
                    let key = match event {
                        Event::MappingEnd => break Value::Table(table),
                        Event::Scalar(key, ..) => key,
                        _ => return Err((at, "a key that is no text".to_owned())),
                    };
                    if table.iter().any(|(known, _)| *known == key) {
                        return Err((at, format!("the key `{key}` stands there twice")));
                    }
                    let (event, line) = self.next()?;
                    table.push((key, self.node(event, line, depth + 1)?));
                }
            }
            Event::Alias(_) => return Err((line, "an alias; write the value itself".to_owned())),
            _ => return Err((line, "the text ends within a value".to_owned())),
        };
        Ok(Node { line, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    #[test]
    fn tables_and_lists_come_with_their_lines() {
        let node = read("a:\n  b: 'x y'\n  c: [1, two]\nd:\n  - e\n").expect("reads");
        let Value::Table(table) = node.value else { panic!("a table") };
        assert_eq!(table.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), ["a", "d"]);
        let Value::Table(inner) = &table[0].1.value else { panic!("a table in it") };
        assert_eq!((inner[0].1.line, &inner[0].1.value), (2, &text("x y")));
        let Value::List(list) = &inner[1].1.value else { panic!("a list in it") };
        assert_eq!(
            list.iter().map(|n| n.value.clone()).collect::<Vec<_>>(),
            ["1", "two"].map(text)
        );
    }

    #[test]
    fn what_may_grow_or_contradicts_itself_is_refused() {
        let fault = |text: &str| read(text).expect_err(text);
        assert_eq!(fault("a: 1\na: 2\n").0, 2);
        assert!(fault("a: &x [1]\nb: *x\n").1.contains("alias"));
        assert!(fault("[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]").1.contains("deeper"));
        // Whichever bound comes first, the parser's or ours.
        assert!(read(&"[".repeat(100_000)).is_err());
        assert!(fault("a: [1, 2\n").0 >= 1);
        assert!(fault("[1]: 2\n").1.contains("key"));
        assert_eq!(read("").expect("nothing").value, text(""));
    }
}
