"""Results of ``tessera orbital``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from tessera.errors import Error
from tessera.optional import require
from tessera.result_file import Result, text, texts

if TYPE_CHECKING:
    import pandas
    import xarray

PER_ORBITAL = {"energies": ("energy", "hartree"), "occupations": ("occupation", "electrons"),
               "norm": ("norm", ""), "numbers": ("number", "")}


class Isosurface(NamedTuple):
    """Triangles of the orbital or density at isovalue, then of those at -isovalue."""

    vertices: numpy.ndarray
    """[V, 3], bohr"""
    normals: numpy.ndarray
    """[V, 3], of unit length, outwards"""
    triangles: numpy.ndarray
    """[T, 3], indices into vertices"""
    isovalue: float
    """bohr^-3/2, of a density bohr^-3"""
    positive_vertices: int
    positive_triangles: int
    fields: dict[str, numpy.ndarray] = {}
    """[V] of each vertex field"""


class OrbitalResult(Result):
    """Orbitals, densities and isosurfaces on grids."""

    @property
    def labels(self) -> list[str]:
        """Labels of the orbitals as they were asked for, such as "HOMO-1" or "3b"."""
        return texts(self._values("orbitals/labels")) if self._has("orbitals/labels") else []

    @property
    def frames(self) -> list[int]:
        """Numbers of the frames, from 1 over all files."""
        for group in ("orbitals", "density", "spin_density"):
            if self._has(f"{group}/frames"):
                return [int(frame) for frame in self._values(f"{group}/frames")]
        raise Error(f"'{self.path}' has no frames (it is damaged): run the command again")

    def orbitals(self, labels: str | list[str] | None = None,
                 frame: int | None = None) -> xarray.DataArray:
        """Values of orbitals, in bohr^-3/2: [frame, orbital, z, y, x].

        Only the chosen `labels` and the chosen `frame` are read; the default is all. A dimension is left out
        where one label or one frame is asked for. Coordinates: x, y, z (bohr), the label of each orbital, its
        spin, energy (hartree), occupation, norm and number in the file, and its symmetry if the file tells
        orbitals apart by it."""
        xarray = require("xarray", "grids")
        wanted = [labels] if isinstance(labels, str) else labels
        orbitals = self._indices(wanted, self.labels, "orbital")
        frames = self._indices(None if frame is None else [frame], self.frames, "frame")
        values = self._grids("orbitals", [(f, o) for f in frames for o in orbitals])
        names = numpy.array(self.labels, dtype=object)[orbitals]
        coordinates = self._axes("orbitals", frames)
        coordinates["orbital"] = ("orbital", names.astype(str))
        coordinates["spin"] = ("orbital", numpy.array(texts(self._values("orbitals/spins")))[orbitals])
        for name, (coordinate, units) in PER_ORBITAL.items():
            if self._has(f"orbitals/{name}"):
                of_all = self._values(f"orbitals/{name}")
                coordinates[coordinate] = (("frame", "orbital"), of_all[numpy.ix_(frames, orbitals)],
                                           {"units": units})
        if self._has("orbitals/symmetries"):
            symmetries = texts(self._values("orbitals/symmetries").ravel())
            of_all = numpy.array(symmetries).reshape(len(self.frames), len(self.labels))
            coordinates["symmetry"] = (("frame", "orbital"), of_all[numpy.ix_(frames, orbitals)])
        array = xarray.DataArray(
            values.reshape(len(frames), len(orbitals), *values.shape[1:]), coordinates,
            ("frame", "orbital", "z", "y", "x"), "orbitals", {"units": "bohr^-3/2"})
        single = {"orbital": 0} if isinstance(labels, str) else {}
        return array.isel(**single, **({} if frame is None else {"frame": 0}))

    def table(self) -> pandas.DataFrame:
        """One row for each orbital, by ``frame`` and ``orbital`` (its label): ``spin``, ``energy`` (hartree),
        ``occupation`` (electrons), ``norm``, ``number`` in the file, and ``symmetry`` if the file has it. Runs without
        grids have it, too."""
        pandas = require("pandas", "tables")
        shape = (len(self.frames), len(self.labels))
        columns = {"spin": numpy.array(texts(self._values("orbitals/spins")) * shape[0], dtype=object)}
        for name, (column, _) in PER_ORBITAL.items():
            if self._has(f"orbitals/{name}"):
                columns[column] = self._values(f"orbitals/{name}").ravel()
        if self._has("orbitals/symmetries"):
            columns["symmetry"] = numpy.array(texts(self._values("orbitals/symmetries").ravel()), dtype=object)
        index = pandas.MultiIndex.from_product([self.frames, self.labels], names=["frame", "orbital"])
        table = pandas.DataFrame(columns, index)
        table.attrs["units"] = {column: units for column, units in PER_ORBITAL.values() if units and column in columns}
        return table

    def overlap_matrix(self, frame: int | None = None) -> pandas.DataFrame:
        """The overlaps of the orbitals of a frame (the first by default) over the grid, by their labels: [N, N]."""
        pandas = require("pandas", "tables")
        if not self._has("orbitals/overlap_matrix"):
            raise Error(f"'{self.path}' has no overlap matrix (its run did not ask for it): "
                        "run tessera orbital with --overlap-matrix")
        place = self._indices([self.frames[0] if frame is None else frame], self.frames, "frame")[0]
        return pandas.DataFrame(self._values("orbitals/overlap_matrix", place), self.labels, self.labels)

    def points(self, frame: int | None = None) -> pandas.DataFrame:
        """The points of ``--points``: x, y, z (bohr), and the electrostatic potential ``esp`` (hartree/e) of a frame
        (the first by default)."""
        pandas = require("pandas", "tables")
        if not self._has("points/positions"):
            raise Error(f"'{self.path}' has no points (its run did not ask for them): "
                        "run tessera orbital with --esp --points FILE")
        place = self._indices([self.frames[0] if frame is None else frame], self.frames, "frame")[0]
        table = pandas.DataFrame({**dict(zip("xyz", self._values("points/positions").T)),
                                  "esp": self._values("points/esp", place)})
        table.index.name = "point"
        table.attrs["units"] = {**dict.fromkeys("xyz", "bohr"), "esp": "hartree/e"}
        return table

    def density(self, frame: int | None = None) -> xarray.DataArray:
        """The electron density in bohr^-3: [frame, z, y, x], or [z, y, x] of one `frame`. Coordinates: x, y, z
        (bohr), and the integral over the grid (electrons)."""
        return self._density("density", "--density", frame)

    def spin_density(self, frame: int | None = None) -> xarray.DataArray:
        """The density of alpha minus that of beta electrons, otherwise as `density`."""
        return self._density("spin_density", "--spin-density", frame)

    def mean_density(self) -> xarray.DataArray:
        """The mean of the electron density over all frames, in bohr^-3: [z, y, x]. Coordinates: x, y, z (bohr)."""
        xarray = require("xarray", "grids")
        self._require_density("mean_density", "--mean-density")
        axes = self._axes("mean_density", [0])
        del axes["frame"]
        return xarray.DataArray(self._values("mean_density/values"), axes, ("z", "y", "x"), "mean_density",
                                {"units": "bohr^-3"})

    @property
    def field_names(self) -> list[str]:
        """The names of the derived fields, such as "laplacian"."""
        held = self.file["fields"] if self._has("fields") else {}
        return [name for name in held if self._has(f"fields/{name}/values")]

    def field(self, name: str, frame: int | None = None) -> xarray.DataArray:
        """A field derived from the density, such as "laplacian" or "elf": [frame, z, y, x], or [z, y, x] of one
        `frame`. "gradient" is [axis, frame, z, y, x] with the axes x, y, z. Coordinates: x, y, z (bohr)."""
        xarray = require("xarray", "grids")
        if name == "gradient":
            parts = [self.field(f"gradient_{axis}", frame) for axis in "xyz"]
            array = xarray.concat(parts, xarray.IndexVariable("axis", list("xyz"))).rename(name)
            return array.assign_attrs(parts[0].attrs)
        if not self._has(f"fields/{name}/values"):
            raise Error(f"'{self.path}' has no field {name} (it has {', '.join(self.field_names) or 'none'}): "
                        "run tessera orbital with --field")
        frames = self._indices(None if frame is None else [frame], self.frames, "frame")
        values = self._grids(f"fields/{name}", [(f,) for f in frames])
        units = text(self._node(f"fields/{name}/values").attrs.get("units", ""))
        array = xarray.DataArray(values, self._axes("fields", frames), ("frame", "z", "y", "x"), name,
                                 {"units": units})
        return array if frame is None else array.isel(frame=0)

    @property
    def combination_names(self) -> list[str]:
        """The names of the combinations (``--combine``)."""
        held = self.file["combinations"] if self._has("combinations") else {}
        return [name for name in held if self._has(f"combinations/{name}/computed_in_double")]

    def combination(self, name: str, frame: int | None = None) -> xarray.DataArray:
        """A combination of densities (bohr^-3) or of orbitals (bohr^-3/2): [frame, z, y, x], or [z, y, x] of one
        `frame`. Coordinates: x, y, z (bohr), and the integral of a density over the grid (electrons), or the norm of
        an orbital. The attribute `expression` is what the run was given."""
        xarray = require("xarray", "grids")
        if name not in self.combination_names:
            raise Error(f"'{self.path}' has no combination {name} (it has "
                        f"{', '.join(self.combination_names) or 'none'}): run tessera orbital with --combine")
        group = f"combinations/{name}"
        frames = self._indices(None if frame is None else [frame], self.frames, "frame")
        coordinates = self._axes("combinations", frames)
        for total, units in (("integral", "electrons"), ("norm", "")):
            if self._has(f"{group}/{total}"):
                coordinates[total] = ("frame", self._values(f"{group}/{total}")[frames], {"units": units})
        values = self._grids(group, [(f,) for f in frames])
        attributes = {"units": text(self._node(f"{group}/values").attrs["units"]),
                      "expression": text(self._node(group).attrs["expression"])}
        array = xarray.DataArray(values, coordinates, ("frame", "z", "y", "x"), name, attributes)
        return array if frame is None else array.isel(frame=0)

    def isosurface(self, label: str, frame: int = 1) -> Isosurface:
        """The surfaces of an orbital, of "density" or "spin_density", or of a combination."""
        group = f"isosurfaces/{frame}/{label}"
        if not self._has(group):
            held = [f"{f}/{o}" for f in self.file.get("isosurfaces", ()) for o in self.file["isosurfaces"][f]]
            raise Error(f"'{self.path}' has no isosurface {frame}/{label} (it has {', '.join(held) or 'none'}): "
                        "make it with tessera orbital --isosurface VALUE")
        arrays = [self._values(f"{group}/{name}") for name in ("vertices", "normals", "triangles")]
        attributes = self._node(group).attrs
        fields = {name: self._values(f"{group}/fields/{name}") for name in self.file.get(f"{group}/fields", ())}
        return Isosurface(*arrays, float(attributes["isovalue"]), int(attributes["positive_vertices"]),
                          int(attributes["positive_triangles"]), fields)

    def atoms(self, frame: int = 1) -> pandas.DataFrame:
        """The nuclei of a frame: symbol, atomic_number, and x, y, z in bohr."""
        pandas = require("pandas", "tables")
        group = f"frames/{frame}"
        table = pandas.DataFrame({
            "symbol": texts(self._values(f"{group}/symbols")),
            "atomic_number": self._values(f"{group}/atomic_numbers"),
            **dict(zip("xyz", self._values(f"{group}/positions").T)),
        })
        attributes = self._node(group).attrs
        table.attrs.update(file=text(attributes.get("file", "")), title=text(attributes.get("title", "")),
                           units=dict.fromkeys("xyz", "bohr"))
        return table

    def _indices(self, wanted: list[Any] | None, present: list[Any], what: str) -> list[int]:
        if wanted is None:
            return list(range(len(present)))
        for one in wanted:
            if one not in present:
                raise Error(f"'{self.path}' has no {what} {one} (it has {', '.join(map(str, present)) or 'none'}): "
                            "choose one of them")
        return [present.index(one) for one in wanted]

    def _grids(self, group: str, places: list[tuple[int, ...]]) -> numpy.ndarray:
        """Reads chosen grids one by one, without a copy of the others."""
        if not self._has(f"{group}/values"):
            raise Error(f"'{self.path}' has no grids of {group} (the run wrote none): "
                        "run tessera orbital with --grids and without --norms-only")
        dataset = self._node(f"{group}/values")
        values = numpy.empty((len(places), *dataset.shape[-3:]), dataset.dtype.newbyteorder("="))
        for number, place in enumerate(places):
            values[number] = self._values(f"{group}/values", place)
        return values

    def _axes(self, group: str, frames: list[int]) -> dict[str, Any]:
        """The coordinates of frames and points. All frames share one grid."""
        origin, spacing = self._values(f"{group}/origin")[0], self._values(f"{group}/spacing")
        axes: dict[str, Any] = {"frame": ("frame", numpy.array(self.frames)[frames])}
        for axis, first, step, count in zip("xyz", origin, spacing, self._values(f"{group}/shape")):
            axes[axis] = (axis, first + step * numpy.arange(count), {"units": "bohr"})
        return axes

    def _density(self, group: str, option: str, frame: int | None) -> xarray.DataArray:
        xarray = require("xarray", "grids")
        self._require_density(group, option)
        frames = self._indices(None if frame is None else [frame], self.frames, "frame")
        coordinates = self._axes(group, frames)
        coordinates["integral"] = ("frame", self._values(f"{group}/integral")[frames], {"units": "electrons"})
        array = xarray.DataArray(self._grids(group, [(f,) for f in frames]), coordinates,
                                 ("frame", "z", "y", "x"), group, {"units": "bohr^-3"})
        return array if frame is None else array.isel(frame=0)

    def _require_density(self, group: str, option: str) -> None:
        if not self._has(group):
            raise Error(f"'{self.path}' has no {group} (its run did not ask for it): "
                        f"run tessera orbital with {option}")
