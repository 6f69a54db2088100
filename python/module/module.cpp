// The Python module tessera._kernels. tessera/likelihood.py and tessera/wavefunction.py use it.
// They check shapes, allocate the arrays and document the interface.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <exception>
#include <utility>

#include "bindings.hpp"
#include "core/error.hpp"
#include "likelihood_model.hpp"
#include "process_device.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace tessera::python {

namespace {

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
    m.def("read_stars", [](const std::string& path, const std::string& parameters) {
        const io::StreamModel model = io::read_stream_parameters(parameters);
        const std::size_t columns = star_columns(model.observables).size();
        std::vector<double> rows =
            star_rows(read_stars(path, model.observables), model.observables);
        const std::size_t count = rows.size() / columns;
        return array_of(std::move(rows), {count, columns});
    });
    m.def(
        "star_columns",
        [](const std::string& parameters, const Name& model, const Name& turnoff,
           const Name& profile) {
            const auto choices = model_choices(model, turnoff, profile);
            return star_columns(io::read_stream_parameters(parameters, choices).observables);
        },
        "parameters"_a, "model"_a.none(), "turnoff"_a.none(), "background_profile"_a.none());
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
                new (self) LikelihoodModel(std::move(input), {span_of(stars), stars.shape(1)});
            },
            "parameters"_a, "stars"_a, "integration"_a, "quadrature"_a, "tolerance"_a,
            "allow_stars_outside"_a, "allow_empty_streams"_a)
        .def("kind", &LikelihoodModel::kind)
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

}  // namespace

}  // namespace tessera::python

NB_MODULE(_kernels, m) {
    using namespace tessera::python;
    m.doc() = "Tessera's kernels, for the modules of the package tessera";
    translate_errors();
    bind_device(m);
    bind_likelihood(m);
    bind_wavefunctions(m);
    bind_runs(m);
}
