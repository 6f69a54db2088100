#include "orbitals/basis/folded_basis.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <tuple>

#include "orbitals/basis/gaussian_norms.hpp"
#include "orbitals/basis/periodic_images.hpp"

namespace tessera::orbitals {

namespace {

// Groups are sorted by element, exponent (largest first) and atom.
using GroupKey = std::tuple<int, double, int>;

GroupKey key_of(const std::vector<int>& charges, const io::BasisShell& shell,
                std::size_t primitive) {
    return {charges[static_cast<std::size_t>(shell.atom)], -shell.exponents[primitive], shell.atom};
}

bool same_kind(const io::BasisShell& a, const io::BasisShell& b) {
    return a.l == b.l && a.spherical == b.spherical && a.exponents == b.exponents &&
           a.coefficients == b.coefficients;
}

}  // namespace

FoldedBasis::FoldedBasis(const io::Wavefunction& wavefunction) : shells_(wavefunction.shells) {
    for (const io::Nucleus& nucleus : wavefunction.nuclei) charges_.push_back(nucleus.charge);
    place_shells();
}

bool FoldedBasis::is_of(const io::Wavefunction& wavefunction) const {
    return std::ranges::equal(charges_, wavefunction.nuclei, {}, {}, &io::Nucleus::charge) &&
           std::ranges::equal(shells_, wavefunction.shells,
                              [](const io::BasisShell& a, const io::BasisShell& b) {
                                  return a.atom == b.atom && same_kind(a, b);
                              });
}

void FoldedBasis::place_shells() {
    std::map<GroupKey, int> index;  // at first the highest l of each group, later its place
    for (const io::BasisShell& shell : shells_)
        for (std::size_t p = 0; p < shell.exponents.size(); ++p) {
            int& l = index[key_of(charges_, shell, p)];
            l = std::max(l, shell.l);
        }
    for (auto& [key, value] : index) {
        const auto [charge, negative_exponent, atom] = key;
        groups_.push_back({{}, -negative_exponent, value, static_cast<int>(width_)});
        group_atoms_.push_back(atom);
        width_ += static_cast<std::size_t>(kernels::monomials(value));
        value = static_cast<int>(groups_.size()) - 1;
    }
    for (const io::BasisShell& shell : shells_) {
        placed_.push_back({kind_of(shell), places_.size()});
        const int lower_degrees = shell.l == 0 ? 0 : kernels::monomials(shell.l - 1);
        for (std::size_t p = 0; p < shell.exponents.size(); ++p) {
            const int group = index.at(key_of(charges_, shell, p));
            places_.push_back(static_cast<std::size_t>(
                groups_[static_cast<std::size_t>(group)].first + lower_degrees));
        }
    }
}

int FoldedBasis::kind_of(const io::BasisShell& shell) {
    const auto known = std::ranges::find_if(
        kinds_, [&](const ShellKind& kind) { return same_kind(*kind.shell, shell); });
    if (known == kinds_.end()) {
        ShellKind kind{&shell, shell.functions(), {}, radial_coefficients(shell)};
        const auto functions = angular_functions(shell.l, shell.spherical);
        for (std::size_t k = 0; k < functions.size(); ++k)
            for (std::size_t m = 0; m < functions[k].size(); ++m)
                if (functions[k][m] != 0)
                    kind.angular.push_back(
                        {static_cast<int>(k), static_cast<int>(m), functions[k][m]});
        kinds_.push_back(std::move(kind));
        return static_cast<int>(kinds_.size()) - 1;
    }
    return static_cast<int>(known - kinds_.begin());
}

// Adds sum_k C_k A_k(x, y, z) times each primitive's radial factor to the row.
template <int L>
void FoldedBasis::add_shell(const Shell& shell, const double* coefficients, double* row) const {
    constexpr std::size_t monomials = (L + 1) * (L + 2) / 2;
    const ShellKind& kind = kinds_[static_cast<std::size_t>(shell.kind)];
    std::array<double, monomials> polynomial{};
    for (const AngularTerm& term : kind.angular)
        polynomial[static_cast<std::size_t>(term.monomial)] +=
            coefficients[term.function] * term.factor;
    const std::size_t* place = places_.data() + shell.first_place;
    for (const double radial : kind.radial) {
        double* const to = row + *place++;
        for (std::size_t m = 0; m < monomials; ++m) to[m] += radial * polynomial[m];
    }
}

void FoldedBasis::fold_row(const double* coefficients, double* row) const {
    static_assert(io::highest_l == 5);
    for (const Shell& shell : placed_) {
        const ShellKind& kind = kinds_[static_cast<std::size_t>(shell.kind)];
        switch (kind.shell->l) {
            case 0: add_shell<0>(shell, coefficients, row); break;
            case 1: add_shell<1>(shell, coefficients, row); break;
            case 2: add_shell<2>(shell, coefficients, row); break;
            case 3: add_shell<3>(shell, coefficients, row); break;
            case 4: add_shell<4>(shell, coefficients, row); break;
            default: add_shell<5>(shell, coefficients, row); break;
        }
        coefficients += kind.functions;
    }
}

void FoldedBasis::fold(const io::Wavefunction& wavefunction, const std::vector<int>& orbitals,
                       kernels::OrbitalProblem& problem) const {
    problem.groups = groups_;
    for (std::size_t g = 0; g < groups_.size(); ++g)
        problem.groups[g].center =
            wavefunction.nuclei[static_cast<std::size_t>(group_atoms_[g])].position;
    problem.coefficients.resize(orbitals.size());
    for (const int orbital : orbitals)
        if (orbital < 0 || orbital >= std::ssize(wavefunction.orbitals))
            throw std::out_of_range("fold: no such orbital");
#pragma omp parallel for if (orbitals.size() * width_ > 65536)
    for (std::size_t o = 0; o < orbitals.size(); ++o) {
        problem.coefficients[o].assign(width_, 0.0);
        fold_row(wavefunction.orbitals[static_cast<std::size_t>(orbitals[o])].coefficients.data(),
                 problem.coefficients[o].data());
    }
    if (wavefunction.lattice) add_images(*wavefunction.lattice, problem);
}

void fold_orbitals(const io::Wavefunction& wavefunction, const std::vector<int>& orbitals,
                   kernels::OrbitalProblem& problem) {
    FoldedBasis(wavefunction).fold(wavefunction, orbitals, problem);
}

}  // namespace tessera::orbitals
