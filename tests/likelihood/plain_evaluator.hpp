// The published sums as plain loops, with gradients: slow, short, and independent of the kernels.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/vec3.hpp"
#include "likelihood/model/radial_nodes.hpp"
#include "likelihood/model/wedge_evaluator.hpp"
#include "likelihood/model/wedge_geometry.hpp"
#include "likelihood/simulate/simulate_places.hpp"

namespace tessera::test {

using likelihood::Evaluation;
using likelihood::StreamModel;

/// A model's density of every component at a position and its derivatives: background.epsilon, q,
/// r0, and six a stream. Hernquist profile with alpha = delta = 1, no auxiliary quadratic.
class PlainDensity {
  public:
    explicit PlainDensity(const StreamModel& model) : model_(model) {
        for (io::Stream stream : model.streams) {
            Tube tube{likelihood::cylinder(stream, model.wedge), {}, {}, stream.sigma};
            std::array<double*, 4> fields{&stream.mu, &stream.r, &stream.theta, &stream.phi};
            for (std::size_t f = 0; f < 4; ++f) {
                const double h = 1e-5, before = *fields[f];
                *fields[f] = before + h;
                const auto up = likelihood::cylinder(stream, model.wedge);
                *fields[f] = before - h;
                const auto down = likelihood::cylinder(stream, model.wedge);
                *fields[f] = before;
                tube.d_axis[f] = (0.5 / h) * (up.axis - down.axis);
                tube.d_centre[f] = (0.5 / h) * (up.centre - down.centre);
            }
            tubes_.push_back(tube);
        }
    }

    /// Adds weight times density of component k to sums[k], and of its derivatives behind.
    void add(const Vec3& at, double weight, std::vector<std::array<double, 7>>& sums) const {
        add_background(at, weight, sums[0]);
        for (std::size_t s = 0; s < tubes_.size(); ++s) add_stream(s, at, weight, sums[s + 1]);
    }

  private:
    struct Tube {
        likelihood::StreamCylinder shape;
        std::array<Vec3, 4> d_axis, d_centre;  // by mu, r, theta, phi
        double sigma;
    };

    void add_background(const Vec3& at, double weight, std::array<double, 7>& sums) const {
        const io::Background& b = model_.background;
        const double rg = std::sqrt(at.x * at.x + at.y * at.y + at.z * at.z / (b.q * b.q));
        const double halo = 1 / (rg * std::pow(rg + b.r0, 3));
        const bool later = model_.model == io::Model::model2018;
        const double share = later ? b.epsilon : 1;
        const double disk =
            later ? std::exp(-0.285714286 * std::hypot(at.x, at.y) - 1.428571429 * std::abs(at.z))
                  : 0;
        const double by_rg = -halo * (1 / rg + 3 / (rg + b.r0));
        const double rg_by_q = -at.z * at.z / (b.q * b.q * b.q * rg);
        sums[0] += weight * (share * halo + (1 - share) * disk);
        sums[1] += later ? weight * (halo - disk) : 0;
        sums[2] += weight * share * by_rg * rg_by_q;
        sums[3] -= weight * share * 3 * halo / (rg + b.r0);
    }

    void add_stream(std::size_t s, const Vec3& at, double weight,
                    std::array<double, 7>& sums) const {
        const Tube& tube = tubes_[s];
        const Vec3 u = at - tube.shape.centre;
        const double along = dot(u, tube.shape.axis), d2 = dot(u, u) - along * along;
        const double exponent = d2 * tube.shape.inverse_two_sigma2;
        if (exponent > 100) return;
        const double density = weight * std::exp(-exponent);
        const Vec3 across = u - along * tube.shape.axis;
        sums[0] += density;
        for (std::size_t f = 0; f < 4; ++f)
            sums[2 + f] += density * 2 * tube.shape.inverse_two_sigma2 *
                           (dot(across, tube.d_centre[f]) + along * dot(u, tube.d_axis[f]));
        sums[6] += density * 2 * exponent / tube.sigma;
    }

    const StreamModel& model_;
    std::vector<Tube> tubes_;
};

class PlainEvaluator : public likelihood::WedgeEvaluator {
  public:
    PlainEvaluator(const StreamModel& like, std::span<const likelihood::Star> stars)
        : line_(like, likelihood::gauss_legendre_rule(like.convolve)) {
        for (const auto& area : like.areas) areas_.push_back(likelihood::area_nodes(area, line_));
        for (const auto& star : stars) {
            likelihood::RadialNodes nodes;
            line_.append(star.r, 1, nodes);
            stars_.push_back({likelihood::galactic_direction(star.l, star.b), nodes});
        }
    }

    std::vector<Evaluation> evaluate(std::span<const StreamModel> sets,
                                     likelihood::Wanted wanted) override {
        std::vector<Evaluation> found;
        for (const StreamModel& model : sets) found.push_back(evaluate(model, wanted));
        return found;
    }

    using Sums = std::vector<std::array<double, 7>>;

    /// Integrals of all components over one area, with derivatives behind.
    Sums integrals(const StreamModel& model, std::size_t a) const {
        const PlainDensity density(model);
        const io::Area& area = model.areas[a];
        Sums sums(model.streams.size() + 1, std::array<double, 7>{});
        for (int i = 0; i < area.nu.steps; ++i)
            for (int j = 0; j < area.mu.steps; ++j) {
                const auto towards =
                    likelihood::direction(model.wedge, likelihood::cell_centre(area.mu, j),
                                          likelihood::cell_centre(area.nu, i));
                for (std::size_t k = 0; k < areas_[a].radius.size(); ++k)
                    density.add(likelihood::galactic_position(towards, areas_[a].radius[k]),
                                areas_[a].weight[k] * likelihood::nu_weight(area.nu, i), sums);
            }
        return sums;
    }

  private:
    Evaluation evaluate(const StreamModel& model, likelihood::Wanted wanted) const {
        Sums whole = integrals(model, 0);
        Evaluation e;
        for (const auto& sums : whole) e.uncut_integrals.push_back(sums[0]);
        for (std::size_t a = 1; a < model.areas.size(); ++a) {
            const Sums cut = integrals(model, a);
            for (std::size_t k = 0; k < whole.size(); ++k)
                for (std::size_t d = 0; d < 7; ++d) whole[k][d] -= cut[k][d];
        }
        if (model.areas.size() == 1) e.uncut_integrals.clear();
        e.background_integral = whole[0][0];
        std::vector<double> weights{
            model.model == io::Model::classic ? std::exp(model.background.epsilon) : 1};
        for (std::size_t s = 1; s < whole.size(); ++s) {
            e.stream_integrals.push_back(whole[s][0]);
            weights.push_back(std::exp(model.streams[s - 1].epsilon));
        }
        e.stream_only_likelihoods.assign(e.stream_integrals.size(), 0);
        double sum_weights = 0;
        for (const double w : weights) sum_weights += w;
        for (double& w : weights) w /= sum_weights;
        e.gradient.assign(likelihood::parameter_names(model).size(), 0);
        const PlainDensity density(model);
        const double unit = 1 / (static_cast<double>(stars_.size()) * std::numbers::ln10);
        for (const auto& [towards, nodes] : stars_) {
            Sums sums(whole.size(), std::array<double, 7>{});
            for (std::size_t i = 0; i < nodes.radius.size(); ++i)
                density.add(likelihood::galactic_position(towards, nodes.radius[i]),
                            nodes.weight[i], sums);
            double total = 0;
            for (std::size_t k = 0; k < whole.size(); ++k)
                total += weights[k] * sums[k][0] / whole[k][0];
            e.search_likelihood += unit * std::log(total);
            if (wanted.star_densities) e.star_log10_density.push_back(std::log10(total));
            for (std::size_t k = 0; k < whole.size(); ++k) {
                const double share = weights[k] * sums[k][0] / whole[k][0] / total;
                const std::size_t first = k == 0 ? 0 : 8 + 6 * (k - 1);
                for (std::size_t d = 1; d < (k == 0 ? 4u : 7u); ++d)
                    if (sums[k][0] > 0)
                        e.gradient[first + d - 1] +=
                            unit * share * (sums[k][d] / sums[k][0] - whole[k][d] / whole[k][0]);
                if (k > 0) e.gradient[first] += unit * (share - weights[k]);
            }
        }
        return e;
    }

    struct Sight {
        likelihood::Direction towards;
        likelihood::RadialNodes nodes;
    };

    likelihood::LineOfSight line_;
    std::vector<likelihood::RadialNodes> areas_;
    std::vector<Sight> stars_;
};

}  // namespace tessera::test
