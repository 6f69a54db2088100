#include "orbitals/basis/natural_transition_orbitals.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>

#include "core/error.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/basis/overlap.hpp"
#include "orbitals/basis/symmetric_matrix.hpp"

namespace tessera::orbitals {

namespace {

using io::MolecularOrbital;
using io::Spin;
using io::Wavefunction;

constexpr const char* option = "--natural-transition-orbitals";

/// The orbitals of one spin: their coefficients, and how much of each is occupied, from 0 to 1.
struct SpinOrbitals {
    Matrix coefficients;
    std::vector<double> occupied;
};

bool is_unrestricted(const Wavefunction& frame) {
    return std::ranges::count(frame.orbitals, Spin::beta, &MolecularOrbital::spin) > 0;
}

/// In a restricted frame the orbitals of both spins are the same. Single electrons are alpha.
SpinOrbitals orbitals_of(const Wavefunction& frame, Spin spin) {
    const bool unrestricted = is_unrestricted(frame);
    SpinOrbitals found{zeros(0, static_cast<std::size_t>(frame.basis_functions())), {}};
    for (const MolecularOrbital& one : frame.orbitals) {
        if (unrestricted && one.spin != spin) continue;
        ++found.coefficients.rows;
        found.coefficients.values.insert(found.coefficients.values.end(), one.coefficients.begin(),
                                         one.coefficients.end());
        const bool second = !unrestricted && spin == Spin::beta;
        found.occupied.push_back(std::clamp(one.occupation - (second ? 1 : 0), 0.0, 1.0));
    }
    return found;
}

/// One pair: orbitals as sums of those of the frame, and the singular value.
struct Pair {
    Spin spin = Spin::alpha;
    double value = 0;
    std::vector<double> hole, electron;
};

/// Indices of the rows that are not 0 beside the largest element.
std::vector<std::size_t> rows_in_use(const Matrix& d, double largest) {
    std::vector<std::size_t> used;
    for (std::size_t i = 0; i < d.rows; ++i)
        if (std::any_of(d.row(i), d.row(i) + d.columns,
                        [&](double x) { return std::abs(x) > 1e-15 * largest; }))
            used.push_back(i);
    return used;
}

// The eigenvalues of [[0, D], [D^T, 0]] are plus and minus the singular values of D, and the
// vectors of the positive ones are (u, v) / sqrt(2) (Golub & Van Loan 2013, section 8.6.1).
std::vector<Pair> singular_pairs(const Matrix& d, Spin spin) {
    double largest = 0;
    for (const double x : d.values) largest = std::max(largest, std::abs(x));
    if (largest == 0) return {};
    const Matrix turned = transposed(d);
    const auto rows = rows_in_use(d, largest), columns = rows_in_use(turned, largest);
    const std::size_t r = rows.size(), size = r + columns.size();
    Matrix both = zeros(size, size);
    for (std::size_t i = 0; i < r; ++i)
        for (std::size_t j = 0; j < columns.size(); ++j)
            both.row(i)[r + j] = both.row(r + j)[i] = d.row(rows[i])[columns[j]];
    const Eigenpairs found = eigenpairs(std::move(both.values), size);
    constexpr double smallest = 1e-6;  ///< of the largest value: a weight of 1e-12
    std::vector<Pair> pairs;
    for (std::size_t k = size; k-- > size - std::min(r, columns.size());) {
        const double value = found.values[k];
        if (!(value > smallest * found.values.back())) break;
        Pair& pair = pairs.emplace_back(Pair{spin, value, std::vector<double>(d.rows, 0.0),
                                             std::vector<double>(d.columns, 0.0)});
        const double* const v = found.vectors.data() + k * size;
        for (std::size_t i = 0; i < r; ++i) pair.hole[rows[i]] = std::sqrt(2) * v[i];
        for (std::size_t j = 0; j < columns.size(); ++j)
            pair.electron[columns[j]] = std::sqrt(2) * v[r + j];
    }
    return pairs;
}

/// The matrix with holes in its rows: electrons leave occupied orbitals for empty ones.
Matrix from_hole_to_electron(Matrix d, const std::vector<double>& occupied) {
    double forth = 0, back = 0;
    for (std::size_t i = 0; i < d.rows; ++i)
        for (std::size_t j = 0; j < d.columns; ++j) {
            const double square = d.row(i)[j] * d.row(i)[j];
            forth += square * occupied[i] * (1 - occupied[j]);
            back += square * occupied[j] * (1 - occupied[i]);
        }
    return back > forth ? transposed(d) : d;
}

MolecularOrbital orbital_of(const Matrix& coefficients, const std::vector<double>& parts) {
    MolecularOrbital orbital;
    orbital.coefficients.assign(coefficients.columns, 0.0);
    for (std::size_t i = 0; i < parts.size(); ++i)
        for (std::size_t k = 0; k < coefficients.columns && parts[i] != 0; ++k)
            orbital.coefficients[k] += parts[i] * coefficients.row(i)[k];
    return orbital;
}

/// Alpha pairs come first. Within a spin they are sorted already.
void replace_orbitals(Wavefunction& frame, const std::string& name, const std::vector<Pair>& pairs,
                      std::vector<std::string>& told) {
    double sum = 0, squares = 0;
    std::vector<double> weights;
    for (const Pair& pair : pairs) sum += weights.emplace_back(pair.value * pair.value);
    const SpinOrbitals of_spin[] = {orbitals_of(frame, Spin::alpha),
                                    orbitals_of(frame, Spin::beta)};
    frame.orbitals.clear();
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        const Pair& pair = pairs[k];
        weights[k] /= sum;
        squares += weights[k] * weights[k];
        const Matrix& from = of_spin[pair.spin == Spin::beta].coefficients;
        for (const bool is_hole : {true, false}) {
            MolecularOrbital orbital = orbital_of(from, is_hole ? pair.hole : pair.electron);
            orbital.symmetry = is_hole ? "hole" : "electron";
            orbital.occupation = is_hole ? -weights[k] : weights[k];
            orbital.spin = pair.spin;
            frame.orbitals.push_back(std::move(orbital));
        }
    }
    std::ranges::sort(weights, std::greater<>());
    constexpr std::size_t shown = 3;
    std::vector<std::string> largest;
    for (std::size_t k = 0; k < std::min(shown, weights.size()); ++k)
        largest.push_back(fmt::format("{:.4f}", weights[k]));
    told.push_back(
        fmt::format("'{}': natural transition orbitals of {}, {}, {} {}{}, participation ratio "
                    "{:.3f}; the squares of the matrix add up to {:.6g}",
                    io::one_line(frame.path), name, io::counted(pairs.size(), "pair"),
                    weights.size() == 1 ? "weight" : "weights", fmt::join(largest, ", "),
                    weights.size() > shown ? ", ..." : "", 1 / squares, sum));
}

[[noreturn]] void fail_empty(const Wavefunction& frame, const std::string& name) {
    throw Error(fmt::format("{}: {} of '{}' has no pair", option, name, io::one_line(frame.path)),
                "the matrix is 0, or not a matrix of numbers", "give that of another state");
}

/// Whether beta electrons do the same as alpha electrons, with any sign: a singlet or a triplet.
bool are_alike(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0, difference = 0, sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, std::abs(a[i]));
        difference = std::max(difference, std::abs(a[i] - b[i]));
        sum = std::max(sum, std::abs(a[i] + b[i]));
    }
    return std::min(difference, sum) <= 1e-6 * largest;
}

/// The given matrix, with rows and columns for all orbitals of the spin.
Matrix of_all_orbitals(const Matrix& d, const std::vector<double>& occupied, const char* of_spin) {
    std::vector<std::size_t> from, to;
    for (std::size_t i = 0; i < occupied.size(); ++i) (occupied[i] > 0 ? from : to).push_back(i);
    const std::size_t m = occupied.size();
    if (d.rows == m && d.columns == m) return d;
    if (d.rows != from.size() || d.columns != to.size())
        throw Error(fmt::format("{}: the matrix has {} x {} numbers", option, d.rows, d.columns),
                    fmt::format("there {} {}{} orbital{}, {} of them occupied",
                                m == 1 ? "is" : "are", m, of_spin, m == 1 ? "" : "s", from.size()),
                    fmt::format("give {0} x {0} numbers, or {1} x {2}, rows for the hole", m,
                                from.size(), to.size()));
    Matrix all = zeros(m, m);
    for (std::size_t i = 0; i < d.rows; ++i)
        for (std::size_t j = 0; j < d.columns; ++j) all.row(from[i])[to[j]] = d.row(i)[j];
    return all;
}

}  // namespace

// With orthonormal orbitals C and a matrix T of the functions, the matrix of the orbitals is
// D = C S T S C^T. S^(1/2) T S^(1/2) has the same singular values.
void take_natural_transition_orbitals(Wavefunction& frame, std::vector<std::string>& told) {
    if (!frame.transition)
        throw Error(
            fmt::format("{}: '{}' has no transition densities", option, io::one_line(frame.path)),
            "only formatted checkpoints (fchk) are read with them",
            "give a file with the matrix of the orbitals instead of a number");
    auto transition = *std::exchange(frame.transition, {});
    if (transition.of_orbitals) {
        TransitionMatrices matrices{std::move(transition.name), {}};
        for (std::vector<double>& values : transition.spins) {
            const auto m = static_cast<std::size_t>(std::llround(std::sqrt(values.size())));
            if (m > 0) matrices.spins.push_back({m, m, std::move(values)});
        }
        return take_natural_transition_orbitals(frame, matrices, told);
    }
    const auto n = static_cast<std::size_t>(frame.basis_functions());
    const Matrix s{n, n, overlap_matrix(frame)};
    const auto& [alpha, beta] = transition.spins;
    const bool one = !is_unrestricted(frame) && are_alike(alpha, beta);
    std::vector<Pair> pairs;
    for (const Spin spin : {Spin::alpha, Spin::beta}) {
        if (spin == Spin::beta && one) break;
        const Matrix t{n, n, spin == Spin::alpha ? alpha : beta};
        const auto [c, occupied] = orbitals_of(frame, spin);
        const Matrix cs = product(c, s), st = product(s, t);
        const Matrix d = product(product(cs, t), transposed(cs));
        const double whole = sum_of_products(product(st, s), t), held = sum_of_products(d, d);
        if (!(std::abs(whole - held) <= 1e-5 * std::max(1e-3, whole)))
            throw Error(fmt::format("{}: the orbitals of '{}' hold {:.6g} of the {:.6g} of its "
                                    "transition density",
                                    option, io::one_line(frame.path), held, whole),
                        "they are not all orbitals, or not orthonormal",
                        "write the file with all its virtual orbitals");
        const auto more = singular_pairs(from_hole_to_electron(d, occupied), spin);
        pairs.insert(pairs.end(), more.begin(), more.end());
    }
    if (pairs.empty()) fail_empty(frame, transition.name);
    replace_orbitals(frame, transition.name, pairs, told);
}

void take_natural_transition_orbitals(Wavefunction& frame, const TransitionMatrices& given,
                                      std::vector<std::string>& told) {
    const bool unrestricted = is_unrestricted(frame);
    if (given.spins.size() != (unrestricted ? 2 : 1))
        throw Error(fmt::format("{}: {} has {} matrices", option, given.name, given.spins.size()),
                    unrestricted ? "there are alpha and beta orbitals" : "orbitals have no spins",
                    unrestricted ? "give both matrices" : "give one matrix");
    std::vector<Pair> pairs;
    for (std::size_t k = 0; k < given.spins.size(); ++k) {
        const Spin spin = k == 0 ? Spin::alpha : Spin::beta;
        const auto occupied = orbitals_of(frame, spin).occupied;
        const char* const of_spin = !unrestricted ? "" : k == 0 ? " alpha" : " beta";
        Matrix d = of_all_orbitals(given.spins[k], occupied, of_spin);
        if (!std::ranges::all_of(d.values, [](double x) { return std::abs(x) < 1e100; }))
            fail_empty(frame, given.name);
        const auto more = singular_pairs(from_hole_to_electron(std::move(d), occupied), spin);
        pairs.insert(pairs.end(), more.begin(), more.end());
    }
    if (pairs.empty()) fail_empty(frame, given.name);
    replace_orbitals(frame, given.name, pairs, told);
}

}  // namespace tessera::orbitals
