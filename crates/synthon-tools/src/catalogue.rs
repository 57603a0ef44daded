//! The template libraries and stocks that tools may ask for by name.
//!
//! A door fills it when it starts; nothing is read before a call needs it, and each source is
//! read once.

use std::sync::{Arc, OnceLock};

use synthon_library::Library;
use synthon_stock::Stock;

use crate::check::{closest, shorten};
use crate::error::ToolError;

type Loader<T> = Box<dyn Fn() -> Result<T, String> + Send + Sync>;

struct Source<T> {
    name: String,
    load: Loader<T>,
    loaded: OnceLock<Result<Arc<T>, String>>,
}

impl<T> Source<T> {
    fn get(&self, kind: &str) -> Result<Arc<T>, ToolError> {
        self.loaded.get_or_init(|| (self.load)().map(Arc::new)).clone().map_err(|reason| {
            ToolError::tool(
                format!("{kind}.unreadable"),
                format!("The {kind} {} cannot be read", self.name),
            )
            .about(kind)
            .found(reason)
        })
    }
}

/// Named sources of one kind; the first is the default.
struct Sources<T> {
    kind: &'static str,
    list: Vec<Source<T>>,
}

impl<T> Sources<T> {
    fn add(&mut self, name: &str, load: Loader<T>) {
        self.list.retain(|source| source.name != name);
        self.list.push(Source { name: name.to_owned(), load, loaded: OnceLock::new() });
    }

    fn names(&self) -> Vec<&str> {
        self.list.iter().map(|source| source.name.as_str()).collect()
    }

    /// Checks a name given as `argument`.
    fn find(&self, argument: &str, name: &str) -> Result<&Source<T>, ToolError> {
        self.list.iter().find(|source| source.name == name).ok_or_else(|| {
            let error = ToolError::argument(
                format!("{}.unknown", self.kind),
                format!("{argument} names no configured {}", self.kind),
            )
            .about(argument)
            .found(shorten(name))
            .accepting(format!("configured: {}", self.names().join(", ")));
            match closest(name, self.names().into_iter()) {
                Some(known) => error.with_hint(format!("did you mean {known}?")),
                None => error,
            }
        })
    }
}

/// The libraries and stocks of a server or program.
pub struct Catalogue {
    libraries: Sources<Library>,
    stocks: Sources<Stock>,
}

impl std::fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Catalogue")
            .field("libraries", &self.library_names())
            .field("stocks", &self.stock_names())
            .finish()
    }
}

impl Default for Catalogue {
    fn default() -> Self {
        Self::shipped()
    }
}

impl Catalogue {
    /// The shipped libraries and stock.
    pub fn shipped() -> Self {
        let mut catalogue = Catalogue {
            libraries: Sources { kind: "library", list: Vec::new() },
            stocks: Sources { kind: "stock", list: Vec::new() },
        };
        catalogue.add_library(Library::USPTO_NAME, || Ok(Library::uspto()));
        catalogue.add_library(Library::CURATED_NAME, || Ok(Library::curated()));
        catalogue.add_stock(Stock::EMBEDDED_NAME, || Ok(Stock::embedded()));
        catalogue
    }

    /// Adds a template library, or replaces the one of this name. `load` runs when it is first
    /// asked for.
    pub fn add_library(
        &mut self,
        name: &str,
        load: impl Fn() -> Result<Library, String> + Send + Sync + 'static,
    ) {
        self.libraries.add(name, Box::new(load));
    }

    /// Adds a stock, or replaces the one of this name. `load` runs when it is first asked for.
    pub fn add_stock(
        &mut self,
        name: &str,
        load: impl Fn() -> Result<Stock, String> + Send + Sync + 'static,
    ) {
        self.stocks.add(name, Box::new(load));
    }

    /// Names of the libraries.
    pub fn library_names(&self) -> Vec<&str> {
        self.libraries.names()
    }

    /// Names of the stocks.
    pub fn stock_names(&self) -> Vec<&str> {
        self.stocks.names()
    }

    /// Checks that `name`, given as `argument`, is a configured library.
    ///
    /// # Errors
    /// A fault of the arguments that lists the names.
    pub fn check_library(&self, argument: &str, name: &str) -> Result<(), ToolError> {
        self.libraries.find(argument, name).map(|_| ())
    }

    /// Checks that `name`, given as `argument`, is a configured stock.
    ///
    /// # Errors
    /// A fault of the arguments that lists the names.
    pub fn check_stock(&self, argument: &str, name: &str) -> Result<(), ToolError> {
        self.stocks.find(argument, name).map(|_| ())
    }

    /// The library called `name` in `argument`, read if it has not been.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn library(&self, argument: &str, name: &str) -> Result<Arc<Library>, ToolError> {
        self.libraries.find(argument, name)?.get("library")
    }

    /// The stock called `name` in `argument`, read if it has not been.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn stock(&self, argument: &str, name: &str) -> Result<Arc<Stock>, ToolError> {
        self.stocks.find(argument, name)?.get("stock")
    }
}
