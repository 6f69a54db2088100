#include "orbitals/basis/merged_basis.hpp"

#include <algorithm>

namespace tessera::orbitals {

namespace {

bool same_functions(const io::BasisShell& a, const io::BasisShell& b) {
    return a.atom == b.atom && a.l == b.l && a.spherical == b.spherical &&
           a.exponents == b.exponents && a.coefficients == b.coefficients;
}

bool same_place(Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

}  // namespace

int MergedBasis::atom_like(const io::Nucleus& nucleus) {
    const auto known = std::ranges::find_if(nuclei_, [&](const io::Nucleus& other) {
        return other.charge == nucleus.charge && same_place(other.position, nucleus.position);
    });
    const auto index = static_cast<int>(known - nuclei_.begin());
    if (known == nuclei_.end()) nuclei_.push_back(nucleus);
    return index;
}

/// The first function of a shell that the same wavefunction has not taken yet: it may have several
/// equal shells.
std::size_t MergedBasis::place_of(const io::BasisShell& shell, std::vector<bool>& taken) {
    for (std::size_t s = 0; s < taken.size(); ++s) {
        if (taken[s] || !same_functions(shells_[s], shell)) continue;
        taken[s] = true;
        return first_function_[s];
    }
    shells_.push_back(shell);
    first_function_.push_back(functions_);
    functions_ += static_cast<std::size_t>(shell.functions());
    return first_function_.back();
}

void MergedBasis::add(const io::Wavefunction& wavefunction) {
    std::vector<int> atoms;
    for (const io::Nucleus& nucleus : wavefunction.nuclei) atoms.push_back(atom_like(nucleus));
    std::vector<bool> taken(shells_.size(), false);  // only of former wavefunctions
    std::vector<std::size_t>& places = places_.emplace_back();
    for (io::BasisShell shell : wavefunction.shells) {
        shell.atom = atoms[static_cast<std::size_t>(shell.atom)];
        const std::size_t first = place_of(shell, taken);
        for (int k = 0; k < shell.functions(); ++k)
            places.push_back(first + static_cast<std::size_t>(k));
    }
}

std::vector<double> MergedBasis::expanded(std::size_t number,
                                          const std::vector<double>& coefficients) const {
    std::vector<double> all(functions_, 0.0);
    for (std::size_t k = 0; k < coefficients.size(); ++k) all[places_[number][k]] = coefficients[k];
    return all;
}

bool same_basis(const io::Wavefunction& a, const io::Wavefunction& b) {
    return std::ranges::equal(a.nuclei, b.nuclei, {}, &io::Nucleus::charge, &io::Nucleus::charge) &&
           std::ranges::equal(a.shells, b.shells, same_functions);
}

}  // namespace tessera::orbitals
