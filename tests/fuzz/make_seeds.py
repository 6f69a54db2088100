#!/usr/bin/env python3
"""Writes the first inputs of the fuzzers: tests/fuzz/make_seeds.py FOLDER makes FOLDER/{molden,fchk,wfx,wfn,
json,trexio,file} and FOLDER/{toml,layouts,stars,star_tables,fits,selection,maps,options} for fuzz_parameters (twice), fuzz_stars (three times),
fuzz_selection (twice) and fuzz_options.

Small texts with every kind of shell, spin and unit, and of model and setting, that the readers know; the
numbers mean nothing."""

import gzip
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import fits_files  # noqa: E402
import likelihood_files  # noqa: E402

SPHERICAL_TAGS = ("", "[5D]\n", "[5D7F]\n[9G]\n[11H]\n", "[5d10f]\n", "[7F]\n")
SHELLS = ("s", "sp", "p", "d", "f", "g", "h")
FUNCTIONS = {"s": (1, 1), "sp": (4, 4), "p": (3, 3), "d": (6, 5), "f": (10, 7), "g": (15, 9), "h": (21, 11)}


def molden(shells, tags, unit, beta, before_basis=""):
    text = f"[Molden Format]\n[Title]\n a title\n[Atoms] {unit}\n O 1 8 0.0 0.0 0.25\n H 2 1 0.0 1.5 -0.5\n"
    text += f"{before_basis}[GTO]\n 1 0\n"
    for kind in shells:
        text += f" {kind} 2 1.00\n 10.0 0.4{' 0.2' if kind == 'sp' else ''}\n 2.0D+00 0.7{' 0.1' if kind == 'sp' else ''}\n"
    text += f"\n 2 0\n s 1 1.00\n 0.5 1.0\n\n{tags}[MO]\n"
    spherical = {"d": "5D" in tags.upper(), "f": "5D]" in tags or "7F" in tags, "g": "9G" in tags, "h": True}
    count = 1 + sum(FUNCTIONS[kind][1 if spherical.get(kind) else 0] for kind in shells)
    for spin in ("Alpha", "Beta") if beta else ("Alpha",):
        text += f" Sym= 1A1\n Ene= -0.5\n Spin= {spin}\n Occup= 1.0\n"
        text += "".join(f" {k} 0.{k}\n" for k in range(1, count + 1) if k % 4 != 3)
    return text


def fchk():
    def scalar(name, value):
        return f"{name:<40}   I     {value:12d}\n"

    def array(name, kind, values):
        columns, form = (6, "{:12d}") if kind == "I" else (5, "{:16.8E}")
        text = f"{name:<40}   {kind}   N={len(values):12d}\n"
        for start in range(0, len(values), columns):
            text += "".join(form.format(value) for value in values[start:start + columns]) + "\n"
        return text

    types = (0, -1, 1, -2, 2, 3, -3, 4)
    sizes = {0: 1, -1: 4, 1: 3, -2: 5, 2: 6, 3: 10, -3: 7, 4: 15}
    functions = sum(sizes[kind] for kind in types)
    text = "a title\nSP        UHF                    STO-3G\n"
    text += scalar("Number of atoms", 2) + scalar("Number of electrons", 3)
    text += scalar("Number of alpha electrons", 2) + scalar("Number of beta electrons", 1)
    text += scalar("Number of basis functions", functions)
    text += scalar("Number of independent functions", 2)
    text += array("Atomic numbers", "I", (8, 1)) + array("Nuclear charges", "R", (8.0, 1.0))
    text += array("Current cartesian coordinates", "R", (0.0, 0.0, 0.5, 0.0, 1.5, -0.5))
    text += array("Shell types", "I", types)
    text += array("Number of primitives per shell", "I", [1] * len(types))
    text += array("Shell to atom map", "I", [1 + i % 2 for i in range(len(types))])
    text += array("Primitive exponents", "R", [0.5 + i for i in range(len(types))])
    text += array("Contraction coefficients", "R", [1.0] * len(types))
    text += array("P(S=P) Contraction coefficients", "R", [0.5] * len(types))
    for spin in ("Alpha", "Beta"):
        text += array(f"{spin} Orbital Energies", "R", (-0.5, 0.5))
        text += array(f"{spin} MO coefficients", "R", [0.1] * (2 * functions))
    text += scalar("Number of translation vectors", 2)
    text += array("Translation vectors", "R", (9.0, 0.0, 0.0, 1.0, 8.0, 0.0))
    text += scalar("Excited state NLR", 1) + scalar("Number of g2e trans dens", 1)
    text += array("G to E trans densities", "R", [0.01] * (2 * functions ** 2))
    return text + array("Total SCF Density", "R", [0.01] * (functions * (functions + 1) // 2))


def wfx():
    def tag(name, body):
        return f"<{name}>\n {body}\n</{name}>\n"

    orbitals = "".join(f"<MO Number>\n {i}\n</MO Number>\n 0.1 0.2 0.3 0.4 0.5\n 0.6 0.7 0.8\n" for i in (1, 2))
    return (tag("Title", "two atoms") + tag("Number of Nuclei", "2") + tag("Nuclear Names", "C1\n H2") +
            tag("Atomic Numbers", "6\n 1") + tag("Nuclear Cartesian Coordinates", "0 0 0.5\n 1 0 0") +
            tag("Primitive Centers", "1 2 1 1 1\n 1 1 1") + tag("Primitive Types", "1 1 3 9 14\n 17 34 1") +
            tag("Primitive Exponents", "1.1 0.4 0.7 0.9 0.8\n 0.8 0.6 1.1D+00") +
            tag("Molecular Orbital Occupation Numbers", "1.0\n 1.0") +
            tag("Molecular Orbital Energies", "-1.0\n -0.5") +
            tag("Molecular Orbital Spin Types", "Alpha\n Beta") +
            tag("Molecular Orbital Primitive Coefficients", orbitals.rstrip()) +
            tag("Number of Translation Vectors", "1") + tag("Translation Vectors", "9 0 0"))


def wfn():
    orbitals = "".join(f"MO    {i}     MO 0.0        OCC NO =    1.0000000  ORB. ENERGY =   -{i}.500000\n"
                       "  0.10000000D+00 -0.20000000D+00 0.3 0.4 0.5\n 0.6 0.7 0.8\n" for i in (1, 2))
    return ("two atoms\nGAUSSIAN              2 MOL ORBITALS      8 PRIMITIVES        2 NUCLEI\n"
            "  C    1    (CENTRE  1)   0.00000000  0.00000000  0.50000000  CHARGE =  6.0\n"
            "  H    2    (CENTRE  2)   1.00000000-10.25000000-20.50000000  CHARGE =  1.0\n"
            "CENTRE ASSIGNMENTS    1  2  1  1  1\nCENTRE ASSIGNMENTS    1  1  1\n"
            "TYPE ASSIGNMENTS      1  1  3  9 14 17 34 51\nEXPONENTS  0.1100000D+01 0.4000000D+00 0.7\n"
            "EXPONENTS  0.9 0.8 0.8 0.6 0.5\n" + orbitals +
            "END DATA\n THE  HF ENERGY =    -74.965901192180 THE VIRIAL(-V/T)=   2.00600662\n")


def trexio(cartesian):
    degrees, atoms = (0, 1, 2, 3, 0), (0, 0, 0, 0, 1)
    sizes = [(l + 1) * (l + 2) // 2 if cartesian else 2 * l + 1 for l in degrees]
    functions = sum(sizes)
    arrays = {"nucleus_charge": (8, 1), "nucleus_coord": (0, 0, 0.5, 0, 1.5, -0.5), "nucleus_label": ("O", "H"),
              "basis_nucleus_index": atoms, "basis_shell_ang_mom": degrees, "basis_shell_factor": [1] * 5,
              "basis_r_power": [0] * 5, "basis_shell_index": (0, 0, 1, 2, 3, 4),
              "basis_exponent": (3, 0.7, 0.6, 1, 1.2, 0.5), "basis_coefficient": [1] * 6,
              "basis_prim_factor": (0.9, 0.8, 0.7, 0.6, 0.5, 0.4), "ecp_z_core": (2, 0),
              "ao_shell": [s for s, size in enumerate(sizes) for _ in range(size)],
              "ao_normalization": [1] * functions, "mo_coefficient": [0.1] * (2 * functions),
              "mo_occupation": (1, 1), "mo_energy": (-0.5, 0.5), "mo_spin": (0, 1), "mo_symmetry": ("A1", "B1"),
              "rdm_one_e" if cartesian else "rdm_1e": (1.5, 0.3, 0.3, 0.5),
              "rdm_1e_transition": [0.1 * k for k in range(16)]}
    text = "".join(f"rank_{name} 1\ndims_{name} 0 {len(values)}\n" for name, values in arrays.items())
    for name, value in (("nucleus_num", 2), ("basis_prim_num", 6), ("basis_shell_num", 5), ("mo_num", 2),
                        ("ao_cartesian", int(cartesian)), ("ao_num", functions), ("electron_up_num", 2),
                        ("electron_dn_num", 1), ("pbc_periodic", int(cartesian))):
        text += f"{name}_isSet 1\n{name} {value}\n"
    text += "len_basis_type 9\nbasis_type\nGaussian\n"
    return text + "".join(f"{name}\n" + "".join(f"{value}\n" for value in values) for name, values in arrays.items())


def qcschema(restricted):
    kinds = ((0, "spherical"), (1, "spherical"), (2, "spherical"), (2, "cartesian"), (3, "cartesian"))
    shells = [{"angular_momentum": [l], "harmonic_type": kind, "exponents": [3.0, "0.7"], "coefficients": [[0.5, 0.6]]}
              for l, kind in kinds]
    shells.append({"angular_momentum": [0, 1], "harmonic_type": "spherical", "exponents": [1.1],
                   "coefficients": [[1.0], [1.0]]})
    centers = {"O": {"electron_shells": shells, "ecp_electrons": 2}, "H": {"electron_shells": shells[:1]}}
    wavefunction = {"basis": {"center_data": centers, "atom_map": ["O", "H"]}, "restricted": restricted,
                    "orbitals_a": "scf_orbitals_a"}
    for spin in "a" if restricted else "ab":
        wavefunction |= {f"scf_orbitals_{spin}": [[0.1, 0.2]] * 30, f"scf_eigenvalues_{spin}": [-0.5, 0.5],
                         f"scf_occupations_{spin}": [1, 0]}
    return json.dumps({"schema_name": "qcschema_output", "wavefunction": wavefunction,
                       "molecule": {"symbols": ["O", "H"], "geometry": [0, 0, 0.5, 0, 1.5, -0.5],
                                    "real": [True, not restricted]}})


def orca():
    def atom(label, charge, shells):
        return {"ElementLabel": label, "NuclearCharge": charge, "Coords": [0, 0.1 * charge, -0.5], "ECPs": {"N_core": 0},
                "Basis": [{"Shell": shell, "Exponents": [3.0, 0.7], "Coefficients": [0.5, 0.6]} for shell in shells]}

    orbitals = [{"MOCoefficients": [0.1] * 26, "Occupancy": 1, "OrbitalEnergy": -0.5, "OrbitalSymLabel": "A1"}] * 2
    return json.dumps({"Molecule": {"Atoms": [atom("O", 8, "spdfg"), atom("H", 1, "s")], "HFTyp": "UHF",
                                    "CoordinateUnits": "Angs", "MolecularOrbitals": {"MOs": orbitals}}})


FIT = """
[fit]
method = "particle-swarm"
start = "file"
population = 24
generations = 30
starts = 2
variations = 1
seed = 7
tolerance = 1e-6
free = ["background.q", "stream1.mu", "stream1.sigma", "stream2.epsilon"]
[fit.bounds]
"background.q" = [0.3, 1.0]
"stream1.sigma" = [0.3, 10]
"""
PRIOR = """
[prior]
"background.q" = { distribution = "truncated-normal", mean = 0.6, sd = 0.1, lower = 0.3, upper = 1.0 }
"stream1.mu" = { distribution = "normal", mean = 32, sd = 2 }
"stream1.sigma" = { distribution = "log-uniform", lower = 0.3, upper = 10 }
"stream2.epsilon" = { distribution = "uniform", lower = -4, upper = 2 }
"""


def models():
    for later in (False, True):
        for streams in (0, 1, 2):
            yield likelihood_files.model(82, streams, cut=streams > 0, later=later)
    power_law = likelihood_files.model(79, 1, later=True)
    power_law["background"].update(alpha=2.5, delta=3.6)
    yield power_law


OWN_PROFILES = ('profile = "nfw", q = 0.7, r0 = 18, alpha = 1.1', 'profile = "einasto", q = 0.7, r0 = 18, alpha = 0.6',
                'profile = "continuous-broken-power-law", q = 0.7, r0 = 25, alpha = 2.3, delta = 4.6',
                'profile = "nfw", q = 0.7, r0 = 18, p = 0.8, yaw = -24, pitch = 25, roll = 3',
                'q = 0.6, thin = 196, thin_length = 2.6, thin_height = 0.3, thick = 23.5, thick_length = 3.6, '
                'thick_height = 0.9')


def stream_seeds():
    tomls = [likelihood_files.toml(model) for model in models()]
    tomls[-1] = tomls[-1].replace("background = {", 'background = { profile = "broken-power-law",')
    tomls += [text + FIT + PRIOR for text in tomls if text.count("[[stream]]") == 2]
    tomls += [re.sub("background = {.*}", f"background = {{ {own} }}", tomls[1]) for own in OWN_PROFILES]
    lines = "mu = .*\nr = .*\ntheta = .*\nphi = .*\n"
    for track in ("{ xyz = [[-16.4, -16, 16], [-11.8, -11.9, 16.4], [-0.9, -8.5, 21.1]] }\nfirst_across = 0.3",
                  "{ lbr = [[20, 60, 10], [40, 55, 9.1]] }\nlast_away = -0.2", '{ file = "track.csv" }'):
        tomls.append(re.sub(lines, f"track = {track}\n", tomls[1], count=1))
    tomls.append(tomls[1].replace("r0 = 12.0", "r0 = 12.0, a = 1e-6, b = -2e-5, c = 5e-4"))
    return {"toml": tomls, "layouts": [likelihood_files.text(model) for model in models()],
            "stars": [likelihood_files.stars(1), likelihood_files.stars(20), "2\r\n-360 +90 1e-3\r\n\t0 0 .5\r\n"]}


ECSV = """# %ECSV 1.0
# ---
# datatype:
# - {name: id, datatype: string, description: 'a, {b}'}
# - {name: at.l, unit: deg, datatype: float64}
# - name: "b"
#   unit: rad
# - {name: r, unit: pc, datatype: float64}
# delimiter: ','
# meta: !!omap
# - comments: [x]
id,at.l,b,r
"a ""b"" c",120.5,-0.5,23.5
"""


def table_seeds():
    columns = [("l", "deg", "D", [10.0, 20.0]), ("b", "", "E", [1.0, -80.0]), ("r", "kpc", "D", [3.5, 40.0])]
    return {"star_tables": [ECSV, ECSV.replace("# delimiter: ','\n", "").replace(",", " "), "l,b,r\n1,2,3\n",
                            "# GLON GLAT distance\n1 2 3\n", "R\tid\tB\tL\n3\t\t2\t1\r\n", "1;2;3\n\"4\"; 5;6\n"],
            "fits": [fits_files.table(columns), fits_files.table(columns)[:6979], fits_files.table([("mag", "", "E", [20.0]), *[
                (name, unit, kind, values[:1]) for name, unit, kind, values in columns]])],
            "selection": ["mu_min,mu_max,nu_min,nu_max,r_min,r_max,completeness\n0,2,-1,1,16,20,0.5\n2,300,-1,1,16,22,1\n",
                          "# x\nnu_max,nu_min,mu_min,mu_max,completeness\n1,-1,350,365,0.25\n", "pixel,completeness\n3,1\n191,0.5\n"],
            "maps": [fits_files.table([("S", "", "D", [0.5] * 12)]), fits_files.table([("PIXEL", "", "D", [3.0, 40.0]),
                                                                                   ("S", "", "E", [0.25, 1.0])])],
            "options": ['receptor = "a.pdb"\nrotations = 600\nspacing = 1.5\nquiet = true\nchains = ["A", "B"]\n',
                        'name = "\u00e4\\\\ \\"x\\""\nempty = ""\nlarge = 1e300\n']}


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: make_seeds.py FOLDER")
    seeds = {"molden": [], "fchk": [fchk(), fchk() + "\n"], "wfx": [wfx()], "wfn": [wfn()],
             "trexio": [text + "\n" * k for text in (trexio(False), trexio(True)) for k in range(4)], "json": [qcschema(False), qcschema(True), orca()]}
    for tags in SPHERICAL_TAGS:  # Molden has no Cartesian h functions
        seeds["molden"].append(molden(SHELLS if "11H" in tags else SHELLS[:-1], tags, "(AU)", False))
    seeds["molden"].append(molden(("s", "sp"), "", "Angs", True))
    seeds["molden"].append(molden(("s",), "", "AU", False) * 2)
    for cell in ("[Cell] (AU)\n 9 0 0\n 1 8 0\n -0.5 2 7.0D+00\n", "[Cell] Angs\n 0 3 3\n 3 0 3\n\n 3 3 0\n"):
        seeds["molden"].append(molden(("s", "p", "d"), "[5D]\n", "AU", False, cell))
    for cores in ("[Core]\n 1 : 2\n H: 0\n", "[Pseudo]\n O 1 6\n[Nval]\n O 6\n H 1\n"):
        seeds["molden"].append(molden(("s", "p"), "", "AU", False, cores))
    all_texts = [text.encode() for texts in seeds.values() for text in texts]
    seeds["file"] = all_texts + [gzip.compress(text, mtime=0) for text in all_texts[-3:]]
    seeds.update(stream_seeds())
    seeds.update(table_seeds())
    for name, texts in seeds.items():
        folder = pathlib.Path(sys.argv[1]) / name
        folder.mkdir(parents=True, exist_ok=True)
        for number, text in enumerate(texts):
            (folder / f"seed{number}").write_bytes(text if isinstance(text, bytes) else text.encode())


if __name__ == "__main__":
    main()
