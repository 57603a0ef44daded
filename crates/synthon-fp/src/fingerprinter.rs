//! Fingerprints of molecules, one after another.

use crate::{FpError, FpErrorKind, Scheme};

/// Makes fingerprints of one scheme and size. It keeps its working memory between molecules, so
/// one is made for many of them; it is cheap to clone for another thread.
#[derive(Clone, Debug)]
pub struct Fingerprinter {
    scheme: Scheme,
    size: usize,
}

impl Fingerprinter {
    /// For this scheme, folded to `size` bits.
    ///
    /// # Errors
    /// [`FpErrorKind::Size`] for a size of zero, for torsions and atom pairs one of four or
    /// less, for MACCS keys any but 167; [`FpErrorKind::Parameter`] for paths that are none.
    pub fn new(scheme: Scheme, size: usize) -> Result<Self, FpError> {
        let fault = |hint: &str| {
            let message = format!("{} has no fingerprint of {size} bits", scheme.name());
            Err(FpError::new(FpErrorKind::Size, message).with_hint(hint))
        };
        match scheme {
            Scheme::Maccs if size != 167 => return fault("its size is 167"),
            Scheme::Torsion | Scheme::AtomPair if size <= 4 => {
                return fault("counts take four bits each, so more than 4 are needed");
            }
            _ if size == 0 => return fault("at least 1 is needed"),
            _ => {}
        }
        Ok(Fingerprinter { scheme, size })
    }

    /// The scheme.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The size in bits.
    pub fn size(&self) -> usize {
        self.size
    }
}
