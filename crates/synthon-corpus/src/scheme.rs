//! A fingerprint scheme as a name and two numbers.

use synthon_fp::Scheme;

pub(crate) fn scheme_to_parts(scheme: Scheme) -> (&'static str, [u32; 2]) {
    let parameters = match scheme {
        Scheme::Ecfp { radius } | Scheme::Fcfp { radius } => [radius, 0],
        Scheme::Path { min_path, max_path } => [min_path as u32, max_path as u32],
        Scheme::Mcs { max_path } => [max_path as u32, 0],
        _ => [0; 2],
    };
    (scheme.name(), parameters)
}

pub(crate) fn scheme_from_parts(name: &str, [a, b]: [u32; 2]) -> Option<Scheme> {
    Some(match Scheme::from_name(name)? {
        Scheme::Ecfp { .. } => Scheme::Ecfp { radius: a },
        Scheme::Fcfp { .. } => Scheme::Fcfp { radius: a },
        Scheme::Path { .. } => Scheme::Path { min_path: a as usize, max_path: b as usize },
        Scheme::Mcs { .. } => Scheme::Mcs { max_path: a as usize },
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_come_back() {
        for name in Scheme::NAMES {
            let mut scheme = Scheme::from_name(name).expect("a scheme of this name");
            if let Scheme::Ecfp { radius } = &mut scheme {
                *radius = 5;
            }
            let (name, parameters) = scheme_to_parts(scheme);
            assert_eq!(scheme_from_parts(name, parameters), Some(scheme));
        }
    }
}
