#include "likelihood_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "io/streams/star_columns.hpp"
#include "io/streams/star_file.hpp"
#include "kokkos_kernels/device/device_guard.hpp"
#include "likelihood/model/evaluation_checks.hpp"
#include "likelihood/model/selected_areas.hpp"
#include "likelihood/model/star_checks.hpp"
#include "process_device.hpp"

namespace tessera::python {

namespace {

constexpr double none = -std::numeric_limits<double>::infinity();

/// Why a set cannot be evaluated, before anything is computed.
std::string refusal_of(const io::StreamModel& model) {
    if (const auto complaint = io::complaint_about(model))
        return complaint->why + ": " + complaint->what_to_do;
    try {
        likelihood::require_streams(model, "the model");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

bool is_whole(const likelihood::Evaluation& evaluation) {
    try {
        likelihood::require_finite(evaluation, "the model");
    } catch (const Error&) {
        return false;
    }
    return true;
}

}  // namespace

std::vector<std::string> star_columns(std::span<const io::Observable> observables) {
    std::vector<std::string> columns{"l", "b", "r"};
    for (const std::string& name : io::column_names(observables))
        if (!name.empty()) columns.push_back(name);
    return columns;
}

std::vector<io::Star> read_stars(const std::string& path,
                                 std::span<const io::Observable> observables) {
    return io::read_star_file(path, observables);
}

std::vector<double> star_rows(std::span<const io::Star> stars,
                              std::span<const io::Observable> observables) {
    const std::vector<std::string> names = io::column_names(observables);
    std::vector<double> rows;
    for (const io::Star& star : stars) {
        rows.insert(rows.end(), {star.l, star.b, star.r});
        for (std::size_t k = 0; k < names.size(); ++k)
            if (!names[k].empty()) rows.push_back(star.observed[k]);
    }
    return rows;
}

std::vector<io::Star> checked_stars(const StarRows& rows,
                                    std::span<const io::Observable> observables) {
    const auto [numbers, width] = rows;
    const std::vector<std::string> names = io::column_names(observables);
    const std::vector<std::string> columns = star_columns(observables);
    if (width != columns.size())
        throw Error("the stars have " + std::to_string(width) + " columns, not " +
                        std::to_string(columns.size()),
                    "the model needs " + fmt::format("{}", fmt::join(columns, ", ")),
                    "give them in this order, or a table with these names");
    std::vector<io::Star> stars;
    for (std::size_t i = 0; (i + 1) * width <= numbers.size(); ++i) {
        const double* next = numbers.data() + i * width;
        io::Star star{next[0], next[1], next[2]};
        next += 3;
        for (const std::string& name : names) star.observed.push_back(name.empty() ? 0 : *next++);
        if (const auto problem = io::problem_of(star, observables))
            throw Error(fmt::format("star {} is ({}, {}, {})", i, star.l, star.b, star.r),
                        problem->why, problem->what_to_do);
        stars.push_back(std::move(star));
    }
    if (stars.empty())
        throw Error("there are no stars", "the likelihood is a mean over stars", "give stars");
    return stars;
}

LikelihoodModel::LikelihoodModel(likelihood::LikelihoodInput input, const StarRows& stars)
    : input_(std::move(input)) {
    likelihood::validate(input_);
    wedge_.model_text = io::read_parameter_text(input_.parameters[0]);
    wedge_.model = io::parse_stream_parameters(wedge_.model_text, input_.choices);
    io::load_files(wedge_.model);
    wedge_.stars = checked_stars(stars, wedge_.model.observables);
    likelihood::require_selected(wedge_.model, wedge_.stars, input_.stars[0]);
    if (!input_.allow_stars_outside)
        likelihood::require_stars_inside(wedge_.model, wedge_.stars, input_.stars[0]);
    const auto make = input_.integration == likelihood::Integration::exact
                          ? likelihood::make_exact_evaluator
                          : likelihood::make_compressed_evaluator;
    const auto backend = running_device().backend;
    compute([&] {
        evaluator_ =
            kernels::kept_if_lost(make(wedge_.model, wedge_.stars, input_.evaluation, backend));
    });
}

std::string LikelihoodModel::kind() const {
    const io::StreamModel& model = wedge_.model;
    return "model " + io::name_of(model.model) + ", turnoff " + io::name_of(model.turnoff) +
           ", profile " + io::name_of(model.background.profile);
}

std::vector<std::string> LikelihoodModel::names() const {
    return likelihood::parameter_names(wedge_.model);
}

std::vector<likelihood::Evaluation>
LikelihoodModel::evaluations(const std::vector<io::StreamModel>& models,
                             likelihood::Wanted wanted) {
    std::vector<likelihood::Evaluation> found;
    if (!models.empty()) compute([&] { found = evaluator_->evaluate(models, wanted); });
    return found;
}

LikelihoodModel::Evaluated LikelihoodModel::evaluate_rows(std::span<const double> sets,
                                                          likelihood::Wanted wanted) {
    const std::size_t width = names().size();
    std::vector<io::StreamModel> models;
    std::vector<std::size_t> usable;
    for (std::size_t row = 0; row * width < sets.size(); ++row) {
        const auto set = sets.subspan(row * width, width);
        auto model = likelihood::with_values(wedge_.model, {set.begin(), set.end()});
        if (!refusal_of(model).empty()) continue;
        models.push_back(std::move(model));
        usable.push_back(row);
    }
    auto results = evaluations(models, wanted);
    Evaluated found;
    for (std::size_t i = 0; i < usable.size(); ++i) {
        if (!is_whole(results[i])) continue;
        found.rows.push_back(usable[i]);
        found.results.push_back(std::move(results[i]));
    }
    return found;
}

void LikelihoodModel::evaluate(std::span<const double> sets, std::span<double> found,
                               std::span<double> gradients) {
    std::ranges::fill(found, none);
    std::ranges::fill(gradients, std::numeric_limits<double>::quiet_NaN());
    const std::size_t width = names().size();
    const Evaluated evaluated = evaluate_rows(sets, {false, !gradients.empty(), false});
    for (std::size_t i = 0; i < evaluated.rows.size(); ++i) {
        found[evaluated.rows[i]] = evaluated.results[i].search_likelihood;
        if (!gradients.empty())
            std::ranges::copy(evaluated.results[i].gradient,
                              gradients.begin() +
                                  static_cast<std::ptrdiff_t>(evaluated.rows[i] * width));
    }
}

void LikelihoodModel::memberships(std::span<const double> sets, std::span<double> found) {
    std::ranges::fill(found, std::numeric_limits<double>::quiet_NaN());
    const std::size_t size = stars() * (1 + wedge_.model.streams.size());
    const Evaluated evaluated = evaluate_rows(sets, {false, false, true});
    for (std::size_t i = 0; i < evaluated.rows.size(); ++i)
        std::ranges::copy(evaluated.results[i].memberships,
                          found.begin() + static_cast<std::ptrdiff_t>(evaluated.rows[i] * size));
}

std::string LikelihoodModel::problem(std::span<const double> set) {
    const auto model = likelihood::with_values(wedge_.model, {set.begin(), set.end()});
    if (std::string complaint = refusal_of(model); !complaint.empty()) return complaint;
    try {
        likelihood::require_finite(evaluations({model}, {}).at(0), "the model");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace tessera::python
