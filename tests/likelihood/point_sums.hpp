// The quadrature's sums as they are written down, point by point in long double: nothing of the
// kernels.
#pragma once

#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "likelihood/model/combine.hpp"
#include "likelihood/model/gauss_legendre.hpp"
#include "likelihood/model/radial_nodes.hpp"
#include "likelihood/model/wedge_geometry.hpp"
#include "own_profiles.hpp"
#include "plain_observables.hpp"
#include "plain_tracks.hpp"

namespace tessera::test {

using Real = long double;

class PointSums {
  public:
    explicit PointSums(const io::StreamModel& model)
        : model_(model), line_(model, likelihood::milkyway_rule(model.convolve)) {
        for (const io::Stream& stream : model.streams) {
            tracks_.emplace_back();
            if (stream.has_track()) tracks_.back().emplace(stream);
            const Real st = std::sin(Real(stream.theta)), ct = std::cos(Real(stream.theta));
            const Real sp = std::sin(Real(stream.phi)), cp = std::cos(Real(stream.phi));
            const Vec3 e = likelihood::direction(model.wedge, stream.mu, 0).unit;
            cylinders_.push_back(
                {{st * cp, st * sp, ct},
                 {stream.r * Real(e.x), stream.r * Real(e.y), stream.r * Real(e.z)},
                 Real(stream.sigma)});
        }
    }

    /// Per component the integral over the wedge less its cuts.
    std::vector<Real> integrals() const {
        std::vector<Real> total(1 + model_.streams.size());
        for (std::size_t a = 0; a < model_.areas.size(); ++a)
            add_area(model_.areas[a], a == 0 ? 1 : -1, total);
        return total;
    }

    /// Mean over stars of log10 of the density.
    Real search_likelihood(std::span<const io::Star> stars) const {
        const std::vector<Real> integral = integrals();
        const std::vector<double> weights = likelihood::component_weights(model_);
        const Real all = std::accumulate(weights.begin(), weights.end(), Real(0));
        Real sum = 0;
        for (const io::Star& star : stars) {
            likelihood::RadialNodes nodes;
            line_.append(star.r, 1, nodes);
            std::vector<Real> p(integral.size());
            add_line(likelihood::galactic_direction(star.l, star.b).unit, nodes, 1, p);
            if (!model_.observables.empty()) {
                const std::vector<Real> observed = plain_densities(model_, star);
                for (std::size_t k = 0; k < p.size(); ++k) p[k] *= observed[k];
            }
            Real density = 0;
            for (std::size_t k = 0; k < p.size(); ++k)
                density += p[k] / integral[k] * Real(weights[k]);
            sum += std::log10(density / all);
        }
        return sum / Real(stars.size());
    }

  private:
    struct Cylinder {
        Real axis[3], centre[3], sigma;
    };

    void add_area(const io::Area& area, Real sign, std::vector<Real>& total) const {
        const likelihood::RadialNodes nodes = likelihood::area_nodes(area, line_);
        for (int i = 0; i < area.nu.steps; ++i)
            for (int j = 0; j < area.mu.steps; ++j)
                add_line(likelihood::direction(model_.wedge, likelihood::cell_centre(area.mu, j),
                                               likelihood::cell_centre(area.nu, i))
                             .unit,
                         nodes, sign * Real(likelihood::nu_weight(area.nu, i)), total);
    }

    void add_line(Vec3 e, const likelihood::RadialNodes& nodes, Real factor,
                  std::vector<Real>& total) const {
        for (std::size_t i = 0; i < nodes.radius.size(); ++i) {
            const Real r = nodes.radius[i], w = factor * Real(nodes.weight[i]);
            total[0] += w * background(r * e.x, r * e.y, r * e.z, nodes.magnitude[i]);
            for (std::size_t s = 0; s < cylinders_.size(); ++s)
                total[1 + s] += w * (tracks_[s] ? tracks_[s]->density(r * e.x, r * e.y, r * e.z)
                                                : stream(cylinders_[s], r * e.x, r * e.y, r * e.z));
        }
    }

    Real profile(Real rg) const {
        const io::Background& b = model_.background;
        if (is_own(b)) return own_density(b, rg);
        if (b.profile == io::Profile::broken_power_law)
            return std::pow(Real(8.5) / rg, Real(rg < 12 ? b.alpha : b.delta));
        const Real core = rg + (model_.model == io::Model::classic ? Real(b.r0) : Real(12));
        return std::pow(rg, -Real(b.alpha)) * std::pow(core, -(3 - Real(b.alpha) + Real(b.delta)));
    }

    /// At a position from the Sun.
    Real background(Real x, Real y, Real z, Real g) const {
        const io::Background& b = model_.background;
        const bool classic = model_.model == io::Model::classic;
        x -= Real(8.5);
        Real halo = profile(elliptical_radius(b, x, y, z));
        if (b.profile == io::Profile::hernquist)
            halo += (Real(b.a) * g + Real(b.b)) * g + Real(b.c);
        if (b.has_disks())
            return halo +
                   profile(elliptical_radius(b, -Real(8.5), 0, 0)) * disks_per_halo(b, x, y, z);
        if (classic || b.profile != io::Profile::hernquist) return halo;
        const Real disk = std::exp(-Real(0.285714286) * std::sqrt(x * x + y * y) -
                                   Real(1.428571429) * std::abs(z));
        return Real(b.epsilon) * halo + (1 - Real(b.epsilon)) * disk;
    }

    static Real stream(const Cylinder& c, Real x, Real y, Real z) {
        const Real u[3] = {x - c.centre[0], y - c.centre[1], z - c.centre[2]};
        const Real along = u[0] * c.axis[0] + u[1] * c.axis[1] + u[2] * c.axis[2];
        Real across2 = 0;
        for (int i = 0; i < 3; ++i) {
            const Real v = u[i] - along * c.axis[i];
            across2 += v * v;
        }
        return std::exp(-across2 / (2 * c.sigma * c.sigma));
    }

    io::StreamModel model_;
    likelihood::LineOfSight line_;
    std::vector<Cylinder> cylinders_;
    std::vector<std::optional<PlainTrack>> tracks_;
};

}  // namespace tessera::test
