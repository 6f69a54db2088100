// Two hills of a posterior, and jumps from one to the other.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "likelihood/fit/small_matrix.hpp"
#include "likelihood/sample/posterior.hpp"

namespace tessera::likelihood {

/// A place on the other hill that is proposed to a chain.
struct Jump {
    Point to;
    /// Added to the logarithm of the ratio of the densities, it makes the one that decides about
    /// the jump (Metropolis & Hastings).
    double log_factor = 0;
};

/// A trajectory climbs from one hill to another too rarely. A jump needs no path: it takes a point
/// to the place that has the same position in the other hill, as measured by the mean and the
/// covariance of both (Pompe, Holmes & Latuszynski 2020, "deterministic jumps").
class Hills {
  public:
    struct Hill {
        Point mean;
        Matrix lower;  ///< Cholesky factor of the covariance
        double log_volume = 0;
        double log_share = 0;  ///< of the draws
    };

    explicit Hills(std::array<Hill, 2> hills) : hills_(std::move(hills)) {}

    Jump jump(const Point& at, RandomStream& random) const;
    /// The hill to which a point most probably belongs.
    std::size_t hill_at(const Point& at) const;
    /// The draws, each seen from the mean of its hill.
    std::vector<Image> centred(const std::vector<Image>& draws) const;

  private:
    /// The logarithms of the probabilities that a point belongs to each hill.
    std::array<double, 2> log_shares(const Point& at) const;

    std::array<Hill, 2> hills_;
};

/// [chain][draw], in their order.
using ImageChains = std::vector<std::vector<Image>>;

/// Looks for the direction in which the chains move most slowly, and divides the draws in two along
/// it. `metric` gives the scale of each direction. Nothing if the chains move fast in all
/// directions, or if there are too few draws to tell.
std::optional<Hills> find_hills(const ImageChains& draws, const Matrix& metric);

/// The same hills, from other draws. Nothing if one of them has too few.
std::optional<Hills> learn_again(const Hills& hills, const ImageChains& draws,
                                 const Matrix& metric);

}  // namespace tessera::likelihood
