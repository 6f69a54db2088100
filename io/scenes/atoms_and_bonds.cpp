#include "io/scenes/atoms_and_bonds.hpp"

#include <gemmi/elem.hpp>

#include <map>

#include "core/units.hpp"

namespace tessera::io {

namespace {

constexpr double longest_bond = 1.25;  // in sums of covalent radii
constexpr double shortest_bond = 0.1;  // nearer atoms lie on each other

double covalent_radius(int atomic_number) { return gemmi::Element(atomic_number).covalent_r(); }

}  // namespace

double drawn_atom_radius(int atomic_number) { return 0.18 + 0.14 * covalent_radius(atomic_number); }

std::array<int, 3> element_color(int atomic_number) {
    static const std::map<int, std::array<int, 3>> colors{
        {1, {242, 242, 242}}, {5, {232, 169, 160}}, {6, {85, 85, 85}},     {7, {48, 80, 248}},
        {8, {224, 16, 16}},   {9, {96, 192, 80}},   {14, {200, 168, 120}}, {15, {255, 128, 0}},
        {16, {216, 192, 32}}, {17, {48, 192, 48}},  {35, {166, 41, 41}},   {53, {148, 0, 148}}};
    const auto found = colors.find(atomic_number);
    return found == colors.end() ? std::array<int, 3>{192, 122, 184} : found->second;
}

std::vector<std::pair<std::size_t, std::size_t>> bonds_of(const std::vector<Nucleus>& nuclei) {
    std::vector<double> radii;
    for (const Nucleus& nucleus : nuclei) radii.push_back(covalent_radius(nucleus.charge));
    std::vector<std::pair<std::size_t, std::size_t>> bonds;
    for (std::size_t i = 0; i < nuclei.size(); ++i)
        for (std::size_t j = i + 1; j < nuclei.size(); ++j) {
            if (nuclei[i].charge <= 0 || nuclei[j].charge <= 0) continue;
            const double apart =
                units::bohr_in_angstrom * norm(nuclei[j].position - nuclei[i].position);
            if (apart > shortest_bond && apart < longest_bond * (radii[i] + radii[j]))
                bonds.emplace_back(i, j);
        }
    return bonds;
}

}  // namespace tessera::io
