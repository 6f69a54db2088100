#include "orbitals/tiles/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "core/error.hpp"
#include "io/text/counted.hpp"
#include "orbitals/basis/norm_repair.hpp"
#include "orbitals/basis/overlap.hpp"
#include "orbitals/selection/selection.hpp"

namespace tessera::orbitals {

namespace {

using io::MolecularOrbital;
using io::Spin;
using io::Wavefunction;

/// In multiply-adds, for two basis functions.
double work_of_an_overlap(const Wavefunction& frame) {
    constexpr double work = 300, images = 30;  // a usual number
    return work * (frame.lattice ? images : 1);
}

double pairs_of(const Wavefunction& frame) { return std::pow(frame.basis_functions(), 2); }

/// The orbitals that will be evaluated, or the occupied ones if only densities are evaluated.
std::vector<int> evaluated(const OrbitalFrame& frame) {
    std::vector<int> orbitals;
    for (const TrackedOrbital& item : frame.items) orbitals.push_back(item.orbital);
    const auto& all = frame.wavefunction.orbitals;
    for (std::size_t i = 0; frame.items.empty() && i < all.size(); ++i)
        if (is_occupied(all[i])) orbitals.push_back(static_cast<int>(i));
    std::ranges::sort(orbitals);
    const auto repeats = std::ranges::unique(orbitals);
    orbitals.erase(repeats.begin(), repeats.end());
    return orbitals;
}

/// The orbitals of evaluated(), then others in the order of the file as far as `work` reaches.
/// Reduces `work` by their costs.
std::vector<int> to_check(const OrbitalFrame& frame, double& work) {
    std::vector<int> orbitals = evaluated(frame);
    const std::size_t asked_for = orbitals.size();
    const double cost = pairs_of(frame.wavefunction) / 2;  // S is symmetric
    for (int i = 0; i < std::ssize(frame.wavefunction.orbitals) && work >= cost; ++i) {
        if (std::binary_search(orbitals.begin(),
                               orbitals.begin() + static_cast<std::ptrdiff_t>(asked_for), i))
            continue;
        orbitals.push_back(i);
        work -= cost;
    }
    return orbitals;
}

std::string repeated(const Wavefunction& frame, const std::string& place) {
    std::vector<const MolecularOrbital*> sorted;
    for (const MolecularOrbital& orbital : frame.orbitals) sorted.push_back(&orbital);
    const auto key = [](const MolecularOrbital* o) { return std::tie(o->spin, o->coefficients); };
    // The sort is stable, so the first orbitals of the file are named.
    std::ranges::stable_sort(sorted, [&](auto* a, auto* b) { return key(a) < key(b); });
    const auto same = [&](auto* a, auto* b) { return key(a) == key(b); };
    const auto twin = std::ranges::adjacent_find(sorted, same);
    if (twin == sorted.end()) return {};
    const auto number = [&](const MolecularOrbital* o) { return o - frame.orbitals.data() + 1; };
    return fmt::format(
        "orbitals {} and {} of '{}'{} have the same spin and the same coefficients (was the file "
        "edited by hand, or does it lack spins?)",
        number(twin[0]), number(twin[1]), frame.path, place);
}

std::string too_many(const Wavefunction& frame, const std::string& place) {
    const auto beta = std::ranges::count(frame.orbitals, Spin::beta, &MolecularOrbital::spin);
    const auto most = std::max(beta, std::ssize(frame.orbitals) - beta);
    if (most <= frame.basis_functions()) return {};
    return fmt::format("'{}'{} holds {} orbitals of one spin over {}: they cannot "
                       "all be different (does it lack spins, or hold several sets of orbitals?)",
                       frame.path, place, most,
                       io::counted(frame.basis_functions(), "basis function"));
}

/// Orbitals of an isolated molecule in a large cell have the norm 1 without a lattice, too. If they
/// have not, the parts in neighbouring cells overlap those of this one, and values would lack them.
/// With a lattice, few digits of a file explain small deviations, but not large ones.
void refuse_cell(const Wavefunction& frame, const std::vector<int>& orbitals,
                 const std::string& place) {
    constexpr double most = 0.02;
    if (frame.lattice) {
        const double error = worst_norm_error(frame, orbitals);
        if (error <= most) return;
        throw Error(
            fmt::format("cannot evaluate the periodic system of '{}'{}", frame.path, place),
            fmt::format("summed over all cells, the norms of its orbitals differ from 1 by up to "
                        "{:.2g}",
                        error),
            "check the cell and its unit, and give orbitals of the Gamma point, not of k points");
    }
    throw Error(fmt::format("cannot evaluate the periodic system of '{}'{}", frame.path, place),
                "without the neighbouring cells the norms of its orbitals are not 1",
                "give a calculation of the molecule in a larger cell, or the program's own cube");
}

/// The findings in a file: norms, repeated orbitals, too many orbitals. After the first of each
/// kind the file is not searched for more.
struct Findings {
    std::array<std::string, 3> lines;

    void look(const OrbitalFrame& frame, const std::string& place, double& work) {
        const Wavefunction& w = frame.wavefunction;
        if (lines[0].empty()) {
            const std::vector<int> orbitals = to_check(frame, work);
            lines[0] = norm_warning(w, orbitals, place);
            if (w.is_periodic && !lines[0].empty()) refuse_cell(w, orbitals, place);
        }
        if (lines[1].empty()) lines[1] = repeated(w, place);
        if (lines[2].empty()) lines[2] = too_many(w, place);
    }
};

}  // namespace

std::vector<std::string> check_orbitals(const std::vector<OrbitalFrame>& frames, double work) {
    std::vector<std::string> warnings;
    const auto begins_file = [&](std::size_t f) {
        return f == 0 || frames[f].wavefunction.path != frames[f - 1].wavefunction.path;
    };
    std::ptrdiff_t files = 0;
    for (std::size_t f = 0; f < frames.size(); ++f) files += begins_file(f) ? 1 : 0;
    const double share = work / static_cast<double>(files);
    double left = 0;  // a file leaves the work that it does not need to the next file
    Findings of_file;
    const auto finish_file = [&] {
        for (const std::string& line : of_file.lines)
            if (!line.empty()) warnings.push_back(line);
        of_file = {};
    };
    for (std::size_t f = 0; f < frames.size(); ++f) {
        const OrbitalFrame& frame = frames[f];
        const double cost = work_of_an_overlap(frame.wavefunction) * pairs_of(frame.wavefunction);
        if (begins_file(f)) {
            finish_file();
            left += share;
        } else if (left >= cost) {
            left -= cost;
        } else {
            continue;
        }
        const std::string place = frames.size() > 1 ? fmt::format(" (frame {})", frame.number) : "";
        of_file.look(frame, place, left);
    }
    finish_file();
    return warnings;
}

}  // namespace tessera::orbitals
