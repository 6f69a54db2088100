"""A small result of every workload, and the commands that read it."""

import likelihood_files
import small_runs
import tessera_runs

DOCK = ("dock", "receptor.pdb", "ligand.pdb", "--rotation-file", "few.rot", "--spacing", "2", "--refine", "20",
        "--duplicate-radius", "0", "--report", "0")
ORBITAL = ("orbital", small_runs.WATER, "--orbitals", "HOMO,LUMO", "--spacing", "0.8", "--density", "--grids",
           "--isosurface", "0.05", "--vertex-field", "density", "--report", "0")
COMBINED = ("--combine", "pair = orbital(HOMO)*orbital(LUMO)", "--combine", "mixed = orbital(HOMO) - 2*orbital(LUMO)",
            "--combine", "half = density/2")
RUNS = {"dock": DOCK, "orbital": (*ORBITAL, *COMBINED, "--mean-density"), "packed": (*ORBITAL, "--compress", "6"),
        "likelihood": ("likelihood", "0.toml", "1.toml", "--stars", "0.stars", "1.stars", "--memberships"),
        "fit": ("fit", "1.toml", "--stars", "1.stars", "--population", "8", "--generations", "2", "--variations", "0",
                "--tolerance", "1e-2", "--memberships"),
        "sample": ("sample", "1.toml", "--stars", "1.stars", "--chains", "2", "--warmup", "10", "--draws", "8",
                   "--max-depth", "3", "--tolerance", "1e-4", "--free", "stream1.mu,stream1.sigma")}
INFO, JSON, TABLE = ("info", "bad.h5"), ("info", "bad.h5", "--json"), ("table", "bad.h5")
REPORT = ("report", "bad.h5", "-o", "out.html")
READERS = {"dock": {"info": INFO, "table": TABLE, "report": REPORT, "sets": (*TABLE, "--set", "balanced,vdw"),
                    "poses": ("export", "bad.h5", "--poses", "3", "models"),
                    "zdock": ("export", "bad.h5", "--zdock", "poses.out"),
                    "clusters": ("export", "bad.h5", "--clusters", "3", "--multi-model", "-o", "top.cif"),
                    "rescore": ("rescore", "bad.h5", "--clusters", "3", "-o", "again.h5"),
                    "thin": ("rescore", "bad.h5", "--duplicate-radius", "4", "-o", "again.h5")},
           "orbital": {"info": INFO, "table": TABLE, "report": REPORT, "cube": ("export", "bad.h5", "--cube", "out"),
                       "mesh": ("export", "bad.h5", "--mesh", "out")},
           "packed": {"info": JSON, "dx": ("export", "bad.h5", "--dx", "out")},
           "likelihood": {"info": JSON, "table": TABLE, "report": REPORT},
           "fit": {"info": JSON, "table": TABLE, "stars": (*TABLE, "--stars"), "report": REPORT},
           "sample": {"info": JSON, "table": TABLE, "draws": (*TABLE, "--draws"), "report": REPORT}}


def make(program, folder, names=tuple(RUNS)):
    """Writes NAME.h5 of the runs, and what all runs need, into the folder."""
    tessera_runs.write_pair(folder)
    tessera_runs.write_rotations(folder / "few.rot", 6, 2)
    for number, (wedge, streams) in enumerate(((82, 2), (79, 1))):
        model = likelihood_files.model(wedge, streams, cut=number == 0)
        (folder / f"{number}.toml").write_text(likelihood_files.toml(model))
        (folder / f"{number}.stars").write_text(likelihood_files.stars(60, number, wedge))
    for name in names:
        made = tessera_runs.run(program, *RUNS[name], "-o", f"{name}.h5", "--device", small_runs.device(), cwd=folder)
        tessera_runs.check(made.returncode == 0, f"{name}: {made.stderr}")
