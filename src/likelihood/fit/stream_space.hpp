// The numbers of a stream model that a fit may change, their bounds, and the points that are the
// same model.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/streams/fit_settings.hpp"
#include "likelihood/fit/objective.hpp"
#include "likelihood/model/model_values.hpp"

namespace tessera::likelihood {

/// Whether wedges that are fitted together have a parameter in common, because it is of the halo
/// and the disk. What is observed of the background belongs to one wedge: proper motions by the
/// Sun's motion differ between places of the sky.
inline bool of_common_background(const std::string& name) {
    return name.starts_with("background.") && !name.starts_with("background.population");
}

/// Where a parameter stands in one of the wedges that share it.
struct ParameterPlace {
    std::size_t wedge = 0;  ///< from 0
    std::size_t index = 0;  ///< in parameter_names() of the wedge
    std::string name;       ///< in the wedge: "stream1.sigma"
};

/// A parameter that is fitted.
struct FreeParameter {
    std::string name;
    std::size_t index = 0;  ///< in parameter_names() of its wedge
    double lower = 0, upper = 0;
    bool bounds_are_given = false;  ///< by the settings; false: default bounds
    std::string prior = {};         ///< of a sampling; empty: uniform
    std::size_t wedge = 0;          ///< from 0; all wedges share a parameter of the halo
    /// Of a parameter that streams of several wedges share, the first of which is `wedge`.
    std::vector<ParameterPlace> places = {};
    double width() const { return upper - lower; }
    bool shared() const { return of_common_background(name); }
    /// Its index in parameter_names() of a wedge, or nothing if that does not depend on it.
    std::optional<std::size_t> index_in(std::size_t its) const;
    bool concerns(std::size_t its) const { return index_in(its).has_value(); }
};

/// A parameter that keeps the value of the parameter file.
struct FixedParameter {
    std::string name;
    double value = 0;
};

/// The free parameters of the model. If the settings name none, they are background epsilon (2018
/// model with a Hernquist profile), q, r0 (classic model) and all parameters of every stream. Other
/// profiles than the application's say which of theirs are free (io/streams/stream_profiles.hpp).
/// Numbers of observables are free if the settings give their bounds. Those that the settings fix
/// are left out.
///
/// Default bounds are those of the published files of MilkyWay@Home: epsilon -20 to 20, mu and r as
/// in the wedge, theta 0 to pi, phi -pi to pi, sigma 0.1 to 30 kpc, q 0.1 to 2, r0 1 to 30 kpc,
/// background epsilon 0 to 1.
///
/// Throws Error for a name that is unknown, has no effect in this model or has no bounds. Throws
/// Error for bounds that are empty or beyond the valid range. If the settings name no free
/// parameters, it also throws Error for bounds of a parameter that is not free by default.
std::vector<FreeParameter> free_parameters(const StreamModel& model,
                                           const io::FitSettings& settings);

/// All other parameters that the likelihood depends on.
std::vector<FixedParameter> fixed_parameters(const StreamModel& model,
                                             const std::vector<FreeParameter>& free);

/// The cube of the free parameters of all wedges. The axis of a stream has no direction. If theta
/// and phi cover the whole sphere uniformly, (theta, phi) equals (pi - theta, phi + pi) and both
/// wrap around. Streams have no order, so streams of a wedge with the same bounds and priors may be
/// exchanged, unless other wedges share one of their parameters.
class StreamSpace : public Space {
  public:
    StreamSpace(std::vector<StreamModel> models, std::vector<FreeParameter> free);
    StreamSpace(const StreamModel& model, std::vector<FreeParameter> free)
        : StreamSpace(std::vector{model}, std::move(free)) {}

    /// One for each wedge, with the numbers of its file.
    const std::vector<StreamModel>& models() const { return models_; }
    const std::vector<FreeParameter>& free() const { return free_; }
    std::vector<FixedParameter> fixed() const;
    bool goes_round(std::size_t coordinate) const override;
    Point image_near(const Point& point, const Point& reference) const override;
    /// The components of `vector` in the order that streams have in image_near().
    Point ordered_as_image(const Point& vector, const Point& point, const Point& reference) const;
    /// The gradient at image_near() of a function that is the same at equivalent points and has
    /// this gradient at `point`.
    Point gradient_of_image(const Point& point, const Point& reference,
                            const Point& gradient) const;
    Point folded(const Point& point) const override;
    /// Stream weights are e^-4 to e^2 of that of the background, because a stream that outweighs
    /// everything or has no stars carries no information. Widths are uniform in their logarithm,
    /// all else is uniform.
    Point random_point(RandomStream& random) const override;
    /// Redraws one stream with a share of 2 to 50 % of the stars. It is usually a stream that has
    /// almost no stars. What other wedges share stays as it is.
    Point varied(const Point& point, RandomStream& random) const override;

    /// The model of a wedge at a point.
    StreamModel model(const Point& point, std::size_t wedge = 0) const;
    /// The folded point of models, one for each wedge. Coordinates beyond a bound are moved to the
    /// bound. The first model gives the background.
    Point point(std::span<const StreamModel> models) const;
    Point point(const StreamModel& model) const { return point({&model, 1}); }
    /// Throws Error for the first free parameter beyond bounds that were given for it. Any angle is
    /// valid if an axis covers the whole sphere. Values beyond default bounds are accepted, because
    /// these may exclude published values.
    void require_within(std::span<const StreamModel> models) const;
    /// The values of the free parameters.
    std::vector<double> values(const Point& point) const;

  private:
    /// Indices of the coordinates of a stream; -1: not free.
    struct StreamPlaces {
        std::size_t wedge = 0;
        std::vector<int> coordinates;  ///< epsilon, mu, r, theta, phi, sigma, or those of a track
        bool whole_sphere = false;
        int kind = 0;  ///< streams of the same kind may be exchanged; -1: no other of its kind
        bool has_track = false;
    };

    StreamPlaces places_of(std::size_t wedge, std::size_t stream) const;
    void find_kinds();
    void draw_stream(const std::vector<int>& coordinates, Point& point, RandomStream& random,
                     double low, double high) const;
    /// The coordinates of a stream, with -1 for those that other wedges share.
    std::vector<int> own_coordinates(const StreamPlaces& stream) const;
    /// Returns false if the axis was turned round.
    bool turn_near(const StreamPlaces& stream, Point& point, const Point& reference) const;
    /// For each stream, the one whose place it takes in the image.
    std::vector<std::size_t> order_near(const Point& point, const Point& reference) const;
    Point ordered(const Point& point, const std::vector<std::size_t>& order) const;
    double distance(const StreamPlaces& from, const Point& point, const StreamPlaces& to,
                    const Point& reference) const;

    /// The numbers of the free parameters in these models.
    std::vector<double> numbers_of(std::span<const StreamModel> models) const;

    std::vector<StreamModel> models_;
    std::vector<FreeParameter> free_;
    std::vector<StreamPlaces> streams_;
};

}  // namespace tessera::likelihood
