// Which numbers of a stream model a fit may change, within what bounds, and which of its points are
// the same model.
#pragma once

#include <string>
#include <vector>

#include "io/streams/fit_settings.hpp"
#include "likelihood/fit/objective.hpp"
#include "likelihood/model/model_values.hpp"

namespace tessera::likelihood {

/// A number that is fitted.
struct FreeParameter {
    std::string name;
    std::size_t index = 0;  ///< in parameter_names()
    double lower = 0, upper = 0;
    bool bounds_are_given = false;  ///< by the settings; else they are the default ones
    double width() const { return upper - lower; }
};

/// Parameters of the model that are fitted where a file names none: background epsilon (2018 model
/// with a Hernquist profile), q, r0 (classic model), and all of every stream. Bounds that the
/// settings do not give are the published ones of MilkyWay@Home's files: epsilon -20 to 20, mu and
/// r the wedge's, theta 0 to pi, phi -pi to pi, sigma 0.1 to 30 kpc, q 0.1 to 2, r0 1 to 30 kpc,
/// background epsilon 0 to 1. Throws Error for a name that is unknown, without effect in this model
/// or without bounds, for bounds that are empty or beyond the parameter's range, and for those of a
/// parameter that is not free by default where the settings do not name the free ones.
std::vector<FreeParameter> free_parameters(const StreamModel& model,
                                           const io::FitSettings& settings);

/// The cube of the free parameters. A stream's axis has no head and no tail: where theta and phi
/// have the whole sphere, (theta, phi) is (pi - theta, phi + pi) and both go round. Streams have no
/// numbers: those with the same bounds may be exchanged.
class StreamSpace : public Space {
  public:
    StreamSpace(const StreamModel& model, std::vector<FreeParameter> free);

    const std::vector<FreeParameter>& free() const { return free_; }
    bool goes_round(std::size_t coordinate) const override;
    Point image_near(const Point& point, const Point& reference) const override;
    Point folded(const Point& point) const override;
    /// Weights within e^-4 to e^2 of the background's, widths uniform in their logarithm, all else
    /// uniform: a stream that outweighs everything, or has no stars, teaches nothing.
    Point random_point(RandomStream& random) const override;
    /// One stream drawn anew, as a rule one that has next to no stars, with a share of 2 to 50 %.
    Point varied(const Point& point, RandomStream& random) const override;

    /// The model of a point, and the point of a model, folded; coordinates beyond a bound are put
    /// on it.
    StreamModel model(const Point& point) const;
    Point point(const StreamModel& model) const;
    /// Throws Error for the first free parameter whose value lies beyond bounds that were given for
    /// it; where an axis has the whole sphere any angle is within. Default bounds may exclude a
    /// published value.
    void require_within(const StreamModel& model) const;
    /// The values of the free parameters.
    std::vector<double> values(const Point& point) const;

  private:
    /// Where a stream's coordinates are; -1: not free.
    struct StreamPlaces {
        std::vector<int> coordinates;  ///< of epsilon, mu, r, theta, phi, sigma
        bool whole_sphere = false;
        int kind = 0;  ///< streams of one kind may be exchanged; -1: none other
    };

    void draw_stream(const StreamPlaces& stream, Point& point, RandomStream& random, double low,
                     double high) const;
    void turn_near(const StreamPlaces& stream, Point& point, const Point& reference) const;
    void exchange(Point& point, const Point& reference) const;
    double distance(const StreamPlaces& from, const Point& point, const StreamPlaces& to,
                    const Point& reference) const;

    StreamModel like_;
    std::vector<FreeParameter> free_;
    std::vector<StreamPlaces> streams_;
};

}  // namespace tessera::likelihood
