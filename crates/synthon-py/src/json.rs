//! JSON values to Python objects and back.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyList, PyString, PyTuple};
use serde_json::{Map, Number, Value};

/// Deeper values are no JSON of ours; a list that holds itself is one.
const MAX_DEPTH: usize = 32;

/// A Python object as JSON, or `None` where it is none: an object of another kind, a number that
/// is not finite, a key that is not text, too deep.
pub(crate) fn from_python(object: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
    from_python_at(object, 0)
}

fn from_python_at(object: &Bound<'_, PyAny>, depth: usize) -> PyResult<Option<Value>> {
    if depth > MAX_DEPTH {
        return Ok(None);
    }
    if let Ok(text) = object.cast::<PyString>() {
        // Lone surrogates are no Unicode text.
        return Ok(text.to_cow().ok().map(|text| Value::String(text.into_owned())));
    }
    if object.is_none() {
        return Ok(Some(Value::Null));
    }
    if let Ok(flag) = object.cast::<PyBool>() {
        return Ok(Some(flag.is_true().into()));
    }
    if let Ok(number) = object.cast::<PyFloat>() {
        return Ok(Number::from_f64(number.value()).map(Value::Number));
    }
    if let Ok(dict) = object.cast::<PyDict>() {
        let mut map = Map::new();
        for (key, value) in dict.iter() {
            let Ok(key) = key.extract::<String>() else { return Ok(None) };
            let Some(value) = from_python_at(&value, depth + 1)? else { return Ok(None) };
            map.insert(key, value);
        }
        return Ok(Some(Value::Object(map)));
    }
    if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        let mut items = Vec::new();
        for item in object.try_iter()? {
            let Some(item) = from_python_at(&item?, depth + 1)? else { return Ok(None) };
            items.push(item);
        }
        return Ok(Some(Value::Array(items)));
    }
    // Whole numbers, those of NumPy too; the largest are told as the floats next to them.
    if object.hasattr("__index__")? {
        if let Ok(number) = object.extract::<i64>() {
            return Ok(Some(number.into()));
        }
        let number = object.call_method0("__index__")?.extract::<f64>().ok();
        return Ok(Some(number.and_then(Number::from_f64).map_or(f64::MAX.into(), Value::Number)));
    }
    Ok(None)
}

/// A JSON value as a Python object.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(flag) => flag.into_bound_py_any(py),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => whole.into_bound_py_any(py),
            None => match number.as_u64() {
                Some(whole) => whole.into_bound_py_any(py),
                None => number.as_f64().into_bound_py_any(py),
            },
        },
        Value::String(text) => text.into_bound_py_any(py),
        Value::Array(items) => {
            let items = items.iter().map(|item| to_python(py, item)).collect::<PyResult<Vec<_>>>();
            Ok(PyList::new(py, items?)?.into_any())
        }
        Value::Object(map) => Ok(object(py, map)?.into_any()),
    }
}

/// A JSON object as a dict with its keys in order.
pub(crate) fn object<'py>(
    py: Python<'py>,
    map: &Map<String, Value>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (key, value) in map {
        dict.set_item(key, to_python(py, value)?)?;
    }
    Ok(dict)
}
