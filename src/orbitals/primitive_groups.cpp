#include "orbitals/primitive_groups.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <stdexcept>
#include <tuple>

#include "orbitals/gaussian_norms.hpp"

namespace tessera::orbitals {
namespace {

using kernels::PrimitiveGroup;

// Element, exponent (tight first), atom: the order of the groups.
using GroupKey = std::tuple<int, double, int>;

GroupKey key_of(const io::Wavefunction& wavefunction, const io::BasisShell& shell,
                std::size_t primitive) {
    const io::Nucleus& nucleus = wavefunction.nuclei[static_cast<std::size_t>(shell.atom)];
    return {nucleus.charge, -shell.exponents[primitive], shell.atom};
}

// What shells of the same kind share, on whatever atom: each is made once.
struct ShellKind {
    const io::BasisShell* shell = nullptr;     // the first of them
    std::vector<std::vector<double>> angular;  // [function][monomial of degree l]
    std::vector<double> radial;                // [primitive]

    bool is_of(const io::BasisShell& other) const {
        return shell->l == other.l && shell->spherical == other.spherical &&
               shell->exponents == other.exponents && shell->coefficients == other.coefficients;
    }
};

// A shell ready to be folded: where its primitives stand in a row of coefficients.
struct FoldedShell {
    const ShellKind* kind = nullptr;
    std::vector<std::size_t> first;  // [primitive], of the monomials of degree l
};

const ShellKind& kind_of(const io::BasisShell& shell, std::deque<ShellKind>& kinds) {
    for (const ShellKind& kind : kinds)
        if (kind.is_of(shell)) return kind;
    kinds.push_back(
        {&shell, angular_functions(shell.l, shell.spherical), radial_coefficients(shell)});
    return kinds.back();
}

std::map<GroupKey, int> collect_groups(const io::Wavefunction& wavefunction,
                                       std::vector<PrimitiveGroup>& groups) {
    std::map<GroupKey, int> index;  // first the highest l, then the place
    for (const io::BasisShell& shell : wavefunction.shells)
        for (std::size_t p = 0; p < shell.exponents.size(); ++p) {
            int& l = index[key_of(wavefunction, shell, p)];
            l = std::max(l, shell.l);
        }
    groups.clear();
    int first = 0;
    for (auto& [key, value] : index) {
        const auto [charge, negative_exponent, atom] = key;
        const Vec3 center = wavefunction.nuclei[static_cast<std::size_t>(atom)].position;
        groups.push_back({center, -negative_exponent, value, first});
        first += kernels::monomials(value);
        value = static_cast<int>(groups.size()) - 1;
    }
    return index;
}

std::vector<FoldedShell> fold_shells(const io::Wavefunction& wavefunction,
                                     const std::map<GroupKey, int>& index,
                                     const std::vector<PrimitiveGroup>& groups,
                                     std::deque<ShellKind>& kinds) {
    std::vector<FoldedShell> shells;
    for (const io::BasisShell& shell : wavefunction.shells) {
        FoldedShell& folded = shells.emplace_back();
        folded.kind = &kind_of(shell, kinds);
        const int lower_degrees = shell.l == 0 ? 0 : kernels::monomials(shell.l - 1);
        for (std::size_t p = 0; p < shell.exponents.size(); ++p) {
            const int group = index.at(key_of(wavefunction, shell, p));
            folded.first.push_back(static_cast<std::size_t>(
                groups[static_cast<std::size_t>(group)].first + lower_degrees));
        }
    }
    return shells;
}

// Adds sum_k C_k A_k(x, y, z) times each primitive's radial factor to the row.
void add_shell(const FoldedShell& shell, const double* coefficients, std::vector<double>& row) {
    const auto& angular = shell.kind->angular;
    const auto& radial = shell.kind->radial;
    std::array<double, kernels::monomials(io::highest_l)> polynomial{};
    const std::size_t monomials = angular.front().size();
    for (std::size_t k = 0; k < angular.size(); ++k)
        for (std::size_t m = 0; m < monomials; ++m)
            polynomial[m] += coefficients[k] * angular[k][m];
    for (std::size_t p = 0; p < radial.size(); ++p)
        for (std::size_t m = 0; m < monomials; ++m)
            row[shell.first[p] + m] += radial[p] * polynomial[m];
}

}  // namespace

void fold_orbitals(const io::Wavefunction& wavefunction, const std::vector<int>& orbitals,
                   kernels::OrbitalProblem& problem) {
    const std::map<GroupKey, int> index = collect_groups(wavefunction, problem.groups);
    std::deque<ShellKind> kinds;
    const std::vector<FoldedShell> shells = fold_shells(wavefunction, index, problem.groups, kinds);
    const PrimitiveGroup last = problem.groups.empty() ? PrimitiveGroup{} : problem.groups.back();
    const auto width = problem.groups.empty()
                           ? 0
                           : static_cast<std::size_t>(last.first + kernels::monomials(last.l));
    problem.coefficients.resize(orbitals.size());
    for (const int orbital : orbitals)
        if (orbital < 0 || orbital >= std::ssize(wavefunction.orbitals))
            throw std::out_of_range("fold_orbitals: no such orbital");
#pragma omp parallel for if (orbitals.size() * width > 65536)
    for (std::size_t o = 0; o < orbitals.size(); ++o) {
        const double* coefficients =
            wavefunction.orbitals[static_cast<std::size_t>(orbitals[o])].coefficients.data();
        problem.coefficients[o].assign(width, 0.0);
        for (const FoldedShell& shell : shells) {
            add_shell(shell, coefficients, problem.coefficients[o]);
            coefficients += shell.kind->angular.size();
        }
    }
}

}  // namespace tessera::orbitals
