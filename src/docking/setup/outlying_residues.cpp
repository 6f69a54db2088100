#include "docking/setup/outlying_residues.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

/// A sphere's farthest point is 1.26 times as far from its centre as the median point, and that of
/// a rod twice. Beyond this there is a tail.
constexpr double farther_than_median = 2.2;
constexpr double most_of_partner = 0.15;

using Residues = std::set<int>;  ///< values of AtomRecord::residue_index

Vec3 center_of(const std::vector<Vec3>& points) {
    Vec3 sum;
    for (const Vec3& p : points) sum = sum + p;
    return (1.0 / static_cast<double>(points.size())) * sum;
}

/// The outlying residues of a partner, and the number of all its residues.
struct Outliers {
    Residues residues;
    std::size_t of = 0;
};

Outliers outliers_of(const DockedPartner& partner) {
    std::vector<Vec3> places;  // of each residue: its C-alpha, or else its first atom
    std::vector<int> indices;
    for (const io::AtomRecord& atom : partner.structure.atoms) {
        if (indices.empty() || indices.back() != atom.residue_index) {
            indices.push_back(atom.residue_index);
            places.push_back(atom.position);
        } else if (atom.name == "CA") {
            places.back() = atom.position;
        }
    }
    const Vec3 center = center_of(places);
    std::vector<double> distances;
    for (const Vec3& p : places) distances.push_back(std::sqrt(distance_squared(p, center)));
    std::vector<double> sorted = distances;
    std::ranges::sort(sorted);
    const double most = farther_than_median * sorted[sorted.size() / 2];
    Outliers found{{}, places.size()};
    for (std::size_t i = 0; i < places.size(); ++i)
        if (distances[i] > most) found.residues.insert(indices[i]);
    if (static_cast<double>(found.residues.size()) >
        most_of_partner * static_cast<double>(places.size()))
        found.residues.clear();
    return found;
}

/// The positions of a partner without some residues, which is all that a frame depends on.
Molecule without(const DockedPartner& partner, const Residues& residues) {
    Molecule rest;
    for (std::size_t i = 0; i < partner.molecule.size(); ++i) {
        const auto atom = static_cast<std::size_t>(partner.molecule.structure_index[i]);
        if (!residues.contains(partner.structure.atoms[atom].residue_index))
            rest.positions.push_back(partner.molecule.positions[i]);
    }
    return rest;
}

/// "A 1-40, A 97": the first ranges of numbers, in file order.
std::string named(const io::Structure& structure, const Residues& residues) {
    struct Range {
        std::string chain;
        int first, last, index;
    };
    std::vector<Range> ranges;
    for (const io::AtomRecord& atom : structure.atoms) {
        if (!residues.contains(atom.residue_index)) continue;
        if (!ranges.empty() && ranges.back().chain == atom.chain &&
            atom.residue_index - ranges.back().index <= 1) {
            ranges.back().last = atom.residue_number;
            ranges.back().index = atom.residue_index;
        } else {
            ranges.push_back(
                {atom.chain, atom.residue_number, atom.residue_number, atom.residue_index});
        }
    }
    constexpr std::size_t most = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, ranges.size()); ++i) {
        const Range& range = ranges[i];
        text += fmt::format("{}{} {}", i > 0 ? ", " : "",
                            range.chain.empty() ? "_" : io::one_line(range.chain, 8), range.first);
        if (range.last != range.first) text += fmt::format("-{}", range.last);
    }
    return ranges.size() > most ? text + fmt::format(" and {} more", ranges.size() - most) : text;
}

int points_without(const DockedPartner& receptor, const Residues& of_receptor,
                   const DockedPartner& ligand, const Residues& of_ligand, double spacing) {
    return make_frame(without(receptor, of_receptor), without(ligand, of_ligand), spacing, 0).n;
}

}  // namespace

std::string outlying_residues_warning(const DockedPartner& receptor, const DockedPartner& ligand,
                                      const DockingFrame& frame) {
    Outliers of_receptor = outliers_of(receptor), of_ligand = outliers_of(ligand);
    if (of_receptor.residues.empty() && of_ligand.residues.empty()) return {};
    const auto points = [&](const Residues& r, const Residues& l) {
        return points_without(receptor, r, ligand, l, frame.spacing);
    };
    const int n = points(of_receptor.residues, of_ligand.residues);
    if (2 * std::pow(n, 3) > std::pow(frame.n, 3)) return {};
    // A partner whose residues do not matter is not named.
    if (points({}, of_ligand.residues) == n) of_receptor.residues.clear();
    if (points(of_receptor.residues, {}) == n) of_ligand.residues.clear();
    std::string who;
    for (const auto& [partner, outliers] :
         {std::pair{&receptor, &of_receptor}, std::pair{&ligand, &of_ligand}})
        if (!outliers->residues.empty())
            who += fmt::format("{}{} of {} residues of the {} ({})", who.empty() ? "" : " and ",
                               outliers->residues.size(), outliers->of, partner->role,
                               named(partner->structure, outliers->residues));
    return fmt::format(
        "{} stick out and enlarge the grid from {}^3 to {}^3 points, {:.1f} times the work: if "
        "they are a disordered tail, remove them from the file",
        who, n, frame.n, std::pow(static_cast<double>(frame.n) / n, 3));
}

}  // namespace tessera::docking
