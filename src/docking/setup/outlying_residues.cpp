#include "docking/setup/outlying_residues.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "docking/model/listed_residues.hpp"
#include "io/proteins/nucleotides.hpp"
#include "io/text/counted.hpp"

namespace tessera::docking {

namespace {

/// A sphere's farthest point is 1.26 times as far from its centre as the median point, and that of
/// a rod twice. Beyond this there is a tail.
constexpr double farther_than_median = 2.2;
constexpr double most_of_partner = 0.15;

Vec3 center_of(const std::vector<Vec3>& points) {
    Vec3 sum;
    for (const Vec3& p : points) sum = sum + p;
    return (1.0 / static_cast<double>(points.size())) * sum;
}

/// The residues of a partner in file order, and the place of each: its C-alpha, or else its first
/// atom.
struct Places {
    std::vector<int> indices;
    std::vector<Vec3> places;
};

Places places_of(const io::Structure& structure) {
    Places found;
    for (const io::AtomRecord& atom : structure.atoms) {
        if (found.indices.empty() || found.indices.back() != atom.residue_index) {
            found.indices.push_back(atom.residue_index);
            found.places.push_back(atom.position);
        } else if (io::is_trace(atom)) {
            found.places.back() = atom.position;
        }
    }
    return found;
}

ResidueSet outliers_of(const Places& partner) {
    const auto& [indices, places] = partner;
    const Vec3 center = center_of(places);
    std::vector<double> distances;
    distances.reserve(places.size());
    for (const Vec3& p : places) distances.push_back(std::sqrt(distance_squared(p, center)));
    std::vector<double> sorted = distances;
    std::ranges::sort(sorted);
    const double most = farther_than_median * sorted[sorted.size() / 2];
    ResidueSet found;
    for (std::size_t i = 0; i < places.size(); ++i)
        if (distances[i] > most) found.insert(indices[i]);
    if (static_cast<double>(found.size()) > most_of_partner * static_cast<double>(places.size()))
        found.clear();
    return found;
}

/// The positions of a partner without some residues, which is all that a frame depends on.
Molecule without(const io::Structure& structure, const ResidueSet& residues) {
    Molecule rest;
    for (const io::AtomRecord& atom : structure.atoms)
        if (!residues.contains(atom.residue_index)) rest.positions.push_back(atom.position);
    return rest;
}

}  // namespace

PartnerOutline outline_of(const io::Structure& structure) {
    const Places places = places_of(structure);
    const ResidueSet outliers = outliers_of(places);
    PartnerOutline outline{without(structure, {}), {}, outliers.size(), places.indices.size(), {}};
    if (outliers.empty()) return outline;
    outline.core = without(structure, outliers);
    outline.named = listed(structure, outliers);
    return outline;
}

std::string outlying_residues_warning(const PartnerOutline& receptor, const PartnerOutline& ligand,
                                      const DockingFrame& frame) {
    if (receptor.outlying == 0 && ligand.outlying == 0) return {};
    const auto core_of = [](const PartnerOutline& outline) -> const Molecule& {
        return outline.outlying > 0 ? outline.core : outline.whole;
    };
    const auto points = [&](const Molecule& r, const Molecule& l) {
        return make_frame(r, l, frame.spacing, 0).n;
    };
    const int n = points(core_of(receptor), core_of(ligand));
    if (2 * std::pow(n, 3) > std::pow(frame.n, 3)) return {};
    // A partner whose residues do not matter is not named.
    const bool receptor_matters = points(receptor.whole, core_of(ligand)) != n;
    const bool ligand_matters =
        points(receptor_matters ? core_of(receptor) : receptor.whole, ligand.whole) != n;
    std::string who;
    const auto name = [&](const char* role, const PartnerOutline& outline) {
        who +=
            fmt::format("{}{} of {} of the {} ({})", who.empty() ? "" : " and ", outline.outlying,
                        io::counted(outline.residues, "residue"), role, outline.named);
    };
    if (receptor_matters) name("receptor", receptor);
    if (ligand_matters) name("ligand", ligand);
    return fmt::format(
        "{} stick out and enlarge the grid from {}^3 to {}^3 points, {:.1f} times the work: if "
        "they are a disordered tail, remove them from the file",
        who, n, frame.n, std::pow(static_cast<double>(frame.n) / n, 3));
}

}  // namespace tessera::docking
