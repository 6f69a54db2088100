#include "docking/repacking/side_chain_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/cross.hpp"

namespace tessera::docking {

namespace {

const std::vector<SideChainKind>& kinds() {
    static const std::vector<SideChainKind> all{
        {"ARG",
         {"N", "CA", "CB", "CG", "CD", "NE", "CZ"},
         {{"CG", 1}, {"CD", 2}, {"NE", 3}, {"CZ", 4}, {"NH1", 4}, {"NH2", 4}}},
        {"ASN", {"N", "CA", "CB", "CG", "OD1"}, {{"CG", 1}, {"OD1", 2}, {"ND2", 2}}},
        {"ASP", {"N", "CA", "CB", "CG", "OD1"}, {{"CG", 1}, {"OD1", 2}, {"OD2", 2}}, true},
        {"CYS", {"N", "CA", "CB", "SG"}, {{"SG", 1}}},
        {"GLN",
         {"N", "CA", "CB", "CG", "CD", "OE1"},
         {{"CG", 1}, {"CD", 2}, {"OE1", 3}, {"NE2", 3}}},
        {"GLU",
         {"N", "CA", "CB", "CG", "CD", "OE1"},
         {{"CG", 1}, {"CD", 2}, {"OE1", 3}, {"OE2", 3}},
         true},
        {"HIS",
         {"N", "CA", "CB", "CG", "ND1"},
         {{"CG", 1}, {"ND1", 2}, {"CD2", 2}, {"CE1", 2}, {"NE2", 2}}},
        {"ILE", {"N", "CA", "CB", "CG1", "CD1"}, {{"CG1", 1}, {"CG2", 1}, {"CD1", 2}}},
        {"LEU", {"N", "CA", "CB", "CG", "CD1"}, {{"CG", 1}, {"CD1", 2}, {"CD2", 2}}},
        {"LYS",
         {"N", "CA", "CB", "CG", "CD", "CE", "NZ"},
         {{"CG", 1}, {"CD", 2}, {"CE", 3}, {"NZ", 4}}},
        {"MET", {"N", "CA", "CB", "CG", "SD", "CE"}, {{"CG", 1}, {"SD", 2}, {"CE", 3}}},
        {"PHE",
         {"N", "CA", "CB", "CG", "CD1"},
         {{"CG", 1}, {"CD1", 2}, {"CD2", 2}, {"CE1", 2}, {"CE2", 2}, {"CZ", 2}},
         true},
        {"SER", {"N", "CA", "CB", "OG"}, {{"OG", 1}}},
        {"THR", {"N", "CA", "CB", "OG1"}, {{"OG1", 1}, {"CG2", 1}}},
        {"TRP",
         {"N", "CA", "CB", "CG", "CD1"},
         {{"CG", 1},
          {"CD1", 2},
          {"CD2", 2},
          {"NE1", 2},
          {"CE2", 2},
          {"CE3", 2},
          {"CZ2", 2},
          {"CZ3", 2},
          {"CH2", 2}}},
        {"TYR",
         {"N", "CA", "CB", "CG", "CD1"},
         {{"CG", 1}, {"CD1", 2}, {"CD2", 2}, {"CE1", 2}, {"CE2", 2}, {"CZ", 2}, {"OH", 2}},
         true},
        {"VAL", {"N", "CA", "CB", "CG1"}, {{"CG1", 1}, {"CG2", 1}}}};
    return all;
}

}  // namespace

const SideChainKind* side_chain_kind(const std::string& residue) {
    const auto found = std::ranges::find(kinds(), residue, &SideChainKind::residue);
    return found == kinds().end() ? nullptr : &*found;
}

double dihedral_angle(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    const Vec3 u = b - a, v = c - b, w = d - c;
    const Vec3 first = cross(u, v), second = cross(v, w);
    return std::atan2(norm(v) * dot(u, second), dot(first, second)) * 180 / std::numbers::pi;
}

Vec3 turned_about(Vec3 p, Vec3 a, Vec3 b, double degrees) {
    const double angle = degrees * std::numbers::pi / 180;
    const Vec3 axis = (1 / norm(b - a)) * (b - a), x = p - a;
    return a + std::cos(angle) * x + std::sin(angle) * cross(axis, x) +
           (1 - std::cos(angle)) * dot(axis, x) * axis;
}

std::vector<double> chi_angles(const SideChainKind& kind, const SideChainAtoms& atoms) {
    std::vector<double> chis;
    chis.reserve(kind.chis());
    for (int k = 0; k < kind.chis(); ++k)
        chis.push_back(dihedral_angle(atoms.chain[k], atoms.chain[k + 1], atoms.chain[k + 2],
                                      atoms.chain[k + 3]));
    return chis;
}

std::vector<Vec3> with_chi_angles(const SideChainKind& kind, const SideChainAtoms& atoms,
                                  const std::vector<double>& chis) {
    SideChainAtoms turned = atoms;
    const std::vector<double> former = chi_angles(kind, atoms);
    for (int k = 0; k < kind.chis(); ++k) {
        const Vec3 a = turned.chain[k + 1], b = turned.chain[k + 2];
        for (std::size_t i = k + 3; i < turned.chain.size(); ++i)
            turned.chain[i] = turned_about(turned.chain[i], a, b, chis[k] - former[k]);
        for (std::size_t i = 0; i < turned.moving.size(); ++i)
            if (kind.moving[i].second > k)
                turned.moving[i] = turned_about(turned.moving[i], a, b, chis[k] - former[k]);
    }
    return turned.moving;
}

}  // namespace tessera::docking
