// Wavefunctions of the module tessera._kernels.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "io/text/one_line.hpp"
#include "orbital_evaluation.hpp"
#include "out_array.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace tessera::python {

namespace {

using Grid = std::tuple<nb::tuple, nb::tuple, nb::tuple>;  ///< origin, spacing (bohr), shape

using MatrixArray = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::vector<orbitals::Matrix> matrices_of(const std::vector<MatrixArray>& arrays) {
    std::vector<orbitals::Matrix> matrices;
    for (const MatrixArray& array : arrays)
        matrices.push_back({array.shape(0), array.shape(1),
                            std::vector<double>(array.data(), array.data() + array.size())});
    return matrices;
}

Vec3 vector_of(const nb::tuple& v) {
    return {nb::cast<double>(v[0]), nb::cast<double>(v[1]), nb::cast<double>(v[2])};
}

UniformGrid grid_of(const Grid& grid) {
    const auto& [origin, spacing, shape] = grid;
    return {vector_of(origin),
            vector_of(spacing),
            {nb::cast<std::int64_t>(shape[0]), nb::cast<std::int64_t>(shape[1]),
             nb::cast<std::int64_t>(shape[2])}};
}

nb::tuple tuple_of(Vec3 v) { return nb::make_tuple(v.x, v.y, v.z); }

nb::tuple tuple_of(const UniformGrid& grid) {
    return nb::make_tuple(tuple_of(grid.origin), tuple_of(grid.spacing),
                          nb::make_tuple(grid.shape[0], grid.shape[1], grid.shape[2]));
}

/// The vectors of the cell, or an empty list for a molecule.
nb::list cell_of(const OrbitalEvaluation& evaluation) {
    nb::list vectors;
    if (const auto& lattice = evaluation.wavefunction().lattice)
        for (const Vec3 v : lattice->vectors) vectors.append(tuple_of(v));
    return vectors;
}

nb::list atoms_of(const OrbitalEvaluation& evaluation) {
    nb::list atoms;
    for (const io::Nucleus& atom : evaluation.wavefunction().nuclei)
        atoms.append(nb::make_tuple(atom.symbol, atom.charge, tuple_of(atom.position)));
    return atoms;
}

nb::list orbitals_of(const OrbitalEvaluation& evaluation) {
    nb::list orbitals;
    for (const io::MolecularOrbital& one : evaluation.wavefunction().orbitals)
        orbitals.append(nb::make_tuple(one.energy, one.occupation,
                                       one.spin == io::Spin::alpha ? "alpha" : "beta",
                                       io::one_line(one.symmetry)));
    return orbitals;
}

template <class Value>
auto rows_of(const std::vector<std::array<Value, 3>>& rows) {
    std::vector<Value> values;
    for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
    return array_of(std::move(values), {rows.size(), 3});
}

nb::dict fields_of(const OrbitalEvaluation::Surface& surface) {
    nb::dict fields;
    const auto vertices = static_cast<std::ptrdiff_t>(surface.mesh.vertices.size());
    auto first = surface.scalars.begin();
    for (const std::string& name : surface.fields) {
        fields[name.c_str()] =
            array_of(std::vector<double>(first, first + vertices), {surface.mesh.vertices.size()});
        first += vertices;
    }
    return fields;
}

nb::tuple tuple_of(const OrbitalEvaluation::Surface& surface) {
    const auto& mesh = surface.mesh;
    return nb::make_tuple(rows_of<float>(mesh.vertices), rows_of<float>(mesh.normals),
                          rows_of<std::uint32_t>(mesh.triangles), mesh.positive_vertices,
                          mesh.positive_triangles, fields_of(surface));
}

/// The expression, other wavefunctions by name, and whether geometries may differ.
using Combination = std::tuple<std::string, nb::dict, bool>;

OrbitalEvaluation::CombinationRequest request_of(const Combination& combination) {
    const auto& [expression, others, different_geometries] = combination;
    OrbitalEvaluation::CombinationRequest request{expression, {}, different_geometries};
    for (const auto& [name, other] : others)
        request.others.emplace_back(nb::cast<std::string>(name),
                                    nb::cast<const OrbitalEvaluation*>(other));
    return request;
}

/// The array that evaluate(points, make) fills. `several`: with an index of orbitals.
template <class Evaluate>
nb::object filled(const OrbitalEvaluation& self, const Grid& grid, bool several,
                  const nb::object& out, const std::string& device, const Evaluate& evaluate) {
    const UniformGrid points = grid_of(grid);
    OutArray array;
    const MakeMemory make = [&](std::size_t grids) {
        ArrayRequest request{{}, self.in_double(), device};
        if (several) request.shape.push_back(grids);
        for (const int axis : {2, 1, 0})
            request.shape.push_back(static_cast<std::size_t>(points.shape[axis]));
        array = out_array(out, request);
        return GridMemory{array.data, array.on_device};
    };
    evaluate(points, make);
    return array.object;
}

}  // namespace

void bind_wavefunctions(nb::module_& m) {
    m.def(
        "out_array",
        [](const nb::object& out, const std::vector<std::size_t>& shape) {
            return out_array(out, {shape, true, "cpu"}).object;
        },
        "out"_a.none(), "shape"_a);
    nb::class_<OrbitalEvaluation>(m, "OrbitalEvaluation")
        .def(
            "__init__",
            [](OrbitalEvaluation* self, const std::string& path, int frame, bool double_precision,
               double tolerance, bool repair_norms, bool isolated,
               const std::string& natural_orbitals, const std::string& transition_orbitals,
               const std::vector<MatrixArray>& transition_matrices) {
                new (self) OrbitalEvaluation(path, frame,
                                             {double_precision, tolerance, repair_norms, isolated,
                                              natural_orbitals, transition_orbitals,
                                              matrices_of(transition_matrices)});
            },
            "path"_a, "frame"_a, "double_precision"_a, "tolerance"_a, "repair_norms"_a,
            "isolated"_a, "natural_orbitals"_a, "transition_orbitals"_a, "transition_matrices"_a)
        .def("warnings", &OrbitalEvaluation::warnings)
        .def("find", &OrbitalEvaluation::find)
        .def("atoms", &atoms_of)
        .def("orbitals", &orbitals_of)
        .def("grid_around",
             [](const OrbitalEvaluation& self, const nb::tuple& spacing, double padding) {
                 return tuple_of(self.grid_around(vector_of(spacing), padding));
             })
        .def("cell", &cell_of)
        .def("cell_grid",
             [](const OrbitalEvaluation& self, const nb::tuple& spacing, const nb::tuple& origin) {
                 return tuple_of(self.cell_grid(vector_of(spacing), vector_of(origin)));
             })
        .def("kernel_seconds", &OrbitalEvaluation::kernel_seconds)
        .def(
            "orbitals_on_grid",
            [](OrbitalEvaluation& self, const std::string& list, const Grid& grid,
               const nb::object& out, const std::string& device) {
                return filled(self, grid, true, out, device, [&](const auto& points, auto& make) {
                    self.orbitals_on_grid(list, points, make);
                });
            },
            "orbitals"_a, "grid"_a, "out"_a.none(), "device"_a)
        .def(
            "density_on_grid",
            [](OrbitalEvaluation& self, bool of_spin, const Grid& grid, const nb::object& out,
               const std::string& device) {
                return filled(self, grid, false, out, device, [&](const auto& points, auto& make) {
                    self.density_on_grid(of_spin, points, make);
                });
            },
            "of_spin"_a, "grid"_a, "out"_a.none(), "device"_a)
        .def(
            "combination_on_grid",
            [](OrbitalEvaluation& self, const Combination& combination, const Grid& grid,
               const nb::object& out, const std::string& device) {
                return filled(self, grid, false, out, device, [&](const auto& points, auto& make) {
                    self.combination_on_grid(request_of(combination), points, make);
                });
            },
            "combination"_a, "grid"_a, "out"_a.none(), "device"_a)
        .def(
            "isosurface",
            [](OrbitalEvaluation& self, const std::string& orbital, double isovalue,
               const Grid& grid, const std::string& vertex_fields) {
                return tuple_of(self.isosurface(orbital, {isovalue, vertex_fields}, grid_of(grid)));
            })
        .def("combination_isosurface",
             [](OrbitalEvaluation& self, const Combination& combination, double isovalue,
                const Grid& grid, const std::string& vertex_fields) {
                 return tuple_of(self.combination_isosurface(
                     request_of(combination), {isovalue, vertex_fields}, grid_of(grid)));
             })
        .def("orbitals_at",
             [](const OrbitalEvaluation& self, const std::string& list, const Constants& points,
                const Numbers& out) { self.orbitals_at(list, span_of(points), span_of(out)); })
        .def("density_at",
             [](const OrbitalEvaluation& self, bool of_spin, const Constants& points,
                const Numbers& out) { self.density_at(of_spin, span_of(points), span_of(out)); })
        .def("combination_at",
             [](const OrbitalEvaluation& self, const Combination& combination,
                const Constants& points, const Numbers& out) {
                 self.combination_at(request_of(combination), span_of(points), span_of(out));
             })
        .def("potential_at", [](OrbitalEvaluation& self, double tolerance, const Constants& points,
                                const Numbers& out) {
            self.potential_at(tolerance, span_of(points), span_of(out));
        });
}

}  // namespace tessera::python
