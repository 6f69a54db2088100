"""Damage to results that has a name: what is done to which of the small results, who refuses it, in what words."""

import h5py
import numpy


def without_program(file):
    del file.attrs["program"]


def unfinished(file):
    file.attrs["complete"] = 0


def without(path):
    def damage(file):
        del file[path]
    return damage


def rotation_beyond(file):
    file["docking/poses/balanced/rotation"][0] = 99


def unreadable_input(file):
    file["run"].attrs["input"] = "not JSON"


def other_input(file):
    file["run"].attrs["input"] = '{"ligand": 3}'


def put(path, value):
    """Sets an attribute (NODE@NAME), or the first values of a dataset."""
    def damage(file):
        node, _, name = path.partition("@")
        if name:
            file[node].attrs[name] = value
        else:
            values = file[node][()]
            values[(0,) * (values.ndim - numpy.ndim(value))] = value
            file[node][...] = values
    return damage


def instead(path, **how):
    """Another dataset in its place."""
    def damage(file):
        del file[path]
        file.create_dataset(path, **how)
    return damage


def wide_ranks(file):
    instead(RANKS, shape=(1, 200000), dtype=file[RANKS].dtype)(file)


def linked(path, link):
    def damage(file):
        del file[path]
        file[path] = link
    return damage


def virtual(file):
    layout = h5py.VirtualLayout(shape=file[SCORE].shape, dtype="f8")
    layout[...] = h5py.VirtualSource("run.h5", SCORE, shape=file[SCORE].shape)
    del file[SCORE]
    file.create_virtual_dataset(SCORE, layout)


def hole(file):
    instead(SCORE, shape=(2**28,), dtype="f8")(file)
    file[SCORE][-1] = 1


def one_string_often(file):
    """A megabyte that a table of references makes a hundred gigabytes."""
    count = 100000
    instead("orbitals/labels", shape=(count,), dtype=h5py.string_dtype(), chunks=(count,))(file)
    file["orbitals/labels"][0] = "x" * 1000000
    file.flush()
    raw = file["orbitals/labels"].id.read_direct_chunk((0,))[1]
    file["orbitals/labels"].id.write_direct_chunk((0,), raw[:16] * count)
    for name in ("norm", "energies", "occupations", "computed_in_double"):
        instead(f"orbitals/{name}", data=numpy.zeros((1, count), "i1"))(file)


DOCKED = ("info", "poses", "zdock", "rescore")
VALUES = ("table", "poses", "zdock", "rescore")  # info sees that poses are there, but reads neither them nor atoms
PAGES = ("info", "cube")
SCORE, RANKS, BEST = "docking/poses/balanced/score", "run/ranks", "docking/consensus"
ATOMS = "docking/ligand/atoms"
INFINITE, NOT_A_NUMBER = float("inf"), float("nan")

# Which result, what is done to it, commands that refuse it, words of the line.
DAMAGE = [
    ("dock", without_program, DOCKED, "another program"),
    ("dock", unfinished, DOCKED, "complete"),
    ("dock", without("docking/rotations"), DOCKED, "rotations"),
    ("dock", rotation_beyond, VALUES, "is 99, not between 0 and 5"),
    ("dock", unreadable_input, DOCKED[1:], "/run/input"),
    ("dock", other_input, DOCKED[1:], "/run/input"),
    # What HDF5 would let in: more than is there, other files, other types.
    ("dock", wide_ranks, ("info", "rescore"), "not a table"),
    ("dock", instead(RANKS, data=numpy.zeros(3, [("host", "f8")])), ("info",), "column 'host'"),
    ("dock", instead(RANKS, data=numpy.zeros(3)), ("info",), "not a table"),
    ("dock", instead(RANKS, shape=(2**60,), dtype=[("tiles_done", "i1")], chunks=(1,)), ("info",), "not all of its"),
    ("dock", instead(SCORE, shape=(2**28,), dtype="f8", chunks=(1024,)), DOCKED, "instead of 268435456"),
    ("dock", instead("docking/rotations", shape=(2**28, 4), dtype="f8", chunks=(1024, 4)), DOCKED, "not all of its"),
    ("dock", instead("docking/rotations", shape=(2**59, 4), dtype="f8", chunks=(1024, 4)), DOCKED, "not all of its"),
    ("dock", instead("docking/rotations", data=numpy.zeros((2**22, 4)), compression="gzip"), ("table",), "claims"),
    ("dock", hole, DOCKED, "instead of 268435456"),
    ("dock", instead("docking/receptor_center", shape=(3,), dtype="f8", external=[("/etc/passwd", 0, 24)]), ("info",),
     "another file"),
    ("dock", virtual, ("info",), "another file"),
    ("dock", linked("docking/rotations", h5py.SoftLink("/docking/rotations")), ("info",), "a link"),
    ("dock", linked("docking", h5py.ExternalLink("dock.h5", "/docking")), DOCKED, "a link"),
    ("dock", instead("docking/ligand_center", data=numpy.ones(3), chunks=(3,), compression="lzf"), ("info",), "filter"),
    ("dock", instead("docking/ligand_center", shape=(3,), dtype=h5py.ref_dtype), ("info",), "another type"),
    ("dock", put("docking@sets", numpy.bytes_(b"bal\0anced")), ("info",), "zero byte"),
    ("dock", put("docking@sets", numpy.void(b"balanced")), ("info",), "not text"),
    ("dock", put("docking@grid", numpy.array([48, 48])), ("info",), "2 values"),
    ("orbital", one_string_often, ("info",), "labels"),
    # Clusters, which exports of their centres read.
    ("dock", put(f"{BEST}/clusters/center", 2**40), ("clusters",), "is 1099511627776, not between 0"),
    ("dock", put(f"{BEST}/clusters/members", -1), ("clusters",), "is -1, not between 0"),
    ("dock", put(f"{BEST}/clusters/size", 10**6), ("clusters",), "is 1000000, not between 1"),
    ("dock", put(f"{BEST}/clusters/size", 0), ("clusters",), "is 0, not between 1"),
    ("dock", instead("docking/clusters/balanced/members", data=numpy.zeros((2, 2), "i8")), ("clusters",), "2 axes"),
    ("dock", without(f"{BEST}/clusters"), ("clusters",), "clusters"),
    # The atoms of the partners.
    ("dock", linked("docking/ligand", h5py.SoftLink("/docking/receptor")), VALUES, "a link"),
    ("dock", without("docking/receptor/atoms"), VALUES, "receptor"),
    ("dock", without("docking/ligand"), VALUES, "ligand"),
    ("dock", instead(f"{ATOMS}/position", shape=(0, 3), dtype="f8"), VALUES, "no atoms"),
    ("dock", instead(f"{ATOMS}/position", shape=(2**28, 3), dtype="f8", chunks=(1024, 3)), VALUES, "not all of its"),
    ("dock", instead(f"{ATOMS}/chain", data=numpy.zeros(3, "i4")), VALUES, "3 values instead of"),
    ("dock", instead(f"{ATOMS}/texts", data=["A\x1b[2J"], dtype=h5py.string_dtype()), VALUES, "characters that no name"),
    ("dock", instead(f"{ATOMS}/texts", data=["A\nATOM"] * 99, dtype=h5py.string_dtype()), VALUES, "characters that no"),
    ("dock", instead(f"{ATOMS}/texts", data=["x" * 65] * 99, dtype=h5py.string_dtype()), VALUES, "too long"),
    ("dock", put(f"{ATOMS}/chain", 9999), VALUES, "is 9999, not between 0"),
    ("dock", put(f"{ATOMS}/element", -1), VALUES, "is -1, not between 0"),
    ("dock", put(f"{ATOMS}/insertion_code", 10), VALUES, "is 10, not between 32"),
    ("dock", put(f"{ATOMS}/segment", 1), VALUES, "count from 0"),
    ("dock", put(f"{ATOMS}/residue_index", 2**31 - 1), VALUES, "count from 0"),
    ("dock", put(f"{ATOMS}/position", NOT_A_NUMBER), VALUES, "is nan"),
    ("dock", put(f"{ATOMS}/position", 1e300), VALUES, "10\\^5 A"),
    ("dock", put(f"{ATOMS}/b_factor", INFINITE), VALUES, "is inf"),
    # Values that no run writes.
    ("dock", put("docking@grid", 0), DOCKED, "is 0, not between 1 and 1024"),
    ("dock", put("docking@grid", 2**40), DOCKED, "not between 1 and 1024"),
    ("dock", put("docking@spacing_angstrom", NOT_A_NUMBER), DOCKED, "is nan"),
    ("dock", put("docking@sets", ["balanced", "balanced"]), DOCKED, "twice"),
    ("dock", put("docking@sets", ["consensus"]), DOCKED, "name of the consensus"),
    ("dock", put(SCORE, NOT_A_NUMBER), DOCKED, "is nan"),
    ("dock", put(SCORE, 1e9), VALUES, "ascending"),
    ("dock", put("docking/rotations", (0.0, 0.0, 0.0, 0.0)), VALUES, "not a rotation"),
    ("dock", put("docking/poses/balanced/voxel", -1), VALUES, "is -1"),
    ("dock", put("docking/poses/balanced@weights", [1.0] * 3), DOCKED, "3 values instead of 4"),
    ("dock", put(f"{BEST}/set", 99), VALUES, "is 99, not between 0 and 3"),
    ("dock", put(f"{BEST}/rank", -1), VALUES, "is -1"),
    ("dock", put(f"{BEST}/rank", 2**63 - 1), VALUES, "not between"),
    ("dock", put(f"{BEST}/rotation", (NOT_A_NUMBER, 0, 0, 0)), VALUES, "is nan"),
    ("dock", put(f"{BEST}/contact_weights", INFINITE), VALUES, "is inf"),
    ("dock", put("run@tiles_total", -1), ("info", "rescore"), "is -1"),
    ("orbital", put("orbitals/shape", (0, 9, 9)), PAGES, "is 0, not between 1"),
    ("orbital", put("orbitals/shape", (9, -1, 9)), PAGES, "is -1, not between 1"),
    ("orbital", put("orbitals/shape", (2**30, 2**30, 2**30)), PAGES, "too many points"),
    ("orbital", put("orbitals/shape", (9, 9, 9)), ("cube",), "its shape"),
    ("orbital", put("orbitals/spacing", (0.8, 0.0, 0.8)), PAGES, "not positive"),
    ("orbital", put("orbitals/norm", NOT_A_NUMBER), PAGES, "is nan"),
    ("orbital", instead("orbitals/frames", data=numpy.zeros(0, "i8")), PAGES, "empty"),
    ("orbital", instead("orbitals/labels", data=["HOMO"], dtype=h5py.string_dtype()), PAGES,
     "2 values instead of 1"),
    ("orbital", instead("orbitals/labels", data=["density", "LUMO"], dtype=h5py.string_dtype()), ("cube",),
     "have this name"),
    ("orbital", put("isosurfaces/1/HOMO/triangles", (0, 1, 2**31)), ("mesh",), "triangles"),
    ("orbital", put("isosurfaces/1/HOMO@positive_triangles", 2**40), ("mesh",), "positive_triangles"),
    ("orbital", put("isosurfaces/1/HOMO/fields/density", NOT_A_NUMBER), ("mesh",), "is nan"),
    ("orbital", instead("isosurfaces/1/HOMO/fields/density", data=numpy.zeros(3)), ("mesh",), "3 values instead of"),
    ("likelihood", put("likelihood@wedges", 0), ("info",), "is 0, not between 1"),
    ("likelihood", put("likelihood@wedges", 2**40), ("info",), "not between"),
    ("likelihood", put("likelihood/1@number_of_stars", 0), ("info",), "is 0, not between 1"),
    ("likelihood", put("likelihood/2/stream_integrals", NOT_A_NUMBER), ("info",), "is nan"),
    ("fit", instead("fit/lower_bounds", data=numpy.zeros(1)), ("info",), "1 value instead of"),
    ("fit", put("fit@likelihood", INFINITE), ("info",), "is inf"),
    ("sample", put("sample@draws", 0), ("info",), "is 0, not between 1"),
    ("sample", put("sample@chains", 2**40), ("info",), "not between"),
    ("sample", instead("sample/mean", data=numpy.zeros(1)), ("info",), "1 value instead of"),
    ("sample", put("posterior/stream1.mu", NOT_A_NUMBER), ("draws", "report"), "is nan"),
    ("sample", instead("sample_stats/lp", data=numpy.zeros((2, 7))), ("draws", "report"), "instead of"),
]


def packed_again(file):
    """As h5repack and other machines store it."""
    for path in ("docking/rotations", f"{BEST}/terms", "docking/poses/balanced/rotation"):
        data = file[path]
        values, dtype = data[()], data.dtype.newbyteorder(">")
        instead(path, data=values.astype(dtype), chunks=values.shape, compression="gzip", shuffle=True,
                fletcher32=True)(file)
