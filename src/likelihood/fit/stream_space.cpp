#include "likelihood/fit/stream_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/error.hpp"
#include "likelihood/fit/joint_parameters.hpp"

namespace tessera::likelihood {

namespace {

enum Field { epsilon, mu, r, theta, phi, sigma };

/// `turns`, shifted by whole turns to within half a turn of `reference`.
double wrapped_near(double turns, double reference) {
    return turns + std::round(reference - turns);
}

double square(double x) { return x * x; }

}  // namespace

StreamSpace::StreamSpace(std::vector<StreamModel> models, std::vector<FreeParameter> free)
    : Space(free.size()), models_(std::move(models)), free_(std::move(free)) {
    for (std::size_t w = 0; w < models_.size(); ++w)
        for (std::size_t s = 0; s < models_[w].streams.size(); ++s)
            streams_.push_back(places_of(w, s));
    find_kinds();
}

std::vector<FixedParameter> StreamSpace::fixed() const {
    return joint_fixed_parameters(models_, free_);
}

StreamSpace::StreamPlaces StreamSpace::places_of(std::size_t wedge, std::size_t stream) const {
    StreamPlaces places{wedge, std::vector<int>(stream_parameters, -1), false, -1};
    const std::size_t first = background_numbers(models_[wedge]) + stream * stream_parameters;
    for (std::size_t i = 0; i < free_.size(); ++i)
        if (const auto index = free_[i].index_in(wedge);
            index && *index >= first && *index < first + stream_parameters)
            places.coordinates[*index - first] = static_cast<int>(i);
    places.has_track = models_[wedge].streams[stream].has_track();
    const int t = places.coordinates[theta], p = places.coordinates[phi];
    const auto spans = [&](int i, double low, double high) {
        const FreeParameter& one = free_[static_cast<std::size_t>(i)];
        return one.lower == low && one.upper == high && one.prior.empty();
    };
    places.whole_sphere = !places.has_track && t >= 0 && p >= 0 && spans(t, 0, std::numbers::pi) &&
                          spans(p, -std::numbers::pi, std::numbers::pi);
    return places;
}

/// Streams of a wedge are of the same kind if all their parameters are free within the same bounds
/// and of this wedge alone. Observables and tracks belong to one stream.
void StreamSpace::find_kinds() {
    const auto alike = [&](const StreamPlaces& a, const StreamPlaces& b) {
        if (a.wedge != b.wedge || !models_[a.wedge].observables.empty()) return false;
        if (a.has_track || b.has_track) return false;
        for (std::size_t f = 0; f < stream_parameters; ++f) {
            if (a.coordinates[f] < 0 || b.coordinates[f] < 0) return false;
            const auto& x = free_[static_cast<std::size_t>(a.coordinates[f])];
            const auto& y = free_[static_cast<std::size_t>(b.coordinates[f])];
            if (x.lower != y.lower || x.upper != y.upper || x.prior != y.prior) return false;
            if (!x.places.empty() || !y.places.empty()) return false;
        }
        return true;
    };
    for (std::size_t s = 0; s < streams_.size(); ++s)
        for (std::size_t other = 0; other < streams_.size(); ++other)
            if (other != s && alike(streams_[s], streams_[other])) {
                streams_[s].kind = static_cast<int>(std::min(s, other));
                if (streams_[other].kind >= 0)
                    streams_[s].kind = std::min(streams_[s].kind, streams_[other].kind);
            }
}

bool StreamSpace::goes_round(std::size_t coordinate) const {
    for (const StreamPlaces& stream : streams_)
        if (stream.whole_sphere && (stream.coordinates[theta] == static_cast<int>(coordinate) ||
                                    stream.coordinates[phi] == static_cast<int>(coordinate)))
            return true;
    return false;
}

/// With theta in turns of pi and phi in turns of 2 pi, the same axis is at (t, p), (t + 1, p),
/// (t, p + 1) and (-t, p + 1/2).
bool StreamSpace::turn_near(const StreamPlaces& stream, Point& point,
                            const Point& reference) const {
    if (!stream.whole_sphere) return true;
    double& t = point[static_cast<std::size_t>(stream.coordinates[theta])];
    double& p = point[static_cast<std::size_t>(stream.coordinates[phi])];
    const double to_t = reference[static_cast<std::size_t>(stream.coordinates[theta])];
    const double to_p = reference[static_cast<std::size_t>(stream.coordinates[phi])];
    const double t1 = wrapped_near(t, to_t), p1 = wrapped_near(p, to_p);
    const double t2 = wrapped_near(-t, to_t), p2 = wrapped_near(p + 0.5, to_p);
    const bool straight =
        square(t1 - to_t) + square(p1 - to_p) <= square(t2 - to_t) + square(p2 - to_p);
    t = straight ? t1 : t2;
    p = straight ? p1 : p2;
    return straight;
}

/// Squared distance between a stream of one point and a stream of another point.
double StreamSpace::distance(const StreamPlaces& from, const Point& point, const StreamPlaces& to,
                             const Point& reference) const {
    Point a(free_.size(), 0.0), b(free_.size(), 0.0);
    for (std::size_t f = 0; f < stream_parameters; ++f) {
        a[static_cast<std::size_t>(to.coordinates[f])] =
            point[static_cast<std::size_t>(from.coordinates[f])];
        b[static_cast<std::size_t>(to.coordinates[f])] =
            reference[static_cast<std::size_t>(to.coordinates[f])];
    }
    turn_near(to, a, b);
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += square(a[i] - b[i]);
    return sum;
}

/// Assigns to each stream of `reference` in turn the nearest remaining stream of its kind.
std::vector<std::size_t> StreamSpace::order_near(const Point& point, const Point& reference) const {
    std::vector<std::size_t> order(streams_.size());
    std::vector<bool> taken(streams_.size(), false);
    for (std::size_t slot = 0; slot < streams_.size(); ++slot) {
        order[slot] = slot;
        if (streams_[slot].kind < 0) continue;
        std::size_t nearest = streams_.size();
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t s = 0; s < streams_.size(); ++s) {
            if (taken[s] || streams_[s].kind != streams_[slot].kind) continue;
            const double d = distance(streams_[s], point, streams_[slot], reference);
            if (d < least) least = d, nearest = s;
        }
        if (nearest == streams_.size()) continue;
        taken[nearest] = true;
        order[slot] = nearest;
    }
    return order;
}

Point StreamSpace::ordered(const Point& point, const std::vector<std::size_t>& order) const {
    Point moved = point;
    for (std::size_t slot = 0; slot < streams_.size(); ++slot) {
        if (order[slot] == slot) continue;
        for (std::size_t f = 0; f < stream_parameters; ++f)
            moved[static_cast<std::size_t>(streams_[slot].coordinates[f])] =
                point[static_cast<std::size_t>(streams_[order[slot]].coordinates[f])];
    }
    return moved;
}

Point StreamSpace::image_near(const Point& point, const Point& reference) const {
    Point image = ordered(point, order_near(point, reference));
    for (const StreamPlaces& stream : streams_) turn_near(stream, image, reference);
    return image;
}

Point StreamSpace::ordered_as_image(const Point& vector, const Point& point,
                                    const Point& reference) const {
    return ordered(vector, order_near(point, reference));
}

Point StreamSpace::gradient_of_image(const Point& point, const Point& reference,
                                     const Point& gradient) const {
    const auto order = order_near(point, reference);
    Point image = ordered(point, order), moved = ordered(gradient, order);
    for (const StreamPlaces& stream : streams_)
        if (!turn_near(stream, image, reference)) {
            double& slope = moved[static_cast<std::size_t>(stream.coordinates[theta])];
            slope = -slope;
        }
    return moved;
}

Point StreamSpace::folded(const Point& point) const {
    Point image = point;
    const auto numbers = numbers_of(models_);
    Point file;
    for (std::size_t i = 0; i < free_.size(); ++i)
        file.push_back((numbers[i] - free_[i].lower) / free_[i].width());
    image = image_near(image, file);
    for (std::size_t i = 0; i < image.size(); ++i)
        if (goes_round(i) && (image[i] < 0 || image[i] > 1)) image[i] -= std::floor(image[i]);
    return image;
}

std::vector<int> StreamSpace::own_coordinates(const StreamPlaces& stream) const {
    std::vector<int> own = stream.coordinates;
    for (int& i : own)
        if (i >= 0 && !free_[static_cast<std::size_t>(i)].places.empty()) i = -1;
    return own;
}

/// Draws the free coordinates of a stream. Its log weight lies between `low` and `high` as far as
/// its bounds allow.
void StreamSpace::draw_stream(const std::vector<int>& coordinates, Point& point,
                              RandomStream& random, double low, double high) const {
    for (std::size_t f = 0; f < stream_parameters; ++f) {
        if (coordinates[f] < 0) continue;
        const auto i = static_cast<std::size_t>(coordinates[f]);
        const FreeParameter& one = free_[i];
        const double u = random.uniform();
        point[i] = u;
        if (f == epsilon && low < one.upper && high > one.lower) {
            const double first = std::max(low, one.lower), last = std::min(high, one.upper);
            point[i] = (first + u * (last - first) - one.lower) / one.width();
        }
        if (f == sigma)
            point[i] = (one.lower * std::pow(one.upper / one.lower, u) - one.lower) / one.width();
    }
}

Point StreamSpace::random_point(RandomStream& random) const {
    Point point = Space::random_point(random);
    for (const StreamPlaces& stream : streams_)
        draw_stream(stream.coordinates, point, random, -4, 2);
    return point;
}

Point StreamSpace::varied(const Point& point, RandomStream& random) const {
    constexpr double no_stars = 0.003, prefer_empty = 0.8;
    std::vector<double> all_weights, own_weights;  // of each wedge, and of each stream
    for (std::size_t w = 0; w < models_.size(); ++w) {
        const StreamModel here = model(point, w);
        double weights = here.model == io::Model::classic ? std::exp(here.background.epsilon) : 1;
        for (const io::Stream& stream : here.streams) {
            own_weights.push_back(std::exp(stream.epsilon));
            weights += own_weights.back();
        }
        all_weights.push_back(weights);
    }
    std::vector<std::size_t> movable, empty;
    for (std::size_t s = 0; s < streams_.size(); ++s) {
        const auto own = own_coordinates(streams_[s]);
        if (std::ranges::all_of(own, [](int i) { return i < 0; })) continue;
        movable.push_back(s);
        if (own_weights[s] < no_stars * all_weights[streams_[s].wedge]) empty.push_back(s);
    }
    if (movable.empty()) return random_point(random);
    const bool fill = !empty.empty() && random.uniform() < prefer_empty;
    const auto& choice = fill ? empty : movable;
    const std::size_t s = choice[random.index(choice.size())];
    const double others = std::log(all_weights[streams_[s].wedge] - own_weights[s]);
    Point changed = point;
    draw_stream(own_coordinates(streams_[s]), changed, random, others - 4, others);
    return changed;
}

std::vector<double> StreamSpace::values(const Point& point) const {
    std::vector<double> found;
    for (std::size_t i = 0; i < free_.size(); ++i)
        found.push_back(free_[i].lower + free_[i].width() * point[i]);
    return found;
}

StreamModel StreamSpace::model(const Point& point, std::size_t wedge) const {
    auto numbers = parameter_values(models_[wedge]);
    const auto found = values(point);
    for (std::size_t i = 0; i < free_.size(); ++i)
        if (const auto index = free_[i].index_in(wedge)) numbers[*index] = found[i];
    return with_values(models_[wedge], numbers);
}

std::vector<double> StreamSpace::numbers_of(std::span<const StreamModel> models) const {
    std::vector<std::vector<double>> of_wedges;
    for (const StreamModel& model : models) of_wedges.push_back(parameter_values(model));
    std::vector<double> numbers;
    for (const FreeParameter& one : free_) numbers.push_back(of_wedges[one.wedge][one.index]);
    return numbers;
}

Point StreamSpace::point(std::span<const StreamModel> models) const {
    const auto numbers = numbers_of(models);
    Point found;
    for (std::size_t i = 0; i < free_.size(); ++i)
        found.push_back((numbers[i] - free_[i].lower) / free_[i].width());
    found = folded(found);
    for (double& x : found) x = std::clamp(x, 0.0, 1.0);
    return found;
}

void StreamSpace::require_within(std::span<const StreamModel> models) const {
    const auto numbers = numbers_of(models);
    for (std::size_t i = 0; i < free_.size(); ++i) {
        const FreeParameter& one = free_[i];
        const double value = numbers[i];
        if (!one.bounds_are_given || goes_round(i) || (value >= one.lower && value <= one.upper))
            continue;
        throw Error(
            "cannot start from the " + one.name + " of the file",
            fmt::format("it is {}, outside its bounds {} and {}", value, one.lower, one.upper),
            "correct it, change its bounds, or use --start random");
    }
}

}  // namespace tessera::likelihood
