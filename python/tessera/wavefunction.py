"""Orbitals and densities of a wavefunction file, without files between."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy
from numpy.typing import ArrayLike

from tessera.arguments import listed, real, whole, word
from tessera.device import kernels
from tessera.errors import Error

BOHR_IN_ANGSTROM = 0.529177210903


class Grid(NamedTuple):
    """A box of points. Point i, j, k lies at origin + (i, j, k) * spacing."""

    origin: tuple[float, float, float]
    """First point x, y, z, bohr"""
    spacing: tuple[float, float, float]
    """bohr"""
    shape: tuple[int, int, int]
    """Numbers of points along x, y, z"""

    def axes(self) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
        """The coordinates along x, y and z, bohr.

        >>> Grid((0, 0, 0), (0.5, 1, 1), (3, 1, 1)).axes()[0]
        array([0. , 0.5, 1. ])
        """
        return tuple(first + step * numpy.arange(count)
                     for first, step, count in zip(self.origin, self.spacing, self.shape))


class Atom(NamedTuple):
    """A nucleus."""

    symbol: str
    charge: int
    position: tuple[float, float, float]
    """bohr"""


class MolecularOrbital(NamedTuple):
    """An orbital of the file."""

    energy: float
    """hartree"""
    occupation: float
    spin: str
    """"alpha" or "beta\""""
    symmetry: str = ""
    """The label of the file, such as "B1u"; empty if it has none"""


class Surface(NamedTuple):
    """The surfaces of an orbital or a density at +isovalue, and after them those at -isovalue."""

    vertices: numpy.ndarray
    """[V, 3], bohr, float32"""
    normals: numpy.ndarray
    """[V, 3], of unit length, outwards, float32"""
    triangles: numpy.ndarray
    """[T, 3], numbers of vertices, uint32"""
    positive_vertices: int
    """How many vertices belong to +isovalue"""
    positive_triangles: int
    fields: dict[str, numpy.ndarray] = {}
    """[V] float64 of each vertex field: bohr^-3 for densities, bohr^-3/2 for orbitals, hartree/e for the
    electrostatic potential"""


class Wavefunction:
    """One frame of a Molden, fchk, WFX, WFN, TREXIO, QCSchema or ORCA JSON file.

    `frame` counts from 1. `precision` ("single" or "double") and `tolerance` (bohr^-3/2; 0: no screening) hold for
    grids, as in ``tessera orbital``. `repair_norms` undoes the normalisation of programs that are known to differ.
    A file with a cell is summed over all cells. `isolated` evaluates it as one molecule instead, as ``--isolated``.
    `natural_orbitals` takes those of a density matrix of the file, such as "MP2", as ``--natural-orbitals``.
    `natural_transition_orbitals` takes those of an excitation: the number of a state or the name of a file, as
    ``--natural-transition-orbitals``, or the transition density as an array in the file's orbitals, rows for the hole.
    Files with beta orbitals need two arrays, alpha and beta. A matrix has all orbitals, or occupied rows and empty columns.

    >>> water = Wavefunction("examples/water.molden")
    >>> grid = water.grid(spacing=0.1, padding=5.0)
    >>> water.evaluate(grid, "HOMO,LUMO").shape[0], water.evaluate([[0.0, 0.0, 1.0]], "1:7").shape
    (2, (7, 1))
    >>> round(float(water.density(grid).sum() * numpy.prod(grid.spacing)))  # electrons
    10
    """

    def __init__(self, path: str | os.PathLike[str], *, frame: int = 1, precision: str = "single",
                 tolerance: float = 1e-6, repair_norms: bool = False, isolated: bool = False,
                 natural_orbitals: str = "",
                 natural_transition_orbitals: int | str | ArrayLike | Sequence[ArrayLike] = "") -> None:
        if precision not in ("single", "double"):
            raise Error(f"precision is '{precision}' (it is single or double): choose one of them")
        self.path: str = os.fspath(path)
        self._type = numpy.float64 if precision == "double" else numpy.float32
        self._evaluation = kernels().OrbitalEvaluation(self.path, whole("frame", frame), precision == "double",
                                                       real("tolerance", tolerance), bool(repair_norms),
                                                       bool(isolated), word("natural_orbitals", natural_orbitals),
                                                       *_transition(natural_transition_orbitals))

    @property
    def atoms(self) -> list[Atom]:
        """The nuclei."""
        return [Atom(*atom) for atom in self._evaluation.atoms()]

    @property
    def orbitals(self) -> list[MolecularOrbital]:
        """All orbitals of the file, alpha before beta."""
        return [MolecularOrbital(*orbital) for orbital in self._evaluation.orbitals()]

    @property
    def warnings(self) -> list[str]:
        """What is odd about the file, as ``tessera orbital`` would say it."""
        return self._evaluation.warnings()

    def find(self, orbitals: str | Sequence[str]) -> list[int]:
        """Where the orbitals of a list such as "HOMO,LUMO+1,12:18,3b" or ["HOMO", "3b"] stand in `orbitals`, from 0."""
        return self._evaluation.find(listed("orbitals", orbitals))

    def grid(self, spacing: float = 0.075 / BOHR_IN_ANGSTROM,
             padding: float = 3 / BOHR_IN_ANGSTROM) -> Grid:
        """The box around all nuclei with `padding` around it (both in bohr), as ``tessera orbital`` chooses it."""
        step = real("spacing", spacing)
        return Grid(*self._evaluation.grid_around((step, step, step), real("padding", padding)))

    @property
    def cell(self) -> numpy.ndarray | None:
        """The three vectors [3, 3] of a periodic system, bohr. None for a molecule."""
        vectors = self._evaluation.cell()
        return numpy.array(vectors) if vectors else None

    def cell_grid(self, spacing: float = 0.075 / BOHR_IN_ANGSTROM, origin: Sequence[float] = (0, 0, 0)) -> Grid:
        """A grid of exactly one cell of a periodic system, as ``--grid cell`` gives it: the sum of the density times
        the volume of a point is the number of electrons. The largest spacing that divides the cell and is not above
        `spacing` is taken along each axis. Point 0, 0, 0 lies at `origin`. Lengths are in bohr."""
        step = real("spacing", spacing)
        if numpy.shape(origin) != (3,):
            raise Error(f"origin is {origin!r} (it is a point): give x, y, z in bohr")
        return Grid(*self._evaluation.cell_grid((step, step, step), tuple(real("origin", x) for x in origin)))

    def evaluate(self, where: Grid | ArrayLike, orbitals: str | Sequence[str] = "HOMO", *, out: Any = None,
                 device: str | None = None) -> Any:
        """Values of orbitals, bohr^-3/2. They are a list as `find` takes it.

        On a Grid: [orbital, z, y, x] in the precision of this object, with the bits of ``tessera orbital``.
        At points [n, 3] (bohr): [orbital, n] in double precision, without screening.

        `out` is an array that takes the values: float32 or, in double precision and at points, float64, of the
        shape above, without gaps. On a Grid it may lie on the GPU. ``device="cuda"`` leaves the values of a Grid
        on the GPU, as an array with ``__dlpack__`` for ``torch.from_dlpack`` and others."""
        orbitals = listed("orbitals", orbitals)
        kernel = self._evaluation
        rows = () if isinstance(where, Grid) else (len(self.find(orbitals)),)
        return _values(kernel.orbitals_on_grid, kernel.orbitals_at, orbitals, where, out, device, rows)

    def isosurface(self, orbital: str = "HOMO", isovalue: float = 0.05, grid: Grid | None = None, *,
                   vertex_fields: str | Sequence[str] = "") -> Surface:
        """The surfaces at plus and minus `isovalue` by marching cubes on `grid`; the default is `grid()`.

        `orbital` is one orbital (the isovalue is in bohr^-3/2), "density" or "spin_density" (bohr^-3). The surfaces
        have the bits of ``tessera orbital --orbitals ORBITAL --isosurface`` and of ``--density --isosurface``, and
        normals from the analytic gradient. `vertex_fields` is a list as ``--vertex-field`` takes it, such as
        "spin-density,gradient-norm,esp,HOMO". Their values at the vertices are in `fields`."""
        return Surface(*self._evaluation.isosurface(word("orbital", orbital), real("isovalue", isovalue),
                                                    _checked(self.grid() if grid is None else grid),
                                                    listed("vertex_fields", vertex_fields)))

    def density(self, where: Grid | ArrayLike, *, out: Any = None, device: str | None = None) -> Any:
        """The electron density, bohr^-3: [z, y, x] on a Grid, or [n] at points [n, 3] (bohr). On a Grid it has the
        bits of ``tessera orbital --density`` without --orbitals. `out` and `device` as for `evaluate`."""
        return self._density(where, False, out, device)

    def spin_density(self, where: Grid | ArrayLike, *, out: Any = None, device: str | None = None) -> Any:
        """The density of alpha minus that of beta electrons, as `density`."""
        return self._density(where, True, out, device)

    def combine(self, expression: str, where: Grid | ArrayLike, others: Mapping[str, Wavefunction] | None = None, *,
                different_geometries: bool = False, out: Any = None, device: str | None = None) -> Any:
        """A sum of densities (bohr^-3) or of orbitals (bohr^-3/2), such as "density - density(anion)", "spin_density/2",
        "0.6*orbital(HOMO) + 0.8*orbital(anion, 5)" or the transition density "orbital(HOMO)*orbital(LUMO)".

        Terms without a name are of this wavefunction, and `others` has those that the expression names. All atoms
        must be among those of the largest one, or of this one, unless `different_geometries` allows others.

        On a Grid: [z, y, x] in the precision of this object, with the bits of ``tessera orbital --combine`` whose main
        file is that of this object. Squares are added in double precision. At points [n, 3] (bohr): [n] in double
        precision, without screening. `out` and `device` as for `evaluate`.

        >>> water = Wavefunction("examples/water.molden")
        >>> ions = {"anion": Wavefunction("examples/water_anion.molden")}
        >>> grid = water.grid(spacing=0.2, padding=8.0)
        >>> f_plus = water.combine("density(anion) - density", grid, ions)
        >>> round(float(f_plus.sum() * numpy.prod(grid.spacing)), 2)  # one electron more
        1.0
        """
        return _values(self._evaluation.combination_on_grid, self._evaluation.combination_at,
                       _combination(expression, others, different_geometries), where, out, device)

    def combination_isosurface(self, expression: str, isovalue: float, grid: Grid | None = None,
                               others: Mapping[str, Wavefunction] | None = None, *,
                               different_geometries: bool = False, vertex_fields: str | Sequence[str] = "") -> Surface:
        """The surfaces at plus and minus `isovalue` of what `combine` computes, with the bits of ``tessera orbital
        --combine --isosurface``. `isovalue` is in bohr^-3 for densities and in bohr^-3/2 for orbitals. `grid` and
        `vertex_fields` as for `isosurface`; "combination" is the name of the combination itself."""
        return Surface(*self._evaluation.combination_isosurface(
            _combination(expression, others, different_geometries), real("isovalue", isovalue),
            _checked(self.grid() if grid is None else grid), listed("vertex_fields", vertex_fields)))

    def esp(self, points: ArrayLike, *, tolerance: float = 1e-6) -> numpy.ndarray:
        """The electrostatic potential of nuclei and electrons at points [n, 3] (bohr): [n], hartree per elementary
        charge, on the device. What is neglected changes it nowhere by more than `tolerance`; 0 neglects nothing.
        With the same tolerance it has the bits of ``tessera orbital --esp --points``."""
        checked = _points(points)
        values = numpy.empty(len(checked))
        self._evaluation.potential_at(real("tolerance", tolerance), checked, values)
        return values

    def __repr__(self) -> str:
        return f"<Wavefunction of {self.path!r}, {len(self.atoms)} atoms>"

    def _density(self, where: Grid | ArrayLike, of_spin: bool, out: Any, device: str | None) -> Any:
        return _values(self._evaluation.density_on_grid, self._evaluation.density_at, of_spin, where, out, device)


def _values(on_grid: Callable, at_points: Callable, what: Any, where: Grid | ArrayLike, out: Any,
            device: str | None, rows: tuple[int, ...] = ()) -> Any:
    """The values of `what` on a Grid, or of the shape [*rows, point] at points."""
    if isinstance(where, Grid):
        return on_grid(what, _checked(where), out, device or "")
    points = _points(where)
    values = _out_at_points(out, device, (*rows, len(points)))
    at_points(what, points, values)
    return values


def _out_at_points(out: Any, device: str | None, shape: tuple[int, ...]) -> numpy.ndarray:
    """The array of values at points, which the host computes."""
    if device not in (None, "cpu"):
        raise Error(f"device is {device!r} (values at points are computed on the cpu): leave it out")
    return kernels().out_array(out, shape)


def _transition(given: int | str | ArrayLike | Sequence[ArrayLike]) -> tuple[str, list[numpy.ndarray]]:
    """What the command takes, and matrices."""
    if isinstance(given, str):
        return given, []
    if numpy.isscalar(given):
        return str(whole("natural_transition_orbitals", given)), []
    try:
        pair = isinstance(given, (tuple, list)) and all(numpy.ndim(one) == 2 for one in given)
        matrices = [numpy.ascontiguousarray(one, dtype=float) for one in (given if pair else [given])]
    except (TypeError, ValueError) as problem:
        raise Error(f"natural_transition_orbitals is no matrix ({problem}): give rows of numbers for the holes") from None
    for one in matrices:
        if one.ndim != 2 or one.size == 0:
            raise Error(f"natural_transition_orbitals has the shape {one.shape} (it takes a matrix a spin): correct it")
    return "", matrices


def _combination(expression: str, others: Mapping[str, Wavefunction] | None, different_geometries: bool) -> tuple:
    """What the module takes."""
    evaluations = {}
    for name, other in (others or {}).items():
        if not isinstance(other, Wavefunction):
            raise Error(f"others[{name!r}] is {other!r} (it is a Wavefunction): correct it")
        evaluations[word("a name in others", name)] = other._evaluation
    return word("expression", expression), evaluations, bool(different_geometries)


def _checked(grid: Grid) -> Grid:
    try:
        checked = Grid(tuple(map(float, grid.origin)), tuple(map(float, grid.spacing)),
                       tuple(map(int, grid.shape)))
    except (TypeError, ValueError) as problem:
        raise Error(f"the grid is not usable ({problem}): give origin, spacing and shape for x, y, z") from None
    if {len(part) for part in checked} != {3} or min(checked.shape) < 1 or not all(
            numpy.isfinite([*checked.origin, *checked.spacing])):
        raise Error(f"{checked} is not usable (origin, spacing and shape have three numbers each, and a shape "
                    "is at least 1): correct it")
    return checked


def _points(where: ArrayLike) -> numpy.ndarray:
    try:
        points = numpy.ascontiguousarray(where, dtype=float)
    except (TypeError, ValueError) as problem:
        raise Error(f"the points are no array of numbers ({problem}): give an array [n, 3]") from None
    if points.ndim != 2 or points.shape[1] != 3:
        raise Error(f"the points have the shape {points.shape} (it must be n x 3): give x, y, z in bohr a row")
    if not numpy.isfinite(points).all():
        raise Error("a point is not finite (x, y and z are lengths in bohr): remove it")
    return points
