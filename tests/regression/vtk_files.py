#!/usr/bin/env python3
"""Grids as VTK images, in XML and in HDF5: they hold all values of the result, and VTK reads the same where it is
installed (pip install vtk). Usage: vtk_files.py PATH/OF/tessera"""

import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tessera_runs import SKIPPED, check, run  # noqa: E402

try:
    import h5py
    import numpy
except ImportError:
    print("skipped: no numpy and h5py")
    sys.exit(SKIPPED)
try:
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonCore import vtkDataArray
    from vtkmodules.vtkIOHDF import vtkHDFReader
    from vtkmodules.vtkIOXML import vtkXMLImageDataReader
except ImportError:
    vtk_to_numpy = None

WATER = pathlib.Path(__file__).resolve().parent.parent.parent / "examples/water.molden"
BOHR = 0.529177210903  # Angstrom


def numbers(text, name):
    return numpy.array(re.search(rf'{name}="([^"]*)"', text)[1].split(), dtype=float)


def read_vti(path):
    """Values [z, y, x], origin, spacing, name and units, by numpy alone."""
    head, body = path.read_bytes().split(b'<AppendedData encoding="raw">\n_', 1)
    text = head.decode()
    kind = re.search(r'type="(Float\d\d)" Name="([^"]*)"', text)
    size = int.from_bytes(body[:8], "little")
    check(body[8 + size:] == b"\n</AppendedData>\n</VTKFile>\n", f"{path.name}: the end is {body[8 + size:]}")
    shape = numbers(text, "WholeExtent")[1::2].astype(int) + 1
    values = numpy.frombuffer(body[8:8 + size], {"Float32": "<f4", "Float64": "<f8"}[kind[1]])
    check("97 110 103 115 116 114 111 109 0<" in text, f"{path.name}: no unit of lengths")
    return (values.reshape(shape[::-1]), numbers(text, "Origin"), numbers(text, "Spacing"), kind[2],
            re.search("vtkDataArray\">([^<]*)<", text)[1])


def read_vtkhdf(path):
    with h5py.File(path) as file:
        image = file["VTKHDF"]
        check(image.attrs["Type"] == b"ImageData" and image.attrs["length_units"] == "angstrom", f"{path.name}: type")
        name = image["PointData"].attrs["Scalars"].decode()
        values = image["PointData"][name]
        check((image.attrs["WholeExtent"][1::2] + 1).tolist() == list(values.shape[::-1]), f"{path.name}: extent")
        return values[...], image.attrs["Origin"], image.attrs["Spacing"], name, values.attrs["units"]


def read_by_vtk(path):
    reader = vtkXMLImageDataReader() if path.suffix == ".vti" else vtkHDFReader()
    reader.SetFileName(str(path))
    reader.Update()
    image = reader.GetOutput()
    array = image.GetPointData().GetArray(0)
    check(array is not None, f"{path.name}: VTK reads no values")
    if path.suffix == ".vti":
        units = array.GetInformation().Get(vtkDataArray.UNITS_LABEL())
        lengths = image.GetFieldData().GetAbstractArray("length_units").GetValue(0)
        check(lengths == "angstrom", f"{path.name}: lengths in {lengths}")
    else:
        units = None
    values = vtk_to_numpy(array).reshape(image.GetDimensions()[::-1])
    return values, image.GetOrigin(), image.GetSpacing(), array.GetName(), units


def check_file(path, stored, orbitals, name):
    readers = [read_vti if path.suffix == ".vti" else read_vtkhdf] + [read_by_vtk] * bool(vtk_to_numpy)
    for read in readers:
        values, origin, spacing, found, units = read(path)
        where = f"{path.name} by {read.__name__}"
        check(values.dtype == stored.dtype and numpy.array_equal(values, stored), f"{where}: other values")
        check(numpy.allclose(origin, orbitals["origin"][0] * BOHR, rtol=1e-15, atol=0), f"{where}: origin {origin}")
        check(numpy.allclose(spacing, orbitals["spacing"][...] * BOHR, rtol=1e-15, atol=0), f"{where}: {spacing}")
        check(found == name, f"{where}: named {found}")
        check(units in (None, "bohr^-3/2" if name == "HOMO" else "bohr^-3"), f"{where}: in {units}")


def check_values(program, folder, precision):
    result = folder / f"{precision}.h5"
    made = run(program, "orbital", WATER, "--orbitals", "HOMO", "--density", "--spacing", "0.3,0.25,0.2", "--precision",
               precision, "-o", result, "--quiet", "--device", "openmp")
    check(made.returncode == 0, made.stderr)
    made = run(program, "export", result, "--vti", folder / precision, "--vtkhdf", folder / precision)
    check(made.returncode == 0, made.stderr)
    check(len(list((folder / precision).iterdir())) == 4, "not two files of each format")
    with h5py.File(result) as file:
        for kind in ("vti", "vtkhdf"):
            check_file(folder / precision / f"HOMO.{kind}", file["orbitals/values"][0, 0], file["orbitals"], "HOMO")
            check_file(folder / precision / f"density.{kind}", file["density/values"][0], file["orbitals"], "density")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="tessera-vtk-") as name:
        for precision in ("single", "double"):
            check_values(program, pathlib.Path(name), precision)
    print("the values are the result's", "and VTK reads them" if vtk_to_numpy else "(VTK is not installed)")


main()
