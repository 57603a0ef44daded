//! What the help of each command shows: commands that work as they stand, with the files that
//! they name.

use clap::Command;

/// The path of a command, and its examples.
const EXAMPLES: [(&str, &[&str]); 37] = [
    (
        "synthon",
        &["synthon routes \"CC(=O)Nc1ccc(O)cc1\"", "synthon standardise \"CC(=O)O[Na]\" --cleanup"],
    ),
    ("synthon-mcp", &["synthon-mcp", "synthon-mcp --tools molecules"]),
    (
        "routes",
        &[
            "synthon routes \"CC(=O)Nc1ccc(O)cc1\"",
            "synthon routes \"CC(=O)Nc1ccc(O)cc1\" --avoid-elements Br,I --json",
            "synthon routes \"CC(=O)Nc1ccc(O)cc1\" --break-bonds 1-3 --format html -o routes.html",
            "synthon routes --input molecules.smi --output routes.jsonl --summary summary.html",
        ],
    ),
    ("audit", &["synthon audit routes.json --explain"]),
    ("explain", &["synthon explain \"CC(=O)Nc1ccc(O)cc1\""]),
    ("pareto", &["synthon pareto \"CC(=O)Nc1ccc(O)cc1\" --objectives steps:min,cost:min"]),
    ("diversity", &["synthon diversity \"CC(=O)Nc1ccc(O)cc1\" --max-routes 20"]),
    ("diagnose", &["synthon diagnose \"[Xe]\" --depth 2"]),
    ("expand", &["synthon expand \"CC(=O)Nc1ccc(O)cc1\" --top 3"]),
    ("mcs", &["synthon mcs \"CC(=O)Nc1ccccc1\" \"CCC(=O)Nc1ccncc1\""]),
    (
        "substructure",
        &[
            "synthon substructure \"C(=O)N\" \"CC(=O)Nc1ccccc1\"",
            "synthon substructure \"[OX2H]\" molecules.smi",
        ],
    ),
    ("smarts", &["synthon smarts \"[OX2H]\" \"OCC(O)CO\" --max-matches 3"]),
    (
        "fingerprint",
        &[
            "synthon fingerprint \"CCO\"",
            "synthon fingerprint molecules.csv --column smiles --kind maccs",
        ],
    ),
    ("similarity", &["synthon similarity \"Oc1ccccc1\" \"Cc1ccccc1O\" --metric dice"]),
    (
        "screen",
        &[
            "synthon screen \"Oc1ccccc1\" molecules.smi --threshold 0.4",
            "synthon screen \"[OX2H]c\" molecules.sdf --substructure",
            "synthon screen \"Oc1ccccc1\" molecules.corpus --top 10",
        ],
    ),
    ("corpus", &["synthon corpus build molecules.smi -o molecules.corpus"]),
    ("corpus build", &["synthon corpus build molecules.smi -o molecules.corpus"]),
    ("corpus info", &["synthon corpus info molecules.corpus --verify"]),
    (
        "standardise",
        &[
            "synthon standardise \"OC(=O)c1ccccc1.[Na+].[Cl-]\" --largest-fragment",
            "synthon standardise molecules.smi --cleanup --neutralise --json",
        ],
    ),
    (
        "convert",
        &[
            "synthon convert \"CCO\" --to inchikey",
            "synthon convert molecules.smi -o molecules.sdf",
        ],
    ),
    ("describe", &["synthon describe \"CCO\"", "synthon describe molecules.sdf -o table.csv"]),
    (
        "depict",
        &[
            "synthon depict \"CC(=O)Nc1ccc(O)cc1\" -o paracetamol.svg",
            "synthon depict \"CCO\" \"CCN\" -o pair.png",
            "synthon depict molecules.smi --columns 3 -o grid.svg",
        ],
    ),
    (
        "call",
        &[
            "synthon call standardise_molecule '{\"smiles\": \"OCC\"}'",
            "echo '{\"smiles\": \"OCC\"}' | synthon call standardise_molecule --jsonl",
        ],
    ),
    ("tools", &["synthon tools --shape function", "synthon tools --route-schema"]),
    ("mcp", &["synthon mcp", "synthon mcp install --client claude-code --print"]),
    ("mcp install", &["synthon mcp install --client claude-code --print"]),
    ("library", &["synthon library build reactions.tsv -o mine"]),
    ("library build", &["synthon library build reactions.tsv -o mine --min-precedents 1"]),
    ("library info", &["synthon library info mine"]),
    ("library train", &["synthon library train mine reactions.tsv --epochs 1"]),
    ("stock", &["synthon stock contains \"OCC\""]),
    ("stock info", &["synthon stock info", "synthon stock info molecules.smi"]),
    ("stock build", &["synthon stock build molecules.csv -o stock.smi"]),
    (
        "stock contains",
        &[
            "synthon stock contains \"OCC\" \"CC(=O)O[Na]\"",
            "synthon stock contains molecules.smi --stock molecules.csv --json",
        ],
    ),
    ("doctor", &["synthon doctor"]),
    ("completions", &["synthon completions bash"]),
    ("library evaluate", &["synthon library evaluate mine reactions.tsv"]),
];

/// Shows the examples of a command, and of those below it. `path` is what comes before its name.
pub(crate) fn with_examples(command: Command, path: &str) -> Command {
    let name = command.get_name().to_owned();
    let own = if path.is_empty() { name } else { format!("{path} {name}") };
    let command = match EXAMPLES.iter().find(|(of, _)| *of == own) {
        Some((_, examples)) => {
            let lines: Vec<String> = examples.iter().map(|line| format!("  {line}")).collect();
            command.after_help(format!("Examples:\n{}", lines.join("\n")))
        }
        None => command,
    };
    let below = if path.is_empty() && own == "synthon" { String::new() } else { own };
    command.mut_subcommands(|sub| with_examples(sub, &below))
}
