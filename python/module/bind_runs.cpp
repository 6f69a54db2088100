// The functions dock, fit and simulate of the module tessera._kernels.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "likelihood_model.hpp"
#include "runs.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace tessera::python {

namespace {

/// A function of Python that returns the bytes of a result file.
nb::object writer_of(engine::ResultWriter write) {
    return nb::cpp_function([write = std::move(write)] {
        const std::vector<std::byte> bytes = write();
        return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    });
}

template <class Value>
void take(const nb::dict& options, const char* name, std::optional<Value>& value) {
    if (options.contains(name)) value = nb::cast<Value>(options[name]);
}

bool is_set(const nb::dict& options, const char* name) {
    return options.contains(name) && nb::cast<bool>(options[name]);
}

likelihood::FitChoices choices_of(const nb::dict& options) {
    likelihood::FitChoices choices;
    take(options, "method", choices.method);
    take(options, "start", choices.start);
    take(options, "population", choices.population);
    take(options, "generations", choices.generations);
    take(options, "starts", choices.starts);
    take(options, "variations", choices.variations);
    take(options, "seed", choices.seed);
    take(options, "search_tolerance", choices.search_tolerance);
    const auto names = [&](const char* name) {
        return options.contains(name) ? nb::cast<std::vector<std::string>>(options[name])
                                      : std::vector<std::string>();
    };
    choices.free = names("free");
    choices.fix = names("fix");
    choices.share = names("share");
    choices.profile = names("profile");
    if (options.contains("bootstrap")) choices.bootstrap = nb::cast<int>(options["bootstrap"]);
    return choices;
}

void bind_fit(nb::module_& m) {
    m.def(
        "fit",
        [](const std::vector<std::string>& parameters, const std::vector<std::string>& star_files,
           const std::vector<Constants>& stars, const nb::dict& options,
           const std::string& integration, const std::string& quadrature,
           const std::string& precision, double tolerance, bool allow_stars_outside,
           const Name& model, const Name& turnoff, const Name& profile) {
            likelihood::LikelihoodInput input;
            input.parameters = parameters;
            input.stars = star_files;
            input.integration = likelihood::integration_named(integration);
            input.evaluation.quadrature = likelihood::quadrature_named(quadrature);
            input.evaluation.precision = likelihood::precision_named(precision);
            input.evaluation.tolerance = tolerance;
            input.allow_stars_outside = allow_stars_outside;
            input.evaluation.allow_empty_streams = is_set(options, "allow_empty_streams");
            input.memberships = is_set(options, "memberships");
            input.choices = model_choices(model, turnoff, profile);
            std::vector<StarRows> tables;
            for (const Constants& table : stars) tables.push_back({span_of(table), table.shape(1)});
            return writer_of(fit(std::move(input), std::move(tables), choices_of(options)));
        },
        "parameters"_a, "star_files"_a, "stars"_a, "options"_a, "integration"_a, "quadrature"_a,
        "precision"_a, "tolerance"_a, "allow_stars_outside"_a, "model"_a.none(), "turnoff"_a.none(),
        "background_profile"_a.none());
}

}  // namespace

void bind_runs(nb::module_& m) {
    m.def(
        "dock",
        [](const std::string& options, double memory_gib) {
            return writer_of(dock(options, memory_gib));
        },
        "options"_a, "memory_gib"_a);
    bind_fit(m);
    m.def(
        "simulate",
        [](const std::string& parameters, std::int64_t number, std::uint64_t seed,
           const Name& model, const Name& turnoff, const Name& profile) {
            std::vector<io::Star> stars;
            std::vector<std::int32_t> components;
            const io::StreamModel drawn =
                io::read_stream_parameters(parameters, model_choices(model, turnoff, profile));
            for (auto& [star, component] : simulate(drawn, parameters, number, seed)) {
                stars.push_back(std::move(star));
                components.push_back(component);
            }
            const std::size_t count = components.size();
            return nb::make_tuple(array_of(star_rows(stars, drawn.observables),
                                           {count, star_columns(drawn.observables).size()}),
                                  array_of(std::move(components), {count}));
        },
        "parameters"_a, "number"_a, "seed"_a, "model"_a.none(), "turnoff"_a.none(),
        "background_profile"_a.none());
}

}  // namespace tessera::python
