// The bonds of heavy atoms, by distance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// Finds the neighbours of single atoms, so that the bonds of the protein are not needed.
class BondGraph {
  public:
    /// `atoms` must outlive the graph.
    explicit BondGraph(const std::vector<io::AtomRecord>& atoms);

    /// The atoms that are bonded to atom i, ascending.
    const std::vector<std::size_t>& neighbors(std::size_t i);

    const std::string& element(std::size_t i) const { return atoms_[i].element; }
    /// Length in Angstrom.
    double length(std::size_t i, std::size_t j) const {
        return norm(atoms_[i].position - atoms_[j].position);
    }
    Vec3 position(std::size_t i) const { return atoms_[i].position; }

    /// How many neighbours of atom i have this element.
    int count(std::size_t i, const char* of_element);

    /// Whether atom i has no other neighbour than j.
    bool ends_at(std::size_t i, std::size_t j);

  private:
    static std::int64_t cell_of(double coordinate);
    static std::int64_t key_of(std::int64_t x, std::int64_t y, std::int64_t z);

    const std::vector<io::AtomRecord>& atoms_;
    std::unordered_map<std::int64_t, std::vector<std::size_t>> cells_;
    std::map<std::size_t, std::vector<std::size_t>> known_;
};

}  // namespace tessera::docking
