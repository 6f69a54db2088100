#include "likelihood/sample/posterior.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::likelihood {

Point Posterior::cube(const Point& line) const {
    Point cube;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const double place = priors_[i].cube(line[i]).value;
        // A point beyond the priors is rejected, but the objective is asked for a valid one.
        cube.push_back(priors_[i].contains(place) ? place : std::clamp(place, 0.0, 1.0));
    }
    return cube;
}

Point Posterior::line(const Point& cube) const {
    Point line;
    for (std::size_t i = 0; i < cube.size(); ++i) line.push_back(priors_[i].line(cube[i]));
    return line;
}

Image Posterior::line_near(const Point& line, const Point& gradient, const Point& reference) const {
    const Point at = cube(line), image = space_.image_near(at, reference);
    if (image == at) return {line, gradient};
    Image found{space_.ordered_as_image(line, at, reference),
                space_.gradient_of_image(at, reference, gradient)};
    for (std::size_t i = 0; i < line.size(); ++i)
        if (space_.goes_round(i)) found.line[i] = priors_[i].line(image[i]);
    return found;
}

bool Posterior::contains(const Point& line) const {
    for (std::size_t i = 0; i < line.size(); ++i)
        if (!std::isfinite(line[i]) || !priors_[i].contains(priors_[i].cube(line[i]).value))
            return false;
    return true;
}

double Posterior::log_density(const Point& line, double objective) const {
    if (!(objective > rejected) || !contains(line)) return rejected;
    double log = unit_ * objective;
    for (std::size_t i = 0; i < line.size(); ++i)
        log += priors_[i].log_density_on_line(line[i]).value;
    return log;
}

Density Posterior::density(const Point& line, const Slope& slope) const {
    Density density{log_density(line, slope.value), Point(line.size(), 0.0), slope.value};
    if (!(density.log > rejected)) return {rejected, Point(line.size(), 0.0), slope.value};
    for (std::size_t i = 0; i < line.size(); ++i)
        density.gradient[i] = unit_ * slope.gradient[i] * priors_[i].cube(line[i]).slope +
                              priors_[i].log_density_on_line(line[i]).slope;
    return density;
}

double Posterior::log_posterior(const Point& cube, double objective) const {
    double log = unit_ * objective;
    for (std::size_t i = 0; i < cube.size(); ++i) log += priors_[i].log_density(cube[i]).value;
    return log;
}

std::vector<double> PriorObjective::values(std::span<const Point> points) {
    auto found = inner_.values(points);
    for (std::size_t k = 0; k < found.size(); ++k)
        if (found[k] > rejected)
            found[k] = posterior_.log_posterior(points[k], found[k]) / posterior_.unit();
    return found;
}

std::vector<Slope> PriorObjective::slopes(std::span<const Point> points) {
    auto found = inner_.slopes(points);
    for (std::size_t k = 0; k < found.size(); ++k) {
        if (!(found[k].value > rejected)) continue;
        found[k].value = posterior_.log_posterior(points[k], found[k].value) / posterior_.unit();
        for (std::size_t i = 0; i < points[k].size(); ++i)
            found[k].gradient[i] +=
                posterior_.priors()[i].log_density(points[k][i]).slope / posterior_.unit();
    }
    return found;
}

}  // namespace tessera::likelihood
