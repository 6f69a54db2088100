// The softest modes of a network (declared in elastic_network.hpp).
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/error.hpp"
#include "docking/ensemble/elastic_network.hpp"
#include "docking/ensemble/vector_block.hpp"
#include "docking/model/jacobi.hpp"
#include "io/text/counted.hpp"

namespace tessera::docking {

namespace {

constexpr std::size_t more_vectors = 8;  // than wanted modes, which speeds up the iteration
constexpr int highest_degree = 60;
constexpr double largest_growth = 1e6;  // more would make the vectors of a block alike
constexpr int most_iterations = 300;
constexpr double small_residual = 1e-11;  // of the bound of the eigenvalues
constexpr double free_motion = 1e-7;      // an eigenvalue below it, relative to the bound, is 0

/// The Hessian, with the eigenvalue of the rigid motions raised into the stiffest half.
class RaisedHessian {
  public:
    explicit RaisedHessian(const ElasticNetwork& network)
        : network_(network), rigid_(3 * network.size(), 0) {
        const auto motions = rigid_motions(network.nodes());
        rigid_ = VectorBlock(3 * network.size(), motions.size());
        for (std::size_t c = 0; c < motions.size(); ++c)
            for (std::size_t row = 0; row < motions[c].size(); ++row)
                rigid_.at(row, c) = motions[c][row];
    }

    double bound() const { return network_.bound(); }

    VectorBlock operator*(const VectorBlock& x) const {
        VectorBlock y(x.rows(), x.columns());
        network_.multiply(x.values, x.columns(), y.values);
        const std::vector<double> shares = rigid_.products_with(x);
        for (std::size_t row = 0; row < x.rows(); ++row)
            for (std::size_t r = 0; r < rigid_.columns(); ++r)
                for (std::size_t c = 0; c < x.columns(); ++c)
                    y.at(row, c) += bound() * rigid_.at(row, r) * shares[r * x.columns() + c];
        return y;
    }

  private:
    const ElasticNetwork& network_;
    VectorBlock rigid_;
};

/// The Chebyshev polynomial of degree d grows as cosh(d acosh(1 + 2 cut / (bound - cut))) at 0.
int degree_for(double cut, double bound) {
    const double rate = std::acosh(1 + 2 * cut / (bound - cut));
    const double degree = std::log(2 * largest_growth) / rate;
    return std::clamp(static_cast<int>(std::min(degree, 1.0 * highest_degree)), 2, highest_degree);
}

/// Multiplies x with the Chebyshev polynomial that is small between `cut` and the bound, and large
/// below.
VectorBlock filtered(const RaisedHessian& hessian, const VectorBlock& x, double cut) {
    const double half = (hessian.bound() - cut) / 2, middle = (hessian.bound() + cut) / 2;
    const auto shifted = [&](const VectorBlock& v) {  // (H - middle) v / half
        VectorBlock result = hessian * v;
        for (std::size_t i = 0; i < result.values.size(); ++i)
            result.values[i] = (result.values[i] - middle * v.values[i]) / half;
        return result;
    };
    VectorBlock before = x, now = shifted(x);
    const int degree = degree_for(cut, hessian.bound());
    for (int step = 2; step <= degree; ++step) {
        VectorBlock next = shifted(now);
        for (std::size_t i = 0; i < next.values.size(); ++i)
            next.values[i] = 2 * next.values[i] - before.values[i];
        before = std::exchange(now, std::move(next));
    }
    return now;
}

/// Approximate eigenvectors, those of the smallest eigenvalues first.
struct RitzPairs {
    VectorBlock vectors;
    std::vector<double> values;
    double largest_residual = 0;  ///< of the wanted pairs
};

RitzPairs ritz_pairs(const RaisedHessian& hessian, VectorBlock x, std::size_t wanted) {
    const std::vector<std::size_t> independent = x.orthonormalise();
    const std::size_t k = x.columns();
    std::vector<double> projected = x.products_with(hessian * x);
    for (std::size_t c = 0; c < k; ++c)  // the others are 0, and come last
        if (!std::ranges::binary_search(independent, c)) projected[c * k + c] = hessian.bound();
    const JacobiState eigen = diagonalised(projected, k);
    std::vector<std::size_t> order(k);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return eigen.a[i * k + i]; });
    std::vector<double> turn(k * k), values;
    for (std::size_t c = 0; c < k; ++c) {
        values.push_back(eigen.a[order[c] * k + order[c]]);
        for (std::size_t row = 0; row < k; ++row) turn[row * k + c] = eigen.v[row * k + order[c]];
    }
    RitzPairs pairs{x.times(turn), std::move(values)};
    const VectorBlock images = hessian * pairs.vectors;
    for (std::size_t c = 0; c < wanted; ++c) {
        double squares = 0;
        for (std::size_t row = 0; row < x.rows(); ++row) {
            const double rest = images.at(row, c) - pairs.values[c] * pairs.vectors.at(row, c);
            squares += rest * rest;
        }
        pairs.largest_residual = std::max(pairs.largest_residual, std::sqrt(squares));
    }
    return pairs;
}

NormalMode mode_of(const RitzPairs& pairs, std::size_t place) {
    NormalMode mode;
    mode.eigenvalue = pairs.values[place];
    const std::vector<double> values = pairs.vectors.column(place);
    const double largest =
        *std::ranges::max_element(values, {}, [](double value) { return std::abs(value); });
    const double sign = largest < 0 ? -1 : 1;
    for (std::size_t i = 0; i < values.size(); i += 3)
        mode.displacements.push_back(sign * Vec3{values[i], values[i + 1], values[i + 2]});
    return mode;
}

}  // namespace

std::vector<NormalMode> softest_modes(const std::vector<Vec3>& nodes, std::size_t count,
                                      const std::string& name) {
    const auto refuse = [&](const std::string& why) {
        throw Error("cannot make conformers of the " + name, why,
                    "give conformers in a file with several models, or leave out --conformers");
    };
    const std::size_t rows = 3 * nodes.size();
    if (rows < count + 6) refuse("its elastic network has " + io::counted(nodes.size(), "residue"));
    const ElasticNetwork network(nodes);
    const RaisedHessian hessian(network);
    VectorBlock start(rows, std::min(count + more_vectors, rows));
    start.fill_at_random();
    RitzPairs pairs = ritz_pairs(hessian, std::move(start), count);
    for (int i = 0; i < most_iterations; ++i) {
        if (pairs.largest_residual <= small_residual * hessian.bound()) break;
        pairs = ritz_pairs(hessian, filtered(hessian, pairs.vectors, pairs.values.back()), count);
    }
    if (pairs.values.front() <= free_motion * hessian.bound())
        refuse("its elastic network falls into parts that move freely");
    if (pairs.largest_residual > small_residual * hessian.bound())
        refuse("the normal modes of its elastic network were not found");
    std::vector<NormalMode> modes;
    modes.reserve(count);
    for (std::size_t place = 0; place < count; ++place) modes.push_back(mode_of(pairs, place));
    return modes;
}

}  // namespace tessera::docking
