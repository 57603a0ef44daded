//! The files of this folder as bytes of the program: a crate of their own, so that they travel
//! with the crates that read them. `MANIFEST.toml` has each file's source, licence and hash.

macro_rules! curated {
    ($name:literal) => {
        (concat!("curated/", $name, ".toml"), include_str!(concat!("curated/", $name, ".toml")))
    };
}

macro_rules! uspto {
    ($name:literal) => {
        ($name, include_bytes!(concat!("uspto/", $name)).as_slice())
    };
}

/// Functional groups and abbreviations, which user libraries may use too: name and text.
pub const CURATED_GROUPS: (&str, &str) = curated!("groups");

/// The library of named templates, groups first: name and text of each file.
pub const CURATED: [(&str, &str); 9] = [
    CURATED_GROUPS,
    curated!("acylation"),
    curated!("substitution"),
    curated!("coupling"),
    curated!("carbonyl"),
    curated!("heterocycles"),
    curated!("redox"),
    curated!("exchange"),
    curated!("protection"),
];

/// For each named template the reactions of patents that it accounts for.
pub const CURATED_PRECEDENTS: &str = include_str!("curated/precedents.tsv");

/// The families of reactions.
pub const FAMILIES: &str = include_str!("curated/families.toml");

/// The library of extracted templates with its policy: name within the library's folder, bytes.
pub const USPTO: [(&str, &[u8]); 6] = [
    uspto!("library.toml"),
    uspto!("templates.tsv.gz"),
    uspto!("cores.txt.gz"),
    uspto!("precedents.tsv.gz"),
    uspto!("index.bin.gz"),
    uspto!("policy.safetensors"),
];

/// The stock `uspto-blocks`: one molecule on each line.
pub const USPTO_BLOCKS: &str = include_str!("stock/uspto-blocks.smi");

/// The index of [`USPTO_BLOCKS`].
pub const USPTO_BLOCKS_INDEX: &[u8] = include_bytes!("stock/uspto-blocks.index");
