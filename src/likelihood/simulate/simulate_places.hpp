// True positions of stars within a wedge, drawn by rejection.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/vec3.hpp"
#include "likelihood/model/model_values.hpp"
#include "likelihood/model/random_stream.hpp"

namespace tessera::likelihood {

/// Half width of the convolution over absolute magnitudes.
inline constexpr double widest_offset = 1.8;

/// Less than one star in 10^13 of a stream is farther from its axis than this many sigma.
inline constexpr double far_off_axis = 8;

/// A direction within the wedge, and the magnitude of a turnoff star of average brightness at the
/// place.
struct Place {
    double mu = 0, nu = 0;  ///< degrees
    double magnitude = 0;
};

/// The rotation between stripe coordinates and Galactic directions.
class StripeFrame {
  public:
    explicit StripeFrame(int wedge);
    Vec3 unit(double mu, double sin_nu) const;
    /// Stripe coordinates of a direction, with mu in [first, first + 360).
    void coordinates(const Vec3& unit, double first, double& mu, double& nu) const;
    const Vec3& pole() const { return z_; }

  private:
    Vec3 x_, y_, z_;
};

/// Draws places of one component with its density per volume.
class PlaceDrawer {
  public:
    virtual ~PlaceDrawer() = default;
    /// One try. `offset` is the true minus the observed magnitude, on which an auxiliary background
    /// depends.
    virtual std::optional<Place> draw(RandomStream& random, double offset) const = 0;
};

std::unique_ptr<PlaceDrawer> make_background_drawer(const StreamModel& model);
std::unique_ptr<PlaceDrawer> make_stream_drawer(const StreamModel& model, std::size_t stream);
std::unique_ptr<PlaceDrawer> make_track_drawer(const StreamModel& model, std::size_t stream);

}  // namespace tessera::likelihood
