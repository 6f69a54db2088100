#include "docking/model/bond_graph.hpp"

#include <algorithm>
#include <cmath>

#include "docking/model/component_table.hpp"

namespace tessera::docking {

namespace {

constexpr double cell_edge = 3.6;  // Angstrom, more than the longest bond
constexpr double slack = 0.45;     // Angstrom
constexpr double shortest = 0.5;   // Angstrom; nearer atoms lie on each other

/// Covalent radii in Angstrom: Cordero et al., Dalton Trans. (2008) 2832.
double covalent_radius(const std::string& element) {
    static const std::map<std::string, double> radii{
        {"B", 0.84},  {"C", 0.76},  {"N", 0.71},  {"O", 0.66},  {"F", 0.57},
        {"SI", 1.11}, {"P", 1.07},  {"S", 1.05},  {"CL", 1.02}, {"AS", 1.19},
        {"SE", 1.20}, {"BR", 1.20}, {"TE", 1.38}, {"I", 1.39}};
    const auto found = radii.find(element);
    if (found != radii.end()) return found->second;
    return is_metal(element) ? 0 : 0.76;
}

}  // namespace

std::int64_t BondGraph::cell_of(double coordinate) {
    return static_cast<std::int64_t>(std::floor(coordinate / cell_edge));
}

// 21 bits per axis hold 10^6 cells on both sides. Coordinates are below 10^5 A.
std::int64_t BondGraph::key_of(std::int64_t x, std::int64_t y, std::int64_t z) {
    constexpr std::int64_t offset = 1 << 20;
    return ((x + offset) << 42) | ((y + offset) << 21) | (z + offset);
}

BondGraph::BondGraph(const std::vector<io::AtomRecord>& atoms) : atoms_(atoms) {
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        const Vec3 p = atoms[i].position;
        cells_[key_of(cell_of(p.x), cell_of(p.y), cell_of(p.z))].push_back(i);
    }
}

const std::vector<std::size_t>& BondGraph::neighbors(std::size_t i) {
    const auto [place, is_new] = known_.try_emplace(i);
    std::vector<std::size_t>& bonded = place->second;
    const double own = covalent_radius(atoms_[i].element);
    if (!is_new || own == 0) return bonded;
    const Vec3 p = atoms_[i].position;
    const std::int64_t x = cell_of(p.x), y = cell_of(p.y), z = cell_of(p.z);
    const auto look_at = [&](std::int64_t key) {
        const auto cell = cells_.find(key);
        if (cell == cells_.end()) return;
        for (const std::size_t j : cell->second) {
            const double other = covalent_radius(atoms_[j].element), d = length(i, j);
            if (j != i && other > 0 && d > shortest && d < own + other + slack) bonded.push_back(j);
        }
    };
    for (std::int64_t dx = -1; dx <= 1; ++dx)
        for (std::int64_t dy = -1; dy <= 1; ++dy)
            for (std::int64_t dz = -1; dz <= 1; ++dz) look_at(key_of(x + dx, y + dy, z + dz));
    std::ranges::sort(bonded);
    return bonded;
}

int BondGraph::count(std::size_t i, const char* of_element) {
    return static_cast<int>(std::ranges::count_if(
        neighbors(i), [&](std::size_t j) { return atoms_[j].element == of_element; }));
}

bool BondGraph::ends_at(std::size_t i, std::size_t j) {
    const std::vector<std::size_t>& bonded = neighbors(i);
    return bonded.size() == 1 && bonded.front() == j;
}

}  // namespace tessera::docking
