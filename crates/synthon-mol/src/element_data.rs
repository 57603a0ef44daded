//! Valence states, outer electrons and standard atomic weights of the elements: the constants that
//! RDKit's model works with, as facts of its periodic table.

/// Constants of one element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElementData {
    /// Allowed valences, lowest (the default) first; a trailing -1 lifts the upper bound.
    valences: [i8; 4],
    count: u8,
    /// Electrons of the outer shell.
    pub outer_electrons: u8,
    /// Standard atomic weight in unified atomic mass units.
    pub average_mass: f64,
    /// Mass of the most common isotope.
    pub exact_mass: f64,
}

const UNUSED: i8 = i8::MIN;

impl ElementData {
    /// Allowed valences, lowest first; -1 stands for "anything".
    #[inline]
    pub fn valences(&self) -> &[i8] {
        &self.valences[..usize::from(self.count)]
    }

    /// The lowest allowed valence; -1 when the element has none.
    #[inline]
    pub fn default_valence(&self) -> i32 {
        i32::from(self.valences[0])
    }

    /// The highest allowed valence; -1 when there is no bound.
    #[inline]
    pub fn last_valence(&self) -> i32 {
        i32::from(self.valences[usize::from(self.count) - 1])
    }

    /// Whether nothing is known of the valences (transition metals, wildcard).
    #[inline]
    pub fn has_no_valences(&self) -> bool {
        self.valences[0] == -1
    }
}

const fn element(
    valences: [i8; 4],
    outer_electrons: u8,
    average_mass: f64,
    exact_mass: f64,
) -> ElementData {
    let mut count = 1;
    while count < 4 && valences[count as usize] != UNUSED {
        count += 1;
    }
    ElementData { valences, count, outer_electrons, average_mass, exact_mass }
}

const fn v1(a: i8) -> [i8; 4] {
    [a, UNUSED, UNUSED, UNUSED]
}
const fn v2(a: i8, b: i8) -> [i8; 4] {
    [a, b, UNUSED, UNUSED]
}
const fn v3(a: i8, b: i8, c: i8) -> [i8; 4] {
    [a, b, c, UNUSED]
}

/// By atomic number; entry 0 is the wildcard.
#[rustfmt::skip]
pub(crate) static ELEMENTS: [ElementData; 119] = [
    element(v1(-1), 0, 0.0, 0.0), // *
    element(v1(1), 1, 1.008, 1.007825032), // H
    element(v1(0), 2, 4.003, 4.002603254), // He
    element(v2(1, -1), 1, 6.941, 7.01600455), // Li
    element(v1(2), 2, 9.012, 9.0121822), // Be
    element(v1(3), 3, 10.812, 11.0093054), // B
    element(v1(4), 4, 12.011, 12.0), // C
    element(v1(3), 5, 14.007, 14.003074), // N
    element(v1(2), 6, 15.999, 15.99491462), // O
    element(v1(1), 7, 18.998, 18.99840322), // F
    element(v1(0), 8, 20.18, 19.99244018), // Ne
    element(v2(1, -1), 1, 22.99, 22.98976928), // Na
    element(v2(2, -1), 2, 24.305, 23.9850417), // Mg
    element(v1(3), 3, 26.982, 26.98153863), // Al
    element(v1(4), 4, 28.086, 27.97692653), // Si
    element(v2(3, 5), 5, 30.974, 30.97376163), // P
    element(v3(2, 4, 6), 6, 32.067, 31.972071), // S
    element(v1(1), 7, 35.453, 34.96885268), // Cl
    element(v1(0), 8, 39.948, 39.96238312), // Ar
    element(v2(1, -1), 1, 39.098, 38.96370668), // K
    element(v2(2, -1), 2, 40.078, 39.96259098), // Ca
    element(v1(-1), 3, 44.956, 44.9559119), // Sc
    element(v1(-1), 4, 47.867, 47.9479463), // Ti
    element(v1(-1), 5, 50.944, 50.9439595), // V
    element(v1(-1), 6, 51.996, 51.9405075), // Cr
    element(v1(-1), 7, 54.938, 54.9380451), // Mn
    element(v1(-1), 8, 55.845, 55.9349375), // Fe
    element(v1(-1), 9, 58.933, 58.933195), // Co
    element(v1(-1), 10, 58.693, 57.9353429), // Ni
    element(v1(-1), 11, 63.546, 62.9295975), // Cu
    element(v1(-1), 2, 65.39, 63.9291422), // Zn
    element(v1(3), 3, 69.723, 68.9255736), // Ga
    element(v1(4), 4, 72.61, 73.9211778), // Ge
    element(v2(3, 5), 5, 74.922, 74.9215965), // As
    element(v3(2, 4, 6), 6, 78.96, 79.9165213), // Se
    element(v1(1), 7, 79.904, 78.9183371), // Br
    element(v1(0), 8, 83.8, 83.911507), // Kr
    element(v2(1, -1), 1, 85.468, 84.91178974), // Rb
    element(v2(2, -1), 2, 87.62, 87.9056121), // Sr
    element(v1(-1), 3, 88.906, 88.9058483), // Y
    element(v1(-1), 4, 91.224, 89.9047044), // Zr
    element(v1(-1), 5, 92.906, 92.9063781), // Nb
    element(v1(-1), 6, 95.94, 97.9054082), // Mo
    element(v1(-1), 7, 98.0, 96.906365), // Tc
    element(v1(-1), 8, 101.07, 101.9043493), // Ru
    element(v1(-1), 9, 102.906, 102.905504), // Rh
    element(v1(-1), 10, 106.42, 105.903486), // Pd
    element(v1(-1), 11, 107.868, 106.905097), // Ag
    element(v1(-1), 2, 112.412, 113.9033585), // Cd
    element(v1(3), 3, 114.818, 114.903878), // In
    element(v2(2, 4), 4, 118.711, 119.9021947), // Sn
    element(v2(3, 5), 5, 121.76, 120.9038157), // Sb
    element(v3(2, 4, 6), 6, 127.6, 129.9062244), // Te
    element(v3(1, 3, 5), 7, 126.904, 126.904473), // I
    element([0, 2, 4, 6], 8, 131.29, 131.9041535), // Xe
    element(v1(1), 1, 132.905, 132.9054519), // Cs
    element(v2(2, -1), 2, 137.328, 137.9052472), // Ba
    element(v1(-1), 3, 138.906, 138.9063533), // La
    element(v1(-1), 4, 140.116, 139.9054387), // Ce
    element(v1(-1), 3, 140.908, 140.9076528), // Pr
    element(v1(-1), 4, 144.24, 141.9077233), // Nd
    element(v1(-1), 5, 145.0, 144.912749), // Pm
    element(v1(-1), 6, 150.36, 151.9197324), // Sm
    element(v1(-1), 7, 151.964, 152.9212303), // Eu
    element(v1(-1), 8, 157.25, 157.9241039), // Gd
    element(v1(-1), 9, 158.925, 158.9253468), // Tb
    element(v1(-1), 10, 162.5, 163.9291748), // Dy
    element(v1(-1), 11, 164.93, 164.9303221), // Ho
    element(v1(-1), 12, 167.26, 165.9302931), // Er
    element(v1(-1), 13, 168.934, 168.9342133), // Tm
    element(v1(-1), 14, 173.04, 173.9388621), // Yb
    element(v1(-1), 15, 174.967, 174.9407718), // Lu
    element(v1(-1), 4, 178.49, 179.94655), // Hf
    element(v1(-1), 5, 180.948, 180.9479958), // Ta
    element(v1(-1), 6, 183.84, 183.9509312), // W
    element(v1(-1), 7, 186.207, 186.9557531), // Re
    element(v1(-1), 8, 190.23, 191.9614807), // Os
    element(v1(-1), 9, 192.217, 192.9629264), // Ir
    element(v1(-1), 10, 195.078, 194.9647911), // Pt
    element(v1(-1), 11, 196.967, 196.9665687), // Au
    element(v1(-1), 2, 200.59, 201.970643), // Hg
    element(v1(-1), 3, 204.383, 204.9744275), // Tl
    element(v2(2, 4), 4, 207.2, 207.9766521), // Pb
    element(v2(3, 5), 5, 208.98, 208.9803987), // Bi
    element(v3(2, 4, 6), 6, 209.0, 208.9824304), // Po
    element(v3(1, 3, 5), 7, 210.0, 209.987148), // At
    element(v1(0), 8, 222.0, 222.0175706), // Rn
    element(v1(1), 1, 223.0, 223.0197359), // Fr
    element(v2(2, -1), 2, 226.0, 226.0254026), // Ra
    element(v1(-1), 3, 227.0, 227.0277521), // Ac
    element(v1(-1), 4, 232.038, 232.0380553), // Th
    element(v1(-1), 3, 231.036, 231.035884), // Pa
    element(v1(-1), 4, 238.029, 238.0507882), // U
    element(v1(-1), 5, 237.0, 236.04657), // Np
    element(v1(-1), 6, 244.0, 238.0495599), // Pu
    element(v1(-1), 7, 243.0, 241.0568291), // Am
    element(v1(-1), 8, 247.0, 243.0613891), // Cm
    element(v1(-1), 9, 247.0, 247.070307), // Bk
    element(v1(-1), 10, 251.0, 249.0748535), // Cf
    element(v1(-1), 11, 252.0, 252.08298), // Es
    element(v1(-1), 12, 257.0, 257.095105), // Fm
    element(v1(-1), 13, 258.0, 258.098431), // Md
    element(v1(-1), 14, 259.0, 259.10103), // No
    element(v1(-1), 15, 262.0, 262.10963), // Lr
    element(v1(-1), 2, 267.0, 267.12153), // Rf
    element(v1(-1), 2, 268.0, 268.12545), // Db
    element(v1(-1), 2, 269.0, 271.13347), // Sg
    element(v1(-1), 2, 270.0, 270.13362), // Bh
    element(v1(-1), 2, 269.0, 269.13406), // Hs
    element(v1(-1), 2, 278.0, 278.15481), // Mt
    element(v1(-1), 2, 281.0, 281.16206), // Ds
    element(v1(-1), 2, 281.0, 281.16537), // Rg
    element(v1(-1), 2, 285.0, 285.17411), // Cn
    element(v1(-1), 2, 284.0, 284.17873), // Nh
    element(v1(-1), 2, 289.0, 289.19042), // Fl
    element(v1(-1), 2, 288.0, 288.19274), // Mc
    element(v1(-1), 2, 293.0, 293.20449), // Lv
    element(v1(-1), 2, 292.0, 292.20746), // Ts
    element(v1(-1), 2, 294.0, 294.21392), // Og
];
