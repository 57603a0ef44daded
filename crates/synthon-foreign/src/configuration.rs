//! The file `config.yml` of AiZynthFinder 4.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use synthon_library::{ExtractedLibrary, Library, LibraryLimits};

use crate::error::{ForeignError, ForeignErrorKind};
use crate::policy::Model;
use crate::templates;
use crate::yaml::{self, Node, Value};

/// Longest configuration in bytes.
const MAX_FILE: u64 = 1 << 20;
/// Sections that say how AiZynthFinder searches, scores and sums up.
const PASSED_OVER: [&str; 3] = ["search", "post_processing", "scorer"];

/// An expansion policy: templates, and a network that says for a molecule which of them to try.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Expansion {
    /// Name in the configuration.
    pub name: String,
    /// File of the network.
    pub model: PathBuf,
    /// File of the templates.
    pub templates: PathBuf,
    /// Column of their texts. Default `retro_template`.
    pub template_column: String,
    /// Templates are tried, the most promising first, until their shares sum to this. Default
    /// 0.995.
    pub cutoff_cumulative: f32,
    /// Most templates that are tried. Default 50.
    pub cutoff_number: usize,
    /// Whether the shares of those are stretched to sum to 1. Default false.
    pub rescale_prior: bool,
}

/// A filter policy: a network that says whether a step is feasible.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Filter {
    /// Name in the configuration.
    pub name: String,
    /// File of the network.
    pub model: PathBuf,
    /// Least probability of a step that is kept. Default 0.05.
    pub cutoff: f32,
    /// Expansion policies whose steps it does not judge.
    pub excludes: Vec<String>,
}

/// What a configuration names. Paths are as they stand there, so that relative ones begin at the
/// working directory, as they do for AiZynthFinder.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Configuration {
    /// Expansion policies, in the order of the file.
    pub expansions: Vec<Expansion>,
    /// Filter policies, in the order of the file.
    pub filters: Vec<Filter>,
    /// Names and files of stocks, in the order of the file.
    pub stocks: Vec<(String, PathBuf)>,
    file: String,
}

impl Configuration {
    /// Reads a file of at most 1 MiB.
    ///
    /// # Errors
    /// A file that cannot be read, is no YAML, or asks for something that only AiZynthFinder knows:
    /// other kinds of policies, filters or stocks, masks, remote models.
    pub fn open(path: &Path) -> Result<Self, ForeignError> {
        let shown = path.display().to_string();
        let bytes = crate::templates::bytes(path, &shown, MAX_FILE)?;
        let text = String::from_utf8(bytes)
            .map_err(|_| ForeignError::new(ForeignErrorKind::Read, &shown, "not UTF-8"))?;
        Self::from_yaml(&shown, &text)
    }

    /// Reads a text; faults speak of it as `file`.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn from_yaml(file: &str, text: &str) -> Result<Self, ForeignError> {
        let reader = Reader { file };
        let root = yaml::read(text).map_err(|(line, message)| {
            ForeignError::new(ForeignErrorKind::Syntax, file, message).at_line(line)
        })?;
        let mut configuration = Configuration {
            expansions: Vec::new(),
            filters: Vec::new(),
            stocks: Vec::new(),
            file: file.to_owned(),
        };
        for (key, node) in reader.table(&root)? {
            match key.as_str() {
                "expansion" => {
                    for (name, node) in reader.table(node)? {
                        configuration.expansions.push(reader.expansion(name, node)?);
                    }
                }
                "filter" => {
                    for (name, node) in reader.table(node)? {
                        configuration.filters.push(reader.filter(name, node)?);
                    }
                }
                "stock" => {
                    for (name, node) in reader.table(node)? {
                        configuration.stocks.push((name.clone(), reader.stock(node)?));
                    }
                }
                other if PASSED_OVER.contains(&other) => {}
                other => {
                    let message = format!("a section `{other}`");
                    return Err(reader.unsupported(node, message).with_hint(
                        "AiZynthFinder 4 knows expansion, filter, stock, search, post_processing \
                         and scorer",
                    ));
                }
            }
        }
        Ok(configuration)
    }

    /// The library that the first expansion policy and all filters make.
    ///
    /// # Errors
    /// No expansion policy; a file that cannot be read or is larger than allowed; a network that
    /// does not fit its templates; a program without the feature `onnx`.
    pub fn library(&self, name: &str, limits: &LibraryLimits) -> Result<Library, ForeignError> {
        let Some(expansion) = self.expansions.first() else {
            let message = "no expansion policy";
            return Err(ForeignError::new(ForeignErrorKind::Unsupported, &self.file, message));
        };
        let file = expansion.templates.display().to_string();
        let table = templates::read(&expansion.templates, &expansion.template_column, limits)?;
        let model = Model::open(expansion, &self.filters, &table)?;
        let left_out = table.rows.iter().filter(|row| row.is_none()).count() as u64;
        let (name_of, model) = (&expansion.name, Arc::new(model));
        ExtractedLibrary::with_model(name_of, &table.templates, left_out, model, limits)
            .map(|extracted| Library::of_extracted(name, extracted))
            .map_err(|error| {
                ForeignError::new(ForeignErrorKind::Templates, &file, error.to_string())
            })
    }
}

struct Reader<'f> {
    file: &'f str,
}

impl Reader<'_> {
    fn fault(&self, node: &Node, message: impl Into<String>) -> ForeignError {
        ForeignError::new(ForeignErrorKind::Syntax, self.file, message).at_line(node.line)
    }

    fn unsupported(&self, node: &Node, message: impl Into<String>) -> ForeignError {
        ForeignError::new(ForeignErrorKind::Unsupported, self.file, message).at_line(node.line)
    }

    /// The rows of a table; none where nothing is written.
    fn table<'n>(&self, node: &'n Node) -> Result<&'n [(String, Node)], ForeignError> {
        match &node.value {
            Value::Table(rows) => Ok(rows),
            Value::Text(text) if text.is_empty() || text == "~" => Ok(&[]),
            _ => Err(self.fault(node, "a table is asked for")),
        }
    }

    fn text<'n>(&self, node: &'n Node) -> Result<&'n str, ForeignError> {
        match &node.value {
            Value::Text(text) => Ok(text),
            _ => Err(self.fault(node, "a text is asked for")),
        }
    }

    fn path(&self, node: &Node) -> Result<PathBuf, ForeignError> {
        let text = self.text(node)?;
        if text.is_empty() {
            return Err(self.fault(node, "a path is asked for"));
        }
        if text.contains("${") {
            return Err(self
                .unsupported(node, format!("an environment variable in {text:?}"))
                .with_hint("write the path itself"));
        }
        Ok(PathBuf::from(text))
    }

    fn number(&self, node: &Node) -> Result<f32, ForeignError> {
        let text = self.text(node)?;
        let number = text.parse::<f32>().ok().filter(|n| n.is_finite() && *n >= 0.0);
        number.ok_or_else(|| self.fault(node, format!("{text:?} is no number from 0 on")))
    }

    fn flag(&self, node: &Node) -> Result<bool, ForeignError> {
        match self.text(node)?.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => Ok(true),
            "false" | "no" | "off" => Ok(false),
            text => Err(self.fault(node, format!("{text:?} is neither true nor false"))),
        }
    }

    fn network(&self, node: &Node) -> Result<PathBuf, ForeignError> {
        let path = self.path(node)?;
        if path.extension().is_none_or(|e| e != "onnx") {
            let message = format!("the network {}", path.display());
            return Err(self.unsupported(node, message).with_hint("networks are read as .onnx"));
        }
        Ok(path)
    }

    fn expansion(&self, name: &str, node: &Node) -> Result<Expansion, ForeignError> {
        let (mut model, mut templates) = (None, None);
        let mut expansion = Expansion {
            name: name.to_owned(),
            model: PathBuf::new(),
            templates: PathBuf::new(),
            template_column: "retro_template".to_owned(),
            cutoff_cumulative: 0.995,
            cutoff_number: 50,
            rescale_prior: false,
        };
        if let Value::List(list) = &node.value {
            let [first, second] = list.as_slice() else {
                return Err(self.fault(node, "a list of network and templates is asked for"));
            };
            (model, templates) = (Some(self.network(first)?), Some(self.path(second)?));
        } else {
            for (key, node) in self.table(node)? {
                match key.as_str() {
                    "type" if self.text(node)? == "template-based" => {}
                    "type" => {
                        let message = format!("a policy of type {:?}", self.text(node)?);
                        return Err(self
                            .unsupported(node, message)
                            .with_hint("the type template-based is read"));
                    }
                    "model" => model = Some(self.network(node)?),
                    "template" => templates = Some(self.path(node)?),
                    "template_column" => {
                        self.text(node)?.clone_into(&mut expansion.template_column)
                    }
                    "cutoff_cumulative" => expansion.cutoff_cumulative = self.number(node)?,
                    "cutoff_number" => expansion.cutoff_number = self.number(node)? as usize,
                    "rescale_prior" => expansion.rescale_prior = self.flag(node)?,
                    // Stereo is always minded, as rdchiral does it.
                    "use_rdchiral" => {
                        self.flag(node)?;
                    }
                    "use_remote_models" | "chiral_fingerprints" if !self.flag(node)? => {}
                    key => return Err(self.unsupported(node, format!("the setting `{key}`"))),
                }
            }
        }
        match (model, templates) {
            (Some(model), Some(templates)) => Ok(Expansion { model, templates, ..expansion }),
            _ => Err(self.fault(node, format!("`{name}` names no model, or no template"))),
        }
    }

    fn filter(&self, name: &str, node: &Node) -> Result<Filter, ForeignError> {
        let mut filter = Filter {
            name: name.to_owned(),
            model: PathBuf::new(),
            cutoff: 0.05,
            excludes: Vec::new(),
        };
        if let Value::Text(text) = &node.value
            && !text.is_empty()
        {
            filter.model = self.network(node)?;
            return Ok(filter);
        }
        for (key, node) in self.table(node)? {
            match key.as_str() {
                "type" => {
                    let kind = self.text(node)?;
                    if !["quick-filter", "quick_keras_filter", "feasibility"].contains(&kind) {
                        return Err(self
                            .unsupported(node, format!("a filter of type {kind:?}"))
                            .with_hint("the type quick-filter is read"));
                    }
                }
                "model" => filter.model = self.network(node)?,
                "filter_cutoff" => filter.cutoff = self.number(node)?,
                "exclude_from_policy" => {
                    let Value::List(list) = &node.value else {
                        return Err(self.fault(node, "a list of names is asked for"));
                    };
                    let names = list.iter().map(|name| self.text(name).map(str::to_owned));
                    filter.excludes = names.collect::<Result<_, _>>()?;
                }
                // The product comes first, as AiZynthFinder gives it.
                "prod_fp_name" | "rxn_fp_name" => {}
                "use_remote_models" if !self.flag(node)? => {}
                key => return Err(self.unsupported(node, format!("the setting `{key}`"))),
            }
        }
        if filter.model.as_os_str().is_empty() {
            return Err(self.fault(node, format!("`{name}` names no model")));
        }
        Ok(filter)
    }

    fn stock(&self, node: &Node) -> Result<PathBuf, ForeignError> {
        let path = match &node.value {
            Value::Text(_) => self.path(node)?,
            _ => {
                let mut path = None;
                for (key, node) in self.table(node)? {
                    match key.as_str() {
                        "type" if ["inchiset", "bloom"].contains(&self.text(node)?) => {}
                        "path" => path = Some(self.path(node)?),
                        key => {
                            let message = format!("the setting `{key}` of a stock");
                            return Err(self
                                .unsupported(node, message)
                                .with_hint("type inchiset or bloom, and path, are read"));
                        }
                    }
                }
                path.ok_or_else(|| self.fault(node, "a stock without a path"))?
            }
        };
        if path.extension().is_some_and(|e| e == "hdf5" || e == "h5") {
            return Err(self
                .unsupported(node, format!("the HDF5 stock {}", path.display()))
                .with_hint("convert it: python -m synthon.hdf5_stock FILE -o stock.txt"));
        }
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Configuration, ForeignError> {
        Configuration::from_yaml("config.yml", text)
    }

    #[test]
    fn both_forms_of_a_policy_are_read() {
        let long = "expansion:\n  uspto:\n    type: template-based\n    model: m.onnx\n    \
                    template: t.csv.gz\n    cutoff_number: 20\n    rescale_prior: true\n  \
                    ring: [r.onnx, r.csv]\nfilter:\n  all: f.onnx\n  some:\n    model: g.onnx\n    \
                    filter_cutoff: 0.2\n    exclude_from_policy: [ring]\nstock:\n  zinc: z.txt\n  \
                    blocks:\n    type: bloom\n    path: b.bloom\nsearch:\n  algorithm: mcts\n";
        let configuration = read(long).expect("reads");
        let [first, second] = configuration.expansions.as_slice() else { panic!("two policies") };
        assert_eq!((first.cutoff_number, first.rescale_prior), (20, true));
        assert_eq!(second.model, Path::new("r.onnx"));
        assert_eq!((second.cutoff_number, second.cutoff_cumulative), (50, 0.995));
        assert_eq!(configuration.filters[0].cutoff, 0.05);
        assert_eq!(configuration.filters[1].excludes, ["ring"]);
        let stocks: Vec<&str> = configuration.stocks.iter().map(|s| s.0.as_str()).collect();
        assert_eq!(stocks, ["zinc", "blocks"]);
    }

    #[test]
    fn what_is_not_read_is_refused_with_its_line() {
        for (text, line, code) in [
            ("policy:\n  files: {}\n", 2, "foreign.unsupported"),
            ("expansion:\n  a:\n    type: multi\n", 3, "foreign.unsupported"),
            ("expansion:\n  a: [m.hdf5, t.csv]\n", 2, "foreign.unsupported"),
            ("expansion:\n  a: [m.onnx]\n", 2, "foreign.syntax"),
            ("expansion:\n  a:\n    model: m.onnx\n", 3, "foreign.syntax"),
            ("expansion:\n  a:\n    model: ${HOME}/m.onnx\n", 3, "foreign.unsupported"),
            ("expansion:\n  a:\n    cutoff_number: -1\n", 3, "foreign.syntax"),
            ("expansion:\n  a:\n    mask: m.npz\n", 3, "foreign.unsupported"),
            ("filter:\n  f:\n    type: bond\n", 3, "foreign.unsupported"),
            ("stock:\n  z: zinc.hdf5\n", 2, "foreign.unsupported"),
            ("stock:\n  z:\n    type: mongodb\n", 3, "foreign.unsupported"),
            ("expansion: 3\n", 1, "foreign.syntax"),
            ("- a\n", 1, "foreign.syntax"),
            ("a: [\n", 2, "foreign.syntax"),
        ] {
            let error = read(text).expect_err(text);
            assert_eq!((error.line(), error.code()), (Some(line), code), "{text}: {error}");
        }
        let error = read("stock:\n  z: zinc.hdf5\n").expect_err("HDF5");
        assert!(error.to_string().contains("hdf5_stock"), "{error}");
        let none = read("").expect("nothing is asked for");
        let error = none.library("x", &LibraryLimits::default()).expect_err("no policy");
        assert_eq!(error.code(), "foreign.unsupported");
    }
}
