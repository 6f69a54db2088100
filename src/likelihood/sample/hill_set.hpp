// The hills of a posterior, and the share that each has in a point.
#pragma once

#include <cstddef>
#include <vector>

#include "likelihood/sample/hill_maps.hpp"

namespace tessera::likelihood {

/// A jump between two hills, in either direction, by a map.
struct HillJump {
    std::size_t one, other, map;
};

/// Two or more hills. The shares r_k(x) of the hills in a point are positive and have the sum 1, so
/// a density p(x) is the sum of the densities p(x) r_k(x), each of which has one hill. The shares
/// are those of normal densities of one covariance, whose borders are planes. They change over as
/// long a way as the hills allow, so that log r_k is smooth.
class HillSet {
  public:
    explicit HillSet(std::vector<HillShape> hills);

    /// All jumps, in a fixed order.
    const std::vector<HillJump>& jumps() const { return jumps_; }
    std::size_t size() const { return hills_.size(); }
    const HillShape& operator[](std::size_t k) const { return hills_[k]; }
    /// ln r_k for all hills.
    std::vector<double> log_shares(const Point& at) const;
    /// The gradient of ln r_k.
    Point log_share_gradient(std::size_t k, const Point& at) const;
    const std::vector<AffineMap>& maps(std::size_t from, std::size_t to) const {
        return maps_[from * size() + to];
    }

  private:
    /// ln r_k = slope · (x - border) and a number that is the same for all hills.
    struct Share {
        Point slope, border;
    };

    std::vector<HillShape> hills_;
    std::vector<Share> shares_;
    std::vector<HillJump> jumps_;
    std::vector<std::vector<AffineMap>> maps_;  ///< [from, to]
};

}  // namespace tessera::likelihood
