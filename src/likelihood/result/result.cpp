#include "likelihood/result/result.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/compensated_sum.hpp"
#include "io/hdf5/result_values.hpp"
#include "io/text/counted.hpp"
#include "likelihood/model/evaluation_checks.hpp"
#include "likelihood/model/memberships.hpp"
#include "likelihood/model/star_checks.hpp"
#include "likelihood/model/thin_streams.hpp"
#include "likelihood/result/star_table.hpp"

namespace tessera::likelihood {

namespace {

using io::h5::Group;

void write_stars(Group& group, const std::vector<Star>& stars, const Evaluation& evaluation) {
    std::vector<StarRow> rows;
    for (std::size_t i = 0; i < stars.size(); ++i)
        rows.push_back({stars[i].l, stars[i].b, stars[i].r, evaluation.star_log10_density.at(i)});
    group.write_table("stars", rows.data(), sizeof(StarRow), rows.size(), star_columns());
}

void write_wedge(Group group, const WedgeResult& result, const std::vector<Star>& stars) {
    const Evaluation& e = result.evaluation;
    group.write_attribute("wedge", static_cast<std::int64_t>(result.wedge));
    group.write_attribute("parameters", result.parameters);
    group.write_attribute("star_file", result.stars);
    group.write_attribute("number_of_stars", result.number_of_stars);
    group.write_attribute("stars_outside", result.stars_outside);
    group.write_attribute("background_integral", e.background_integral);
    group.write_attribute("search_likelihood", e.search_likelihood);
    group.write_attribute("background_likelihood", e.background_likelihood);
    group.write_attribute("warnings", result.warnings);
    group.write("stream_integrals", e.stream_integrals);
    group.write("stream_only_likelihoods", e.stream_only_likelihoods);
    group.write("error_estimates", e.error_estimates);
    group.write("uncut_integrals", e.uncut_integrals);
    group.write("exact_components",
                std::vector<std::int32_t>(e.exact_components.begin(), e.exact_components.end()));
    group.write("empty_streams",
                std::vector<std::int32_t>(e.empty_streams.begin(), e.empty_streams.end()));
    write_stars(group, stars, e);
    if (result.expected_stars.empty()) return;
    const std::size_t components = result.expected_stars.size();
    group.write("memberships", e.memberships, {stars.size(), components})
        .write_attribute("names", component_labels(components));
    group.write("expected_stars", result.expected_stars);
}

/// Reads `count` numbers, or none if the run did not ask for them.
std::vector<double> read_reals_or_none(const Group& group, const char* name, std::uint64_t count) {
    const std::uint64_t stored = io::length_of(group, name);
    return io::read_shaped<double>(group, name, {stored == 0 ? 0 : count});
}

WedgeResult read_wedge(const Group& group) {
    constexpr std::int64_t most_stars = std::int64_t{1} << 40, most_wedge = 1 << 20;
    WedgeResult result;
    Evaluation& e = result.evaluation;
    result.wedge = static_cast<int>(io::attribute_within(group, "wedge", -most_wedge, most_wedge));
    result.parameters = group.read_attribute<std::string>("parameters");
    result.stars = group.read_attribute<std::string>("star_file");
    result.number_of_stars = io::attribute_within(group, "number_of_stars", 1, most_stars);
    if (group.has_attribute("stars_outside"))
        result.stars_outside =
            io::attribute_within(group, "stars_outside", 0, result.number_of_stars);
    result.warnings = group.read_attributes<std::string>("warnings");
    e.background_integral = io::finite_attribute(group, "background_integral");
    e.search_likelihood = io::finite_attribute(group, "search_likelihood");
    e.background_likelihood = io::finite_attribute(group, "background_likelihood");
    const std::uint64_t streams = io::length_of(group, "stream_integrals");
    e.stream_integrals = io::read_finite(group, "stream_integrals", {streams});
    e.stream_only_likelihoods = io::read_finite(group, "stream_only_likelihoods", {streams});
    e.error_estimates = read_reals_or_none(group, "error_estimates", streams + 2);
    e.uncut_integrals = read_reals_or_none(group, "uncut_integrals", streams + 1);
    e.exact_components = io::read_within<std::int32_t>(
        group, "exact_components", {io::length_of(group, "exact_components")}, 0,
        static_cast<std::int32_t>(std::min<std::uint64_t>(streams, 1 << 30)));
    if (group.contains("empty_streams"))
        e.empty_streams = io::read_within<std::int32_t>(
            group, "empty_streams", {io::length_of(group, "empty_streams")}, 1,
            static_cast<std::int32_t>(std::min<std::uint64_t>(streams, 1 << 30)));
    if (group.contains("expected_stars"))
        result.expected_stars = io::read_finite(group, "expected_stars", {streams + 1});
    return result;
}

std::string report_of(const WedgeResult& result) {
    const Evaluation& e = result.evaluation;
    std::string text = fmt::format("wedge {}: {}, {} of {}\n", result.wedge, result.parameters,
                                   io::counted(result.number_of_stars, "star"), result.stars);
    const auto line = [&](const std::string& name, double value, std::size_t component) {
        text += fmt::format("  {:<27} {:.17g}", name, value);
        if (component < e.error_estimates.size())
            text += fmt::format("   (error estimate {:.1e})", e.error_estimates[component]);
        text += "\n";
    };
    const std::size_t streams = e.stream_integrals.size(), none = e.error_estimates.size();
    line("background_integral", e.background_integral, 0);
    for (std::size_t s = 0; s < streams; ++s)
        line(fmt::format("stream_integral {}", s + 1), e.stream_integrals[s], s + 1);
    line("background_likelihood", e.background_likelihood, none);
    for (std::size_t s = 0; s < e.stream_only_likelihoods.size(); ++s)
        line(fmt::format("stream_only_likelihood {}", s + 1), e.stream_only_likelihoods[s], none);
    line("search_likelihood", e.search_likelihood, streams + 1);
    for (std::size_t k = 0; k < result.expected_stars.size(); ++k)
        line(k == 0 ? "expected_stars background" : fmt::format("expected_stars stream {}", k),
             result.expected_stars[k], none);
    for (const int component : e.exact_components)
        text += fmt::format("  {} was integrated point by point\n",
                            component_name(static_cast<std::size_t>(component)));
    for (const std::string& warning : result.warnings) text += warning + "\n";
    return text;
}

}  // namespace

std::int64_t LikelihoodResult::number_of_stars() const {
    std::int64_t stars = 0;
    for (const WedgeResult& wedge : wedges) stars += wedge.number_of_stars;
    return stars;
}

double LikelihoodResult::log10_density_sum() const {
    CompensatedSum<double> sum;
    for (const WedgeResult& wedge : wedges)
        sum.add(wedge.evaluation.search_likelihood * static_cast<double>(wedge.number_of_stars));
    return sum.result();
}

double LikelihoodResult::search_likelihood() const {
    if (wedges.size() == 1) return wedges[0].evaluation.search_likelihood;
    return log10_density_sum() / static_cast<double>(number_of_stars());
}

LikelihoodResult make_likelihood_result(const LikelihoodInput& input,
                                        const std::vector<WedgeInput>& wedges,
                                        std::vector<Evaluation> evaluations) {
    LikelihoodResult result;
    for (std::size_t w = 0; w < wedges.size(); ++w) {
        require_finite(evaluations.at(w), input.parameters[w]);
        WedgeResult wedge{wedges[w].model.wedge,
                          input.parameters[w],
                          input.stars[w],
                          static_cast<std::int64_t>(wedges[w].stars.size()),
                          stars_outside(wedges[w].model, wedges[w].stars),
                          {},
                          {}};
        if (!evaluations[w].memberships.empty())
            wedge.expected_stars = expected_stars(evaluations[w].memberships,
                                                  1 + evaluations[w].stream_integrals.size());
        wedge.warnings = area_warnings(wedges[w].model, input.parameters[w]);
        for (auto& line : star_warnings(wedges[w].model, wedges[w].stars, input.stars[w]))
            wedge.warnings.push_back(std::move(line));
        for (std::string& warning : cut_warnings(evaluations[w], input.parameters[w]))
            wedge.warnings.push_back(std::move(warning));
        for (std::string& warning : empty_stream_warnings(evaluations[w], input.parameters[w]))
            wedge.warnings.push_back(std::move(warning));
        for (std::string& warning : thin_stream_warnings(wedges[w].model, input.parameters[w]))
            wedge.warnings.push_back(std::move(warning));
        wedge.evaluation = std::move(evaluations[w]);
        result.wedges.push_back(std::move(wedge));
    }
    return result;
}

void write_likelihood_result(Group root, const LikelihoodResult& result,
                             const std::vector<WedgeInput>& wedges) {
    const std::size_t count = result.wedges.size();
    for (std::size_t w = 0; w < count; ++w)
        write_wedge(root.group(wedge_group(w, count)), result.wedges[w], wedges[w].stars);
    Group group = root.group("likelihood");
    group.write_attribute("wedges", static_cast<std::int64_t>(count));
    group.write_attribute("number_of_stars", result.number_of_stars());
    group.write_attribute("log10_density_sum", result.log10_density_sum());
    group.write_attribute("search_likelihood", result.search_likelihood());
}

LikelihoodResult read_likelihood_result(const Group& root) {
    LikelihoodResult result;
    constexpr std::int64_t most_wedges = 1 << 20;
    const auto count =
        io::attribute_within(root.open_group("likelihood"), "wedges", 1, most_wedges);
    for (std::int64_t w = 0; w < count; ++w)
        result.wedges.push_back(read_wedge(root.open_group(
            wedge_group(static_cast<std::size_t>(w), static_cast<std::size_t>(count)))));
    return result;
}

std::string report_text(const LikelihoodResult& result) {
    std::string text;
    for (const WedgeResult& wedge : result.wedges) text += report_of(wedge);
    if (result.wedges.size() > 1)
        text += fmt::format("all {} wedges: {}\n  {:<27} {:.17g}\n  {:<27} {:.17g}\n",
                            result.wedges.size(), io::counted(result.number_of_stars(), "star"),
                            "log10_density_sum", result.log10_density_sum(), "search_likelihood",
                            result.search_likelihood());
    return text;
}

}  // namespace tessera::likelihood
