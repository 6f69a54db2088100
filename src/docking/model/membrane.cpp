#include "docking/model/membrane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>

#include "core/error.hpp"
#include "io/text/one_line.hpp"
#include "kokkos_kernels/docking/ring_pose.hpp"

namespace tessera::docking {

namespace {

/// The numbers of "1,-2,inf", or nothing for any other text.
std::optional<std::vector<double>> numbers_of(std::string_view text) {
    std::vector<double> numbers;
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
        double number = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, number);
        if (error != std::errc() || std::isnan(number)) return std::nullopt;
        numbers.push_back(number);
        text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
        if (text.empty()) return numbers;
        if (text.front() != ',') return std::nullopt;
        text.remove_prefix(1);
    }
}

Slab parse_slab(const std::string& option, const std::string& bounds, const std::string& axis) {
    const auto ends = numbers_of(bounds);
    if (!ends || ends->size() != 2 || !((*ends)[0] < (*ends)[1]))
        throw Error(option + " '" + io::one_line(bounds, 40) + "' is not a slab",
                    "it takes the lower and the upper bound in Angstrom",
                    "write them as " + option + " -15,15");
    if (std::isinf((*ends)[0]) && std::isinf((*ends)[1]))
        throw Error(option + " '" + io::one_line(bounds, 40) + "' leaves no place for a pose",
                    "both bounds are infinite", "give one bound, such as " + option + " -15,inf");
    const auto normal = numbers_of(axis);
    const Vec3 v =
        normal && normal->size() == 3 ? Vec3{(*normal)[0], (*normal)[1], (*normal)[2]} : Vec3{};
    const double length = norm(v);
    if (!(length > 1e-6 && length < 1e6))
        throw Error(option + "-axis '" + io::one_line(axis, 40) + "' is not a direction",
                    "it takes three numbers that are not all 0",
                    "write " + option + "-axis 0,0,1 for the z axis");
    return {(1 / length) * v, (*ends)[0], (*ends)[1]};
}

void require_range(const char* option, double value, double low, double high) {
    if (!(value >= low && value <= high))
        throw Error(fmt::format("{} {} is out of range", option, value), "nothing was computed",
                    fmt::format("choose between {} and {}", low, high));
}

/// Throws Error if an option has another value than its default.
void require_unused(const MembraneOptions& options, const std::vector<std::string>& names,
                    const std::string& problem, const char* why, const char* remedy) {
    const MembraneOptions unset;
    const auto refuse = [&](const std::string& name, bool is_used) {
        if (is_used && std::ranges::find(names, name) != names.end())
            throw Error("--membrane-" + name + problem, why, remedy);
    };
    refuse("axis", options.axis != unset.axis);
    refuse("ligand", options.ligand_slab != unset.ligand_slab);
    refuse("ligand-axis", options.ligand_axis != unset.ligand_axis);
    refuse("tolerance", options.tolerance != unset.tolerance);
    refuse("tilt", options.tilt != unset.tilt);
    refuse("shift", options.shift != unset.shift);
}

/// Throws Error for options that the kind of docking does not use.
void require_fitting(const MembraneOptions& options, bool of_ring) {
    if (of_ring)
        require_unused(options, {"ligand", "ligand-axis", "tolerance", "shift"},
                       " cannot be combined with --symmetry",
                       "the axis of the ring is the normal, and all copies lie equally deep",
                       "leave it out, and give --membrane and --membrane-tilt");
    else if (options.ligand_slab.empty())
        require_unused(options, {"ligand-axis", "tilt", "shift"},
                       " is given without --membrane-ligand", "it is for two membrane proteins",
                       "add --membrane-ligand -15,15");
    else
        require_unused(options, {"tolerance"}, " cannot be combined with --membrane-ligand",
                       "a membrane protein lies in the membrane", "leave it out");
}

void require_bounds(const char* option, const Slab& slab) {
    if (!std::isfinite(slab.low) || !std::isfinite(slab.high))
        throw Error(std::string(option) + " has no two bounds",
                    "the middle of the membrane of a membrane protein lies between them",
                    std::string("give both, such as ") + option + " -15,15");
}

std::string text_of(const Slab& slab) {
    return fmt::format("from {:g} to {:g} A along {:g},{:g},{:g}", slab.low, slab.high,
                       slab.normal.x, slab.normal.y, slab.normal.z);
}

}  // namespace

bool Membrane::may_turn(const Quaternion& rotation) const {
    const double least = std::cos(tilt * std::numbers::pi / 180);
    if (of_ring) return std::abs(dot(kernels::axis_of(rotation), slab.normal)) >= least;
    return !ligand || dot(rotation.matrix() * ligand->normal, slab.normal) >= least;
}

std::string Membrane::describe() const {
    const std::string place = text_of(slab);
    if (of_ring) return fmt::format("{}; the axis of the ring within {:g} degrees", place, tilt);
    if (ligand)
        return fmt::format("{}; that of the ligand, {}, within {:g} degrees and {:g} A", place,
                           text_of(*ligand), tilt, shift);
    return fmt::format("{}; no atom of the ligand more than {:g} A inside", place, tolerance);
}

Membrane parse_membrane(const MembraneOptions& options, bool of_ring) {
    require_fitting(options, of_ring);
    require_range("--membrane-tolerance", options.tolerance, 0, 20);
    require_range("--membrane-tilt", options.tilt, 0.1, 90);
    require_range("--membrane-shift", options.shift, 0.1, 50);
    Membrane membrane{parse_slab("--membrane", options.slab, options.axis),
                      {},
                      of_ring,
                      options.tolerance,
                      options.tilt,
                      options.shift};
    if (!options.ligand_slab.empty())
        membrane.ligand = parse_slab("--membrane-ligand", options.ligand_slab, options.ligand_axis);
    const Slab& slab = membrane.slab;
    if (of_ring || membrane.ligand) require_bounds("--membrane", slab);
    if (membrane.ligand) require_bounds("--membrane-ligand", *membrane.ligand);
    if (!of_ring && !membrane.ligand && !(slab.high - slab.low > 2 * options.tolerance))
        throw Error(
            "--membrane '" + io::one_line(options.slab, 40) + "' leaves no membrane",
            fmt::format("atoms may reach {:g} A into it from both sides", options.tolerance),
            "give a thicker slab, or lower --membrane-tolerance");
    return membrane;
}

void require_membrane(const MembraneOptions& options) {
    if (options.is_set()) return;
    require_unused(options, {"axis", "ligand", "ligand-axis", "tolerance", "tilt", "shift"},
                   " is given without --membrane", "there is no membrane in the receptor's frame",
                   "add --membrane -15,15");
}

MembraneFilter::MembraneFilter(const Membrane& membrane, const std::vector<Vec3>& ligand,
                               const DockingFrame& frame)
    : membrane_(membrane), origin_(frame.receptor_center) {
    if (membrane.of_ring) return;
    const Slab& slab = membrane.slab;
    const double level = dot(origin_, slab.normal);
    if (membrane.ligand) {
        // The point of the ligand's middle plane next to its centre.
        const Slab& own = *membrane.ligand;
        const double depth = own.middle() - dot(frame.ligand_center, own.normal);
        const double middle = slab.middle() - level;
        rule_ = {slab.normal,
                 {depth * own.normal},
                 middle - membrane.shift,
                 middle + membrane.shift,
                 true};
        return;
    }
    rule_ = {slab.normal,
             {},
             slab.low + membrane.tolerance - level,
             slab.high - membrane.tolerance - level,
             false};
    rule_->points.reserve(ligand.size());
    for (const Vec3& atom : ligand) rule_->points.push_back(atom - frame.ligand_center);
}

bool MembraneFilter::allows(const kernels::RigidPose& pose) const {
    if (!membrane_.may_turn(pose.rotation)) return false;
    if (!rule_) return true;
    const Matrix3 turn = pose.rotation.matrix();
    const Vec3 shift = pose.translation - origin_;
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const Vec3& point : rule_->points) {
        const double height = dot(turn * point + shift, rule_->normal);
        least = std::min(least, height);
        most = std::max(most, height);
    }
    if (rule_->inside) return least >= rule_->low && most <= rule_->high;
    return most <= rule_->low || least >= rule_->high;
}

}  // namespace tessera::docking
