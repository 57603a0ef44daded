//! A network in the ONNX format: one table of numbers for each input, one for the output.

use std::fmt;
use std::path::Path;

use crate::error::{ForeignError, ForeignErrorKind};

/// A network that is ready to run.
pub(crate) struct Network {
    /// Numbers of each input.
    pub inputs: Vec<usize>,
    /// Numbers of the output.
    pub output: usize,
    #[cfg(feature = "onnx")]
    plan: onnx::Plan,
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Network");
        shown.field("inputs", &self.inputs).field("output", &self.output).finish_non_exhaustive()
    }
}

fn fault(path: &Path, message: String) -> ForeignError {
    ForeignError::new(ForeignErrorKind::Network, &path.display().to_string(), message)
}

#[cfg(not(feature = "onnx"))]
impl Network {
    pub fn open(path: &Path, _: usize) -> Result<Network, ForeignError> {
        let message = "this program was built without the feature `onnx`, which runs networks";
        Err(fault(path, message.to_owned())
            .with_hint("build it with `cargo build --release -p synthon-cli --features onnx`"))
    }

    pub fn run(&self, _: &[Vec<f32>]) -> Option<Vec<f32>> {
        None
    }
}

#[cfg(feature = "onnx")]
mod onnx {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::path::Path;

    use tract_onnx::prelude::*;
    use tract_onnx::tract_hir::infer::Factoid;
    use tract_onnx::tract_hir::internal::{DimLike, bail};

    use super::{Network, fault};
    use crate::error::ForeignError;
    use crate::templates::bytes;

    pub(super) type Plan = TypedRunnableModel<TypedModel>;

    /// Longest file of a network in bytes.
    const MAX_FILE: u64 = 1 << 30;
    /// Most numbers of an input or output.
    const MAX_WIDTH: usize = 1 << 20;

    impl Network {
        /// Reads a network of so many inputs, each a row of numbers.
        pub fn open(path: &Path, inputs: usize) -> Result<Network, ForeignError> {
            let bytes = bytes(path, &path.display().to_string(), MAX_FILE)?;
            // The reader of the format is made for honest files; on others it may give up.
            let read = catch_unwind(AssertUnwindSafe(|| read(&bytes, inputs)));
            match read {
                Ok(Ok(network)) => Ok(network),
                Ok(Err(error)) => Err(fault(path, format!("{error:#}"))),
                Err(_) => Err(fault(path, "no network that can be read".to_owned())),
            }
        }

        /// The output for these inputs; `None` where it cannot be computed.
        pub fn run(&self, inputs: &[Vec<f32>]) -> Option<Vec<f32>> {
            let rows = inputs
                .iter()
                .map(|row| Some(Tensor::from_shape(&[1, row.len()], row).ok()?.into_tvalue()));
            let rows: Option<TVec<TValue>> = rows.collect();
            let output = catch_unwind(AssertUnwindSafe(|| self.plan.run(rows?).ok())).ok()??;
            let output = output.first()?.to_array_view::<f32>().ok()?.iter().copied().collect();
            Some(output)
        }
    }

    fn read(bytes: &[u8], wanted: usize) -> TractResult<Network> {
        let mut model = tract_onnx::onnx().model_for_read(&mut &bytes[..])?;
        let given = model.input_outlets()?.len();
        if given != wanted {
            bail!("{given} inputs, {wanted} are asked for");
        }
        let mut inputs = Vec::new();
        for place in 0..wanted {
            let width = model.input_fact(place)?.shape.dim(1);
            let width = width.and_then(|dim| dim.concretize()).and_then(|dim| dim.to_usize().ok());
            let Some(width) = width.filter(|&width| (1..=MAX_WIDTH).contains(&width)) else {
                bail!("input {place} is no row of numbers");
            };
            let fact = InferenceFact::dt_shape(f32::datum_type(), tvec!(1, width));
            model.set_input_fact(place, fact)?;
            inputs.push(width);
        }
        let plan = model.into_optimized()?.into_runnable()?;
        let output = plan.model().output_fact(0)?;
        let output = match output.shape.as_concrete() {
            Some(&[1, width]) if width <= MAX_WIDTH => width,
            _ => bail!("the output is no row of numbers"),
        };
        Ok(Network { inputs, output, plan })
    }
}
