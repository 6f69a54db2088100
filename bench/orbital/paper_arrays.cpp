#include "bench/orbital/paper_arrays.hpp"

#include <algorithm>
#include <map>
#include <numbers>
#include <numeric>

#include "core/error.hpp"
#include "orbitals/basis/gaussian_norms.hpp"

namespace tessera::bench {

namespace {

using Shells = std::vector<const io::BasisShell*>;

/// Monomial coefficients of a shell in an orbital.
std::vector<double> polynomial(const io::BasisShell& shell, const double* coefficients) {
    const auto angular = orbitals::angular_functions(shell.l, shell.spherical);
    std::vector<double> sum(angular.front().size(), 0.0);
    for (std::size_t k = 0; k < angular.size(); ++k)
        for (std::size_t m = 0; m < sum.size(); ++m) sum[m] += coefficients[k] * angular[k][m];
    return sum;
}

bool same_basis(const Shells& a, const Shells& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto* p, const auto* q) {
        return p->l == q->l && p->exponents == q->exponents && p->coefficients == q->coefficients;
    });
}

}  // namespace

PaperArrays::PaperArrays(const io::Wavefunction& wavefunction, int orbital) {
    const auto& row = wavefunction.orbitals.at(static_cast<std::size_t>(orbital)).coefficients;
    std::vector<Shells> of_atom(wavefunction.nuclei.size());
    std::map<const io::BasisShell*, const double*> place;
    const double* at = row.data();
    for (const io::BasisShell& shell : wavefunction.shells) {
        if (shell.l > paper_degree)
            throw Error("a shell of degree " + std::to_string(shell.l),
                        "the paper's kernels stop at g functions", "use a smaller basis set");
        of_atom[static_cast<std::size_t>(shell.atom)].push_back(&shell);
        place[&shell] = at;
        at += shell.functions();
    }
    std::vector<std::size_t> order(of_atom.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {},
                             [&](std::size_t atom) { return wavefunction.nuclei[atom].charge; });
    const Shells* current = nullptr;
    for (const std::size_t atom : order) {
        if (current == nullptr || !same_basis(*current, of_atom[atom])) {
            current = &of_atom[atom];
            elements.insert(elements.end(),
                            {static_cast<int>(shells.size() / 2), static_cast<int>(current->size()),
                             static_cast<int>(basis.size() / 2)});
            for (const io::BasisShell* shell : *current) {
                const auto radial = orbitals::radial_coefficients(*shell);
                shells.insert(shells.end(), {static_cast<int>(radial.size()), shell->l});
                for (std::size_t p = 0; p < radial.size(); ++p)
                    basis.insert(basis.end(),
                                 {static_cast<float>(shell->exponents[p] * std::numbers::log2e),
                                  static_cast<float>(radial[p])});
            }
        }
        const Vec3& center = wavefunction.nuclei[atom].position;
        positions.insert(positions.end(),
                         {static_cast<float>(center.x), static_cast<float>(center.y),
                          static_cast<float>(center.z),
                          std::bit_cast<float>(static_cast<int>(elements.size() / 3 - 1))});
        for (const io::BasisShell* shell : of_atom[atom])
            for (const double c : polynomial(*shell, place[shell]))
                coefficients.push_back(static_cast<float>(c));
    }
}

}  // namespace tessera::bench
