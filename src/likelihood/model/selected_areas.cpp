#include "likelihood/model/selected_areas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "io/text/agreeing.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"
#include "likelihood/model/radial_nodes.hpp"

namespace tessera::likelihood {

namespace {

io::SeenPlace place_of(double mu, double nu, double magnitude, const Vec3& unit) {
    return {mu, nu, magnitude, unit, equatorial_direction(unit)};
}

/// The bin of the magnitude of a cell.
std::ptrdiff_t bin_of(const std::vector<double>& edges, const io::Cells& cells, int cell) {
    return std::ranges::upper_bound(edges, cell_centre(cells, cell)) - edges.begin();
}

std::vector<double> sky_of(const StreamModel& model, const io::Area& area, double magnitude) {
    std::vector<double> sky(static_cast<std::size_t>(area.mu.steps) *
                            static_cast<std::size_t>(area.nu.steps));
    const int columns = static_cast<int>(sky.size());
#pragma omp parallel for if (columns > 4096)
    for (int c = 0; c < columns; ++c) {
        const double mu = cell_centre(area.mu, c / area.nu.steps),
                     nu = cell_centre(area.nu, c % area.nu.steps);
        const Vec3 unit = direction(model.wedge, mu, nu).unit;
        sky[static_cast<std::size_t>(c)] = model.selection->at(place_of(mu, nu, magnitude, unit));
    }
    return sky;
}

void add_parts(const StreamModel& model, std::size_t index, std::vector<SelectedArea>& parts) {
    const io::Area& area = model.areas[index];
    const std::vector<double>& edges = model.selection->magnitudes();
    for (int first = 0, end = 0; first < area.r.steps; first = end) {
        while (end < area.r.steps && bin_of(edges, area.r, end) == bin_of(edges, area.r, first))
            ++end;
        SelectedArea part{area, index, sky_of(model, area, cell_centre(area.r, first))};
        if (std::ranges::none_of(part.sky, [](double share) { return share > 0; })) continue;
        if (end - first < area.r.steps) {
            const double step = area.r.step();
            part.cells.r = {area.r.min + first * step, area.r.min + end * step, end - first};
        }
        parts.push_back(std::move(part));
    }
}

}  // namespace

std::vector<SelectedArea> selected_areas(const StreamModel& model) {
    require_loaded(model);
    std::vector<SelectedArea> parts;
    for (std::size_t area = 0; area < model.areas.size(); ++area) {
        if (!model.selection) {
            parts.push_back({model.areas[area], area, {}});
            continue;
        }
        add_parts(model, area, parts);
        if (parts.empty())
            throw Error(fmt::format("cannot use selection file '{}'",
                                    io::one_line(model.selection_source.file)),
                        "it leaves nothing of the wedge",
                        "check its coordinates against those of the first area");
    }
    return parts;
}

int parts_of_wedge(std::span<const SelectedArea> parts) {
    return static_cast<int>(std::ranges::count(parts, std::size_t{0}, &SelectedArea::area));
}

double completeness_at(const StreamModel& model, const StripeAxes& stripe, const Star& star) {
    if (!model.selection) return 1;
    constexpr double degree = 180 / std::numbers::pi;
    const Vec3 unit = galactic_direction(star.l, star.b).unit;
    const auto along = [&](std::size_t axis) { return dot(unit, stripe.axes[axis]); };
    return model.selection->at(place_of(survey_node + std::atan2(along(1), along(0)) * degree,
                                        std::asin(std::clamp(along(2), -1.0, 1.0)) * degree,
                                        magnitude_at(star.r), unit));
}

void require_selected(const StreamModel& model, std::span<const Star> stars,
                      const std::string& star_file) {
    if (!model.selection) return;
    const StripeAxes stripe = stripe_axes(model.wedge);
    const auto outside = std::ranges::count_if(
        stars, [&](const Star& star) { return !(completeness_at(model, stripe, star) > 0); });
    if (outside > 0)
        throw Error(
            fmt::format("{} of the {} of '{}' {} where the selection is 0", outside,
                        io::counted(stars.size(), "star"), io::one_line(star_file),
                        io::agreeing(outside, "lies", "lie")),
            fmt::format("'{}' has no stars there", io::one_line(model.selection_source.file)),
            "leave these stars out, or correct the selection and its coordinates");
}

void require_loaded(const StreamModel& model) {
    if (!model.selection_source.file.empty() && !model.selection)
        throw Error(fmt::format("the selection file '{}' has not been read",
                                io::one_line(model.selection_source.file)),
                    "the model comes from a result, which has only its name",
                    "evaluate the parameter file");
}

}  // namespace tessera::likelihood
