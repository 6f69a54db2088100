#include "orbitals/tiles/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/error.hpp"
#include "core/units.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/selection/text_lists.hpp"
#include "orbitals/tiles/cell_edges.hpp"

namespace tessera::orbitals {

namespace {

bool take_bohr(std::string& text) {
    if (!text.ends_with("bohr")) return false;
    text.resize(text.size() - 4);
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return true;
}

/// The shape is in doubles, so that no number of points overflows.
void check_size(const std::array<double, 3>& shape) {
    const double points = shape[0] * shape[1] * shape[2];
    if (points > most_points)
        throw Error(fmt::format("a grid of {:.0f} x {:.0f} x {:.0f} points is too large", shape[0],
                                shape[1], shape[2]),
                    fmt::format("{:.2g} points, at most {:.2g}", points, most_points),
                    "use a coarser --spacing, a smaller --padding or your own --origin and --grid");
    if (shape[0] * shape[1] > most_plane_points)
        throw Error(fmt::format("a grid of {:.0f} x {:.0f} points in a plane is too large",
                                shape[0], shape[1]),
                    fmt::format("at most {:.2g}", most_plane_points),
                    "use a coarser --spacing or lay the long axis along z");
}

}  // namespace

std::vector<double> parse_lengths(const std::string& option, const std::string& text,
                                  std::size_t count, bool one_for_all, LengthRange range) {
    const auto bad = [&](const std::string& why) {
        return Error(option + ": '" + io::one_line(text) + "' is not a length", why,
                     count == 3 ? "use for example 0.1,0.1,0.2 in Angstrom or 0.2,0.2,0.4bohr"
                                : "use for example 3 in Angstrom or 6bohr");
    };
    std::string body = text;
    const bool all_in_bohr = take_bohr(body);
    std::vector<double> lengths;
    for (std::string& piece : split_list(body)) {
        const bool in_bohr = take_bohr(piece) || all_in_bohr;
        const auto value = real_number(piece);
        if (!value) throw bad("it is not a number");
        lengths.push_back(in_bohr ? *value : *value / units::bohr_in_angstrom);
        if (lengths.back() >= range.low && lengths.back() <= range.high) continue;
        const double unit = in_bohr ? 1 : units::bohr_in_angstrom;
        const char* const name = in_bohr ? "bohr" : "Angstrom";
        throw Error(fmt::format("{} {:g} {} is out of range", option, *value, name),
                    "nothing was computed",
                    fmt::format("choose between {:g} and {:g} {}", range.low * unit,
                                range.high * unit, name));
    }
    if (one_for_all && lengths.size() == 1) lengths.resize(count, lengths[0]);
    if (lengths.size() != count)
        throw bad(fmt::format("{} where {} needed", io::counted(lengths.size(), "number"),
                              count == 1 ? "1 is" : fmt::format("{} are", count)));
    return lengths;
}

std::array<std::int64_t, 3> parse_shape(const std::string& option, const std::string& text) {
    const auto bad = [&](const std::string& why) {
        return Error(option + ": '" + io::one_line(text) + "' is not a grid", why,
                     "use for example 120,120,100, or cell");
    };
    const auto pieces = split_list(text);
    if (pieces.size() != 3) throw bad("three numbers of points are needed");
    std::array<std::int64_t, 3> shape{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::string& piece = pieces[axis];
        const char* const last = piece.data() + piece.size();
        const auto [end, code] = std::from_chars(piece.data(), last, shape[axis]);
        if (piece.empty() || code != std::errc() || end != last || shape[axis] < 1)
            throw bad("the numbers of points must be whole and at least 1");
    }
    return shape;
}

UniformGrid make_grid(const OrbitalInput& input,
                      const std::vector<const io::Wavefunction*>& frames) {
    UniformGrid grid;
    grid.spacing = input.spacing;
    if (input.cell_grid) {
        const Vec3 edges = cell_edges(frames);
        const auto points = [](double edge, double step) { return std::ceil(edge / step - 1e-9); };
        const std::array<double, 3> wanted{points(edges.x, input.spacing.x),
                                           points(edges.y, input.spacing.y),
                                           points(edges.z, input.spacing.z)};
        check_size(wanted);
        std::ranges::transform(wanted, grid.shape.begin(),
                               [](double n) { return static_cast<std::int64_t>(n); });
        grid.spacing = {edges.x / wanted[0], edges.y / wanted[1], edges.z / wanted[2]};
        grid.origin = input.origin.value_or(Vec3{});
        return grid;
    }
    if (input.origin && input.shape) {
        std::array<double, 3> wanted{};
        std::ranges::copy(*input.shape, wanted.begin());
        check_size(wanted);
        grid.origin = *input.origin;
        grid.shape = *input.shape;
        return grid;
    }
    Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (const io::Wavefunction* frame : frames)
        for (const io::Nucleus& nucleus : frame->nuclei) {
            const Vec3 at = nucleus.position;
            low = {std::min(low.x, at.x), std::min(low.y, at.y), std::min(low.z, at.z)};
            high = {std::max(high.x, at.x), std::max(high.y, at.y), std::max(high.z, at.z)};
        }
    const double padding = input.padding;
    // Enough points to keep the padding on both sides. Rounding errors must not add a step.
    const auto points = [&](double from, double to, double step) {
        return std::ceil((to - from + 2 * padding) / step - 1e-9) + 1;
    };
    const std::array<double, 3> wanted{points(low.x, high.x, input.spacing.x),
                                       points(low.y, high.y, input.spacing.y),
                                       points(low.z, high.z, input.spacing.z)};
    if (!std::isfinite(wanted[0] + wanted[1] + wanted[2]))
        throw Error("there is no box around the nuclei", "the files hold no positions",
                    "give --origin and --grid");
    check_size(wanted);
    grid.origin = low - padding * Vec3{1, 1, 1};
    for (std::size_t axis = 0; axis < 3; ++axis)
        grid.shape[axis] = static_cast<std::int64_t>(wanted[axis]);
    return grid;
}

}  // namespace tessera::orbitals
