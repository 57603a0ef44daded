//! The protocol revisions, and what each of them shows of a tool and a result.

/// A revision of the protocol, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Revision {
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
}

impl Revision {
    /// The only revision without a handshake.
    pub(crate) const MODERN: Revision = Revision::V2026_07_28;

    pub(crate) const ALL: [Revision; 5] = [
        Revision::V2024_11_05,
        Revision::V2025_03_26,
        Revision::V2025_06_18,
        Revision::V2025_11_25,
        Revision::V2026_07_28,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Revision::V2024_11_05 => "2024-11-05",
            Revision::V2025_03_26 => "2025-03-26",
            Revision::V2025_06_18 => "2025-06-18",
            Revision::V2025_11_25 => "2025-11-25",
            Revision::V2026_07_28 => "2026-07-28",
        }
    }

    /// What a handshake that asks for `wanted` is answered with: the same when it is known,
    /// else the newest with a handshake, and the oldest when nothing was asked for.
    pub(crate) fn negotiate(wanted: Option<&str>) -> Self {
        let Some(wanted) = wanted else { return Revision::V2024_11_05 };
        Self::ALL
            .into_iter()
            .find(|revision| *revision != Self::MODERN && revision.name() == wanted)
            .unwrap_or(Revision::V2025_11_25)
    }

    pub(crate) fn is_modern(self) -> bool {
        self == Self::MODERN
    }

    pub(crate) fn has_annotations(self) -> bool {
        self >= Revision::V2025_03_26
    }

    /// Titles, output schemas and structured results came together.
    pub(crate) fn has_structured_results(self) -> bool {
        self >= Revision::V2025_06_18
    }

    pub(crate) fn has_strict_schemas(self) -> bool {
        self >= Revision::V2025_11_25
    }

    pub(crate) fn has_progress_messages(self) -> bool {
        self >= Revision::V2025_03_26
    }
}
