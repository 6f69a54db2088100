// CompressedEvaluator::take_sums(), declared in evaluator.hpp: turns the sums of a batch into
// likelihoods, error estimates and gradients.
#include <cmath>
#include <numbers>

#include "core/units.hpp"
#include "io/streams/stream_profiles.hpp"
#include "likelihood/compressed/attempt.hpp"
#include "likelihood/model/disks.hpp"
#include "likelihood/model/halo.hpp"
#include "likelihood/model/memberships.hpp"
#include "likelihood/model/model_values.hpp"
#include "likelihood/model/wedge_geometry.hpp"

namespace tessera::likelihood {

namespace {

using namespace kernels::compressed;

constexpr double safety = 2;             // factor on the error estimates
constexpr double rounding = 1e-14;       // relative error of a sum
constexpr double star_rounding = 1e-14;  // relative error of the density at a star

/// Sums over the boxes of one set: [component][area][sum].
class AreaSums {
  public:
    /// `of_one`: number of the sums.
    AreaSums(const double* sums, std::size_t of_one, std::size_t areas, std::size_t wedge_areas)
        : sums_(sums), of_one_(of_one), areas_(areas), wedge_areas_(wedge_areas) {}

    double of(std::size_t component, std::size_t area, int sum) const {
        return sums_[(component * areas_ + area) * of_one_ + static_cast<std::size_t>(sum)];
    }
    /// The sum over the wedge without its cuts.
    double uncut(std::size_t component, int sum) const {
        double total = of(component, 0, sum);
        for (std::size_t area = 1; area < wedge_areas_; ++area) total += of(component, area, sum);
        return total;
    }
    /// The sum over the wedge minus its cuts.
    double whole(std::size_t component, int sum) const {
        double total = uncut(component, sum);
        for (std::size_t area = wedge_areas_; area < areas_; ++area)
            total -= of(component, area, sum);
        return total;
    }
    double errors(std::size_t component) const {
        double total = 0;
        for (std::size_t area = 0; area < areas_; ++area) total += of(component, area, error_sum);
        return total;
    }

  private:
    const double* sums_;
    std::size_t of_one_, areas_, wedge_areas_;
};

/// d search_likelihood / d numbers in log10: the mean over stars of d ln P minus the change of the
/// integrals.
class GradientSums {
  public:
    GradientSums(const AreaSums& areas, const double* stars, std::size_t star_count,
                 const double* integrals, std::size_t streams)
        : areas_(areas),
          stars_(stars),
          count_(static_cast<double>(star_count)),
          integrals_(integrals),
          layout_{static_cast<int>(streams), true} {}

    double share(std::size_t component) const {
        return stars_[layout_.shares() + static_cast<int>(component)] / count_;
    }
    double weight(std::size_t component, double fraction) const {
        return (share(component) - fraction) / std::numbers::ln10;
    }
    double background(int number, double of_integral) const {
        return (stars_[layout_.background() + number] / count_ -
                of_integral / integrals_[0] * share(0)) /
               std::numbers::ln10;
    }
    /// By the factor of a disk of one's own (0), and the same times R (1) and |Z| (2).
    double disk(int which, int moment) const {
        const int number = 3 * which + moment;
        return background(layout_.size() - layout_.background() + number,
                          areas_.whole(0, kernels::compressed::sums + number));
    }
    double stream(std::size_t s, int number) const {
        return (stars_[layout_.stream(static_cast<int>(s)) + number] / count_ -
                areas_.whole(1 + s, mu_sum + number) / integrals_[1 + s] * share(1 + s)) /
               std::numbers::ln10;
    }

  private:
    const AreaSums& areas_;
    const double* stars_;
    double count_;
    const double* integrals_;
    StarSumLayout layout_;
};

/// The derivatives by p, yaw, pitch and roll. An angle turns the halo about an axis of its own.
void add_shape(const io::Background& background, const BackgroundValues& b, const AreaSums& areas,
               const GradientSums& sums, double* result) {
    const auto by = [&](int number) {
        return sums.background(8 + number, b.halo * areas.whole(0, p_sum + number));
    };
    result[0] = by(0);
    const Vec3 turns{by(1), by(2), by(3)};
    for (const Vec3& axis : turning_axes(background)) *++result = units::degree * dot(axis, turns);
}

/// The derivatives by the numbers of the disks, and what those of the halo change through its
/// density at the Sun.
void add_disks(const StreamModel& model, const BackgroundValues& b, const GradientSums& sums,
               std::vector<double>& result) {
    const io::Background& background = model.background;
    const std::vector<double> by_halo = halo_at_sun_slopes(model);
    std::size_t next = by_halo.size();
    double all = 0;
    for (int d = 0; d < kernels::most_disks; ++d) {
        if (!(d == 0 ? background.thin_disk : background.thick_disk)) continue;
        const kernels::ExponentialDisk& disk = b.disks[d];
        const double by_factor = sums.disk(d, 0);
        result[next++] = disk.unit * by_factor;
        result[next++] =
            disk.factor * disk.in_plane * disk.in_plane * (sums.disk(d, 1) - sun_r0 * by_factor);
        result[next++] = disk.factor * disk.across * disk.across * sums.disk(d, 2);
        all += disk.factor * by_factor;
    }
    for (std::size_t i = 0; i < by_halo.size(); ++i) result[i] += all * by_halo[i];
}

std::vector<double> gradient(const StreamModel& model, const BackgroundValues& b,
                             const std::vector<StreamValues>& streams, const AreaSums& areas,
                             const std::array<double, 3>& auxiliary, const GradientSums& sums) {
    const std::size_t of_background = background_numbers(model);
    const std::size_t of_observables = spread_parameters * model.observables.size();
    std::vector<double> result(of_background +
                               (stream_parameters + of_observables) * streams.size());
    const bool classic = model.model == io::Model::classic;
    const auto counts = [&](const char* key) { return io::background_depends_on(model, key); };
    const double quadratic = b.c * auxiliary[0] + b.b * auxiliary[1] + b.a * auxiliary[2];
    if (classic)
        result[0] = sums.weight(0, b.fraction);
    else if (counts("epsilon"))
        result[0] =
            sums.background(0, areas.whole(0, halo_sum) + quadratic - areas.whole(0, disk_sum));
    result[1] = sums.background(1, b.halo * areas.whole(0, q_sum));
    if (counts("r0")) result[2] = sums.background(2, b.halo * areas.whole(0, r0_sum));
    result[3] = sums.background(3, b.halo * areas.whole(0, alpha_sum));
    if (counts("delta")) result[4] = sums.background(4, b.halo * areas.whole(0, delta_sum));
    if (counts("a"))
        for (int i = 0; i < 3; ++i)
            result[5 + static_cast<std::size_t>(i)] =
                sums.background(5 + i, b.halo * auxiliary[static_cast<std::size_t>(2 - i)]);
    if (model.background.triaxial) add_shape(model.background, b, areas, sums, &result[8]);
    if (model.background.has_disks()) add_disks(model, b, sums, result);
    for (std::size_t s = 0; s < streams.size(); ++s) {
        const std::size_t at = of_background + stream_parameters * s;
        result[at] = sums.weight(1 + s, streams[s].fraction);
        for (int i = 0; i < 5; ++i)
            result[at + 1 + static_cast<std::size_t>(i)] = sums.stream(s, i);
    }
    return result;
}

}  // namespace

void CompressedEvaluator::take_sums(Attempt& a, const BatchSums& sums, std::size_t place,
                                    Wanted wanted) const {
    const std::size_t components = a.components(), streams = a.streams.size();
    const bool disks = like_.background.has_disks();
    const auto of_area = static_cast<std::size_t>(sums_with(disks));
    const AreaSums areas(&sums.areas[place * components * areas_.size() * of_area], of_area,
                         areas_.size(), wedge_areas_);
    const StarSumLayout layout{static_cast<int>(streams), wanted.gradient};
    const int of_stars = layout.size() + (disks && wanted.gradient ? disk_moments : 0);
    const double* stars = &sums.stars[place * static_cast<std::size_t>(of_stars)];
    const double* integrals = &sums.integrals[place * components];
    const auto count = static_cast<double>(stars_);
    const auto mean = [&](int number) { return stars[number] / count; };

    Evaluation& to = a.result;
    to.background_integral = integrals[0];
    to.stream_integrals.assign(integrals + 1, integrals + components);
    for (const int stream : to.empty_streams)
        to.stream_integrals[static_cast<std::size_t>(stream) - 1] = 0;
    double scale = scales_.mean;  // 0 without observables and selection function
    if (!sums.log_scale_sums.empty())
        scale += sums.log_scale_sums[place] / (count * std::numbers::ln10);
    to.search_likelihood = mean(0) + scale;
    to.background_likelihood = mean(1) + scale;
    to.stream_only_likelihoods.clear();
    for (std::size_t s = 0; s < streams; ++s)
        to.stream_only_likelihoods.push_back(mean(layout.stream_only() + static_cast<int>(s)) +
                                             scale);

    // Observables have no error of quadrature, and the units of their densities may bring the
    // likelihood near 0. The error is therefore relative to the likelihood without their scale.
    // The part of the errors that finer panels reduce, and the part due to rounding.
    to.error_estimates.clear();
    a.quadrature_errors.clear();
    const int every = check_every(static_cast<int>(stars_));
    const double search = std::abs(mean(0)) * std::numbers::ln10;
    double of_search = safety * (every > 1 ? 2 * every : 1) * mean(2), rounded = star_rounding;
    for (std::size_t k = 0; k < components; ++k) {
        double error = areas.errors(k), conditioning = rounding;
        for (std::size_t area = 0; area < areas_.size(); ++area) {
            error += a.walks[k * areas_.size() + area].left_out;
            // A part of the wedge counts by its share of the integral.
            const double of_part = std::abs(areas.of(k, area, 0) / areas.uncut(k, 0));
            const bool counts_whole = wedge_areas_ == 1 || !(of_part < 1);
            conditioning +=
                a.walks[k * areas_.size() + area].conditioning * (counts_whole ? 1 : of_part);
        }
        const double relative =
            std::isnan(a.given[k]) ? safety * error / std::abs(integrals[k]) : 0;
        a.quadrature_errors.push_back(relative);
        to.error_estimates.push_back(relative + conditioning);
        const double share = std::abs(mean(layout.shares() + static_cast<int>(k)));
        of_search += relative * share;
        rounded += conditioning * share;
    }
    a.quadrature_errors.push_back(of_search / search);
    to.error_estimates.push_back((of_search + rounded) / search);

    to.uncut_integrals.clear();
    if (a.model->areas.size() > 1) {
        std::array<double, 3> g = areas_[0].auxiliary;
        for (std::size_t part = 1; part < wedge_areas_; ++part)
            for (std::size_t i = 0; i < 3; ++i) g[i] += areas_[part].auxiliary[i];
        const BackgroundValues& b = a.background;
        to.uncut_integrals.push_back(
            b.halo * (areas.uncut(0, halo_sum) + b.c * g[0] + b.b * g[1] + b.a * g[2]) +
            b.disk * areas.uncut(0, disk_sum));
        for (std::size_t s = 0; s < streams; ++s)
            to.uncut_integrals.push_back(areas.uncut(1 + s, stream_sum));
        for (std::size_t k = 0; k < components; ++k)
            if (!std::isnan(a.uncut[k])) to.uncut_integrals[k] = a.uncut[k];
    }
    if (wanted.star_densities) {
        const auto* first = sums.log_density.data() + place * stars_;
        to.star_log10_density.assign(first, first + stars_);
        for (std::size_t i = 0; i < scales_.log10_scale.size(); ++i)
            to.star_log10_density[i] += scales_.log10_scale[i];
        for (std::size_t i = 0; i < stars_ && !sums.log_scale.empty(); ++i)
            to.star_log10_density[i] += sums.log_scale[place * stars_ + i] / std::numbers::ln10;
    }
    if (wanted.memberships) {
        const auto* first = sums.terms.data() + place * stars_ * components;
        to.memberships = memberships_of({first, first + stars_ * components}, components);
    }
    if (wanted.gradient) {
        to.gradient = gradient(*a.model, a.background, a.streams, areas, auxiliary_,
                               GradientSums(areas, stars, stars_, integrals, streams));
        const std::size_t slopes = sums.slopes.size() * components / sums.integrals.size();
        add_observed_gradient(*a.model, std::span(sums.slopes).subspan(place * slopes, slopes),
                              stars_, to.gradient);
    }
}

}  // namespace tessera::likelihood
