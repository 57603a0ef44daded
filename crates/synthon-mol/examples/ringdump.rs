//! tmp
fn main(){ for s in std::env::args().skip(1) { let m=synthon_mol::Molecule::from_smiles(&s).unwrap(); println!("{} {}",s,m.rings().sssr_count()); for r in m.rings().iter(){println!("   {:?}",r);} } }
