#include "likelihood/model/evaluation_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "likelihood/model/combine.hpp"

namespace tessera::likelihood {

namespace {

/// All integrals, background first.
std::vector<double> integrals_of(const Evaluation& evaluation) {
    std::vector<double> integrals{evaluation.background_integral};
    integrals.insert(integrals.end(), evaluation.stream_integrals.begin(),
                     evaluation.stream_integrals.end());
    return integrals;
}

/// The integral of a component before the cuts, or 0 if there are none.
double uncut_integral(const Evaluation& evaluation, std::size_t component) {
    return component < evaluation.uncut_integrals.size() ? evaluation.uncut_integrals[component]
                                                         : 0;
}

/// Whether a component is a stream that has weight 0.
bool is_left_out(const Evaluation& evaluation, std::size_t component) {
    return std::ranges::find(evaluation.empty_streams, static_cast<int>(component)) !=
           evaluation.empty_streams.end();
}

[[noreturn]] void refuse(const std::string& wedge, const std::string& what, const std::string& why,
                         const std::string& what_to_do) {
    throw Error(fmt::format("{} of '{}'", what, wedge), why, what_to_do, ExitCode::numerics);
}

void require_integral(const Evaluation& evaluation, std::size_t component, double integral,
                      const std::string& wedge) {
    const double before = uncut_integral(evaluation, component);
    if ((std::isfinite(integral) && !is_empty(integral, before)) ||
        is_left_out(evaluation, component))
        return;
    const std::string what = fmt::format("the integral of {} is {:.17g} in the wedge",
                                         component_name(component), integral);
    if (before > 0)
        refuse(
            wedge, what,
            fmt::format("it lies inside a cut; the integral was {:.17g} before the cuts", before),
            component == 0 ? "use smaller cuts"
                           : "leave the stream out, use smaller cuts, or give it weight 0 by "
                             "--allow-empty-streams");
    refuse(wedge, what, "its density vanishes there or is not finite",
           component == 0 ? "check q, r0 and the exponents"
                          : "check its position and its width, or leave it out");
}

/// Whether `outer` contains [low, high], within the rounding of digits in files.
bool holds(const io::Cells& outer, double low, double high) {
    const double slack = 1e-9 * (outer.max - outer.min);
    return low >= outer.min - slack && high <= outer.max + slack;
}

/// Whether `a` and [low, high] share more than their ends, within the same rounding.
bool overlap(const io::Cells& a, double low, double high) {
    const double slack = 1e-9 * (a.max - a.min);
    return low < a.max - slack && high > a.min + slack;
}

/// Whether two areas overlap. Their mu may differ by whole turns.
bool overlap(const io::Area& a, const io::Area& b) {
    if (!overlap(a.r, b.r.min, b.r.max)) return false;
    bool mu = false;
    for (int turn = -4; turn <= 4; ++turn)
        mu = mu || overlap(a.mu, b.mu.min + 360 * turn, b.mu.max + 360 * turn);
    return mu && overlap(a.nu, b.nu.min, b.nu.max);
}

/// Whether the wedge contains the cut. Their mu may differ by whole turns.
bool holds(const io::Area& wedge, const io::Area& cut) {
    bool mu = false;
    for (int turn = -4; turn <= 4; ++turn)
        mu = mu || holds(wedge.mu, cut.mu.min + 360 * turn, cut.mu.max + 360 * turn);
    return mu && holds(wedge.r, cut.r.min, cut.r.max) && holds(wedge.nu, cut.nu.min, cut.nu.max);
}

}  // namespace

std::string component_name(std::size_t component) {
    return component == 0 ? "the background" : fmt::format("stream {}", component);
}

void require_streams(const StreamModel& model, const std::string& wedge) {
    for (std::size_t s = 0; s < model.streams.size(); ++s)
        if (std::abs(model.streams[s].sigma) <= smallest_sigma)
            refuse(wedge,
                   fmt::format("the integral of stream {} is not finite in the wedge", s + 1),
                   fmt::format("its sigma is {:g} kpc", model.streams[s].sigma),
                   fmt::format("choose a width above {:g} kpc, or leave the stream out",
                               smallest_sigma));
}

void require_finite(const Evaluation& evaluation, const std::string& wedge) {
    const std::vector<double> integrals = integrals_of(evaluation);
    for (std::size_t k = 0; k < integrals.size(); ++k)
        require_integral(evaluation, k, integrals[k], wedge);
    const auto require = [&](const std::string& name, double likelihood) {
        if (!std::isfinite(likelihood))
            refuse(wedge, fmt::format("the likelihood of {} is {}", name, likelihood),
                   "its density at a star is zero or not finite",
                   "check the model against the stars");
    };
    require(component_name(0), evaluation.background_likelihood);
    for (std::size_t s = 0; s < evaluation.stream_only_likelihoods.size(); ++s)
        require(component_name(s + 1), evaluation.stream_only_likelihoods[s]);
    require("all components together", evaluation.search_likelihood);
}

std::vector<std::string> cut_warnings(const Evaluation& evaluation, const std::string& wedge) {
    std::vector<std::string> warnings;
    const std::vector<double> integrals = integrals_of(evaluation);
    for (std::size_t k = 0; k < evaluation.uncut_integrals.size(); ++k) {
        const double before = evaluation.uncut_integrals[k];
        if (std::abs(integrals[k]) * 1000 >= std::abs(before) || is_left_out(evaluation, k))
            continue;
        warnings.push_back(fmt::format(
            "warning: {} of '{}' lies almost entirely inside a cut (its integral is {:.17g} with "
            "the"
            " cuts and {:.17g} without, {:.1f} digits are lost): do not trust the likelihood",
            component_name(k), wedge, integrals[k], before,
            std::log10(std::abs(before / integrals[k]))));
    }
    return warnings;
}

std::vector<std::string> empty_stream_warnings(const Evaluation& evaluation,
                                               const std::string& wedge) {
    std::vector<std::string> warnings;
    for (const int stream : evaluation.empty_streams) {
        const auto component = static_cast<std::size_t>(stream);
        const double before = uncut_integral(evaluation, component);
        warnings.push_back(fmt::format(
            "warning: {} of '{}' has weight 0 ({}): the likelihood is that of the other components",
            component_name(component), wedge,
            before > 0 ? fmt::format("the cuts leave nothing of its integral, which is {:.17g} "
                                     "without them",
                                     before)
                       : "it has no integral over the wedge"));
    }
    return warnings;
}

std::vector<std::string> area_warnings(const StreamModel& model, const std::string& wedge) {
    std::vector<std::string> warnings;
    for (std::size_t area = 1; area < model.areas.size(); ++area)
        if (!holds(model.areas[0], model.areas[area]))
            warnings.push_back(
                fmt::format("warning: cut {} of '{}' reaches beyond the wedge (the part outside is"
                            " subtracted too): check its r, mu and nu",
                            area, wedge));
    for (std::size_t area = 2; area < model.areas.size(); ++area) {
        const auto here = model.areas.begin() + static_cast<std::ptrdiff_t>(area);
        const auto other = std::find_if(model.areas.begin() + 1, here,
                                        [&](const auto& cut) { return overlap(cut, *here); });
        if (other != here)
            warnings.push_back(fmt::format("warning: cuts {} and {} of '{}' overlap (their common"
                                           " part is subtracted twice): check their r, mu and nu",
                                           other - model.areas.begin(), area, wedge));
    }
    return warnings;
}

}  // namespace tessera::likelihood
