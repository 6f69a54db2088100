// The Python module tessera._kernels. tessera/likelihood.py and tessera/wavefunction.py use it.
// They check shapes, allocate the arrays and document the interface.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <exception>
#include <tuple>
#include <utility>

#include "bindings.hpp"
#include "core/error.hpp"
#include "io/text/one_line.hpp"
#include "likelihood_model.hpp"
#include "orbital_evaluation.hpp"
#include "out_array.hpp"
#include "process_device.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace tessera::python {

namespace {

using Grid = std::tuple<nb::tuple, nb::tuple, nb::tuple>;  ///< origin, spacing (bohr), shape

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

/// tessera::Error becomes tessera.Error.
void translate_errors() {
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const Error& error) {
            PyErr_SetString(nb::module_::import_("tessera.errors").attr("Error").ptr(),
                            error.what());
        }
    });
}

void bind_device(nb::module_& m) {
    m.def(
        "start_device",
        [](const std::string& device, int threads) {
            const auto& info = start_device(device, threads);
            return nb::make_tuple(kernels::name_of(info.backend), info.name, info.threads);
        },
        "device"_a, "threads"_a);
}

void bind_likelihood(nb::module_& m) {
    m.def("read_stars", [](const std::string& path) {
        std::vector<double> rows;
        for (const io::Star& star : read_stars(path))
            rows.insert(rows.end(), {star.l, star.b, star.r});
        return rows;
    });
    nb::class_<LikelihoodModel>(m, "LikelihoodModel")
        .def(
            "__init__",
            [](LikelihoodModel* self, const std::string& parameters, const Constants& stars,
               const std::string& integration, const std::string& quadrature, double tolerance,
               bool allow_stars_outside, bool allow_empty_streams) {
                likelihood::LikelihoodInput input;
                input.parameters = {parameters};
                input.stars = {"the stars"};
                input.integration = likelihood::integration_named(integration);
                input.evaluation.quadrature = likelihood::quadrature_named(quadrature);
                input.evaluation.tolerance = tolerance;
                input.allow_stars_outside = allow_stars_outside;
                input.evaluation.allow_empty_streams = allow_empty_streams;
                new (self) LikelihoodModel(std::move(input), checked_stars(span_of(stars)));
            },
            "parameters"_a, "stars"_a, "integration"_a, "quadrature"_a, "tolerance"_a,
            "allow_stars_outside"_a, "allow_empty_streams"_a)
        .def("names", &LikelihoodModel::names)
        .def("values", &LikelihoodModel::values)
        .def("warnings", &LikelihoodModel::warnings)
        .def("evaluate",
             [](LikelihoodModel& self, const Constants& sets, const Numbers& found,
                const Numbers& gradients) {
                 self.evaluate(span_of(sets), span_of(found), span_of(gradients));
             })
        .def("memberships",
             [](LikelihoodModel& self, const Constants& sets, const Numbers& found) {
                 self.memberships(span_of(sets), span_of(found));
             })
        .def("problem", [](LikelihoodModel& self, const Constants& set) {
            return self.problem(span_of(set));
        });
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

void bind_wavefunction(nb::module_& m) {
    m.def(
        "out_array",
        [](const nb::object& out, const std::vector<std::size_t>& shape) {
            return out_array(out, {shape, true, "cpu"}).object;
        },
        "out"_a.none(), "shape"_a);
    nb::class_<OrbitalEvaluation>(m, "OrbitalEvaluation")
        .def(nb::init<const std::string&, int, bool, double, bool>(), "path"_a, "frame"_a,
             "double_precision"_a, "tolerance"_a, "repair_norms"_a)
        .def("warnings", &OrbitalEvaluation::warnings)
        .def("find", &OrbitalEvaluation::find)
        .def("atoms", &atoms_of)
        .def("orbitals", &orbitals_of)
        .def("grid_around",
             [](const OrbitalEvaluation& self, const nb::tuple& spacing, double padding) {
                 const UniformGrid grid = self.grid_around(vector_of(spacing), padding);
                 return nb::make_tuple(tuple_of(grid.origin), tuple_of(grid.spacing),
                                       nb::make_tuple(grid.shape[0], grid.shape[1], grid.shape[2]));
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
        .def("isosurface",
             [](OrbitalEvaluation& self, const std::string& orbital, double isovalue,
                const Grid& grid, const std::string& vertex_fields) {
                 const auto surface =
                     self.isosurface(orbital, {isovalue, vertex_fields}, grid_of(grid));
                 const auto& mesh = surface.mesh;
                 return nb::make_tuple(rows_of<float>(mesh.vertices), rows_of<float>(mesh.normals),
                                       rows_of<std::uint32_t>(mesh.triangles),
                                       mesh.positive_vertices, mesh.positive_triangles,
                                       fields_of(surface));
             })
        .def("orbitals_at",
             [](const OrbitalEvaluation& self, const std::string& list, const Constants& points,
                const Numbers& out) { self.orbitals_at(list, span_of(points), span_of(out)); })
        .def("density_at",
             [](const OrbitalEvaluation& self, bool of_spin, const Constants& points,
                const Numbers& out) { self.density_at(of_spin, span_of(points), span_of(out)); })
        .def("potential_at", [](OrbitalEvaluation& self, double tolerance, const Constants& points,
                                const Numbers& out) {
            self.potential_at(tolerance, span_of(points), span_of(out));
        });
}

}  // namespace

}  // namespace tessera::python

NB_MODULE(_kernels, m) {
    using namespace tessera::python;
    m.doc() = "Tessera's kernels, for the modules of the package tessera";
    translate_errors();
    bind_device(m);
    bind_likelihood(m);
    bind_wavefunction(m);
    bind_runs(m);
}
