#include "likelihood/compressed/evaluator.hpp"

#include <algorithm>
#include <cmath>

#include "likelihood/compressed/attempt.hpp"
#include "likelihood/compressed/star_order.hpp"
#include "likelihood/model/combine.hpp"
#include "likelihood/model/gauss_legendre.hpp"
#include "likelihood/model/halo.hpp"
#include "likelihood/model/track.hpp"
#include "likelihood/model/wedge_geometry.hpp"

namespace tessera::likelihood {

namespace {

constexpr std::size_t most_sets = 32;
constexpr std::size_t most_factors = std::size_t{1} << 24;  // of observables, for all sets
constexpr int most_refinements = 2;
constexpr double unset = std::numeric_limits<double>::quiet_NaN();

/// Rules for a tolerance. The last Legendre coefficient of a panel scales with the 16th power of
/// its width, or of its width over the distance of a singularity. Beyond 1e-8 panels do not grow
/// further: with a clearance below 1 the walk would halve the narrowest axis of a box.
PanelRules rules_for(double tolerance) {
    tolerance = std::clamp(tolerance, 1e-15, 1e-8);
    const double finer = std::pow(tolerance / 1e-11, 1.0 / kernels::compressed::panel_size);
    PanelRules rules;
    rules.reach *= finer;
    rules.clearance /= finer;
    rules.steepest *= finer;
    rules.cutoff = std::max(30.0, rules.cutoff - std::log(tolerance / 1e-11));
    rules.kink *= tolerance / 1e-11;
    return rules;
}

void refine_rules(PanelRules& rules) {
    rules.reach *= 0.75;
    rules.clearance /= 0.75;
    rules.steepest *= 0.75;
    rules.cutoff += 10;
    rules.kink *= 0.03;
}

/// Rules for the stars may be coarser. Errors at stars average out, and their large sums do not
/// cancel.
PanelRules star_rules(PanelRules rules) {
    rules.reach *= 1.15;
    rules.steepest *= 1.5;
    rules.cutoff -= 5;
    return rules;
}

/// How much finer the panels of the background are than its distance from the Galactic centre
/// demands. An Einasto profile may fall by many e-folds between neighbouring panels.
double steepness(std::span<const CompressedArea> wedge, const BackgroundValues& b) {
    if (b.profile != kernels::HaloProfile::einasto) return 1;
    constexpr double steep = 8, most = 6;  // d ln density / d ln rg that needs no finer panels
    double farthest = 0;
    for (const CompressedArea& part : wedge)
        farthest = std::max(farthest, sun_r0 + part.high.at(1));  // the root panel is 1
    const double stretch = std::max({1.0, 1 / b.p, 1 / b.q});
    const double slope = 2 * std::pow(farthest * stretch / b.r0, b.alpha);
    return std::clamp(slope / steep, 1.0, most);
}

/// Rules that make every panel keep its points.
PanelRules exact_rules() {
    PanelRules rules;
    rules.reach = rules.steepest = 0;
    rules.clearance = rules.cutoff = rules.negligible = 1e300;
    return rules;
}

}  // namespace

CompressedEvaluator::CompressedEvaluator(const StreamModel& like, std::span<const Star> stars,
                                         const EvaluatorOptions& options, kernels::Backend backend)
    : like_(like),
      stars_(stars.size()),
      scales_(like, stars),
      options_(options),
      backend_(backend),
      rules_(rules_for(options.tolerance)),
      frame_(stripe_frame(like.wedge)) {
    const QuadratureRule rule = options.quadrature == Quadrature::milkyway
                                    ? milkyway_rule(like.convolve)
                                    : gauss_legendre_rule(like.convolve);
    const LineOfSight line(like, rule);
    kernels::compressed::Problem problem;
    problem.disk = has_disk(like);
    problem.own_disks = like.background.has_disks();
    problem.triaxial = like.background.triaxial;
    problem.streams = static_cast<int>(like.streams.size());
    problem.tail = legendre_tail();
    for (std::size_t i = 0; i < 3; ++i) {
        problem.frame[3 * i] = frame_[i].x;
        problem.frame[3 * i + 1] = frame_[i].y;
        problem.frame[3 * i + 2] = frame_[i].z;
    }
    const std::vector<SelectedArea> parts = selected_areas(like);
    problem.wedge_areas = parts_of_wedge(parts);
    wedge_areas_ = static_cast<std::size_t>(problem.wedge_areas);
    for (const SelectedArea& part : parts) {
        areas_.push_back(make_compressed_area(part, line));
        problem.areas.push_back(area_tables(areas_.back()));
        problem.areas.back().sky = sky_panels(areas_.back(), part);
        const double sign = part.area == 0 ? 1 : -1;
        for (std::size_t i = 0; i < 3; ++i) auxiliary_[i] += sign * areas_.back().auxiliary[i];
    }
    problem.stars = star_tables(like, rule, stars);
    if (backend == kernels::Backend::cuda)
        problem.stars.order = neighbours_together(problem.stars, frame_);
    problem.observed = observed_table(like, stars);
    device_ = make_device(problem, backend);
}

std::vector<Evaluation> CompressedEvaluator::evaluate(std::span<const StreamModel> sets,
                                                      Wanted wanted) {
    std::vector<Evaluation> done;
    const std::size_t at_once = sets_at_once();
    for (std::size_t first = 0; first < sets.size(); first += at_once)
        evaluate_some(sets.subspan(first, std::min(at_once, sets.size() - first)), wanted, done);
    return done;
}

std::size_t CompressedEvaluator::sets_at_once() const {
    if (like_.observables.empty()) return most_sets;
    const std::size_t of_set = std::max<std::size_t>(1, stars_ * (1 + like_.streams.size()));
    return std::clamp<std::size_t>(most_factors / of_set, 1, most_sets);
}

void CompressedEvaluator::evaluate_some(std::span<const StreamModel> sets, Wanted wanted,
                                        std::vector<Evaluation>& done) {
    std::vector<Attempt> attempts(sets.size());
    for (std::size_t i = 0; i < sets.size(); ++i) {
        Attempt& a = attempts[i];
        a.model = &sets[i];
        a.observed = observed_distributions(sets[i]);
        a.background = background_values(sets[i], auxiliary_);
        for (std::size_t s = 0; s < sets[i].streams.size(); ++s) {
            a.streams.push_back(stream_values(sets[i], s, frame_));
            a.tracks.push_back(track_pieces(sets[i].streams[s]));
        }
        a.rules.assign(a.components(), rules_);
        a.star_rules = star_rules(rules_);
        const double finer = steepness({areas_.data(), wedge_areas_}, a.background);
        a.rules[0].clearance *= finer;
        a.star_rules.clearance *= finer;
        a.walks.resize(a.components() * areas_.size());
        a.stale.assign(a.components(), 1);
        a.given.assign(a.components(), unset);
        a.uncut.assign(a.components(), unset);
        for (std::size_t s = 0; s < a.streams.size(); ++s)
            if (!(std::abs(a.streams[s].sigma) > smallest_sigma))
                a.given[1 + s] = a.uncut[1 + s] = 0;
    }
    run(attempts, wanted);
    if (!attempts.empty()) {
        cost_.boxes.assign(attempts[0].components(), 0);
        for (std::size_t i = 0; i < attempts[0].walks.size(); ++i)
            cost_.boxes[i / areas_.size()] += attempts[0].walks[i].boxes.size();
    }
    // Each set that misses the tolerance is refined alone, so that no set depends on another.
    for (Attempt& a : attempts) {
        while (refine(a)) run({&a, 1}, wanted);
        done.push_back(std::move(a.result));
    }
}

BoxWalk CompressedEvaluator::walk_one(const Attempt& attempt, std::size_t component,
                                      std::size_t area) const {
    if (!std::isnan(attempt.given[component])) return {};
    const PanelRules& rules = attempt.rules[component];
    if (component > 0)
        return walk_stream(areas_[area], frame_, attempt.streams[component - 1],
                           attempt.tracks[component - 1], rules);
    return walk_background(areas_[area], frame_, attempt.background, rules,
                           has_disk(*attempt.model));
}

void CompressedEvaluator::run(std::span<Attempt> attempts, Wanted wanted) {
    const std::size_t components = attempts[0].components(), areas = areas_.size();
    const std::size_t walks = attempts.size() * components * areas;
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < walks; ++i) {
        Attempt& a = attempts[i / (components * areas)];
        const std::size_t component = i / areas % components, area = i % areas;
        if (a.stale[component] != 0)
            a.walks[component * areas + area] = walk_one(a, component, area);
    }
    kernels::compressed::Batch batch;
    batch.gradient = wanted.gradient;
    batch.densities = wanted.star_densities;
    batch.terms = wanted.memberships;
    for (std::size_t set = 0; set < attempts.size(); ++set) {
        Attempt& a = attempts[set];
        a.stale.assign(components, 0);
        batch.backgrounds.push_back(a.background);
        batch.star_rules.push_back(a.star_rules);
        batch.observed.insert(batch.observed.end(), a.observed.begin(), a.observed.end());
        a.add_streams(batch);
        batch.given.insert(batch.given.end(), a.given.begin(), a.given.end());
        for (std::size_t i = 0; i < a.walks.size(); ++i) {
            batch.first_task.push_back(static_cast<int>(batch.tasks.size()));
            if (a.walks[i].too_many) continue;
            for (BoxTask box : a.walks[i].boxes) {
                box.set = static_cast<int>(set);
                box.component = static_cast<int>(i / areas);
                box.area = static_cast<int>(i % areas);
                batch.tasks.push_back(box);
            }
        }
    }
    batch.first_task.push_back(static_cast<int>(batch.tasks.size()));
    const kernels::compressed::BatchSums sums = device_->run(batch);
    for (std::size_t set = 0; set < attempts.size(); ++set)
        take_sums(attempts[set], sums, set, wanted);
}

/// Returns whether the set must run again. It gets finer panels at first, then sums point by point.
bool CompressedEvaluator::refine(Attempt& a) {
    if (options_.allow_empty_streams && drop_empty_streams(a)) return true;
    const std::vector<double>& error = a.quadrature_errors;
    const auto missed = [&](double estimate) { return estimate > options_.tolerance; };
    std::vector<int> exact;
    bool again = false, dropped = false;
    for (std::size_t k = 0; k < a.components(); ++k) {
        if (!std::isnan(a.given[k])) continue;
        const bool given_up = a.has_too_many_boxes(k, areas_.size());
        if (given_up || (missed(error[k]) && a.refinements >= most_refinements)) {
            if (options_.fall_back)
                exact.push_back(static_cast<int>(k));
            else if (given_up)
                a.given[k] = a.uncut[k] = 0, dropped = true;
        } else if (missed(error[k])) {
            refine_rules(a.rules[k]);
            a.stale[k] = again = true;
        }
    }
    if (!exact.empty()) integrate_exactly(a, exact);
    if (missed(error.back()) && a.refinements <= most_refinements) {
        if (a.refinements == most_refinements)
            a.star_rules = exact_rules();
        else
            refine_rules(a.star_rules);
        again = true;
    }
    if (again) ++a.refinements;
    return again || dropped || !exact.empty();
}

void CompressedEvaluator::integrate_exactly(Attempt& a, const std::vector<int>& components) {
    StreamModel part = *a.model;
    part.streams.clear();
    for (const int k : components)
        if (k > 0) part.streams.push_back(a.model->streams[static_cast<std::size_t>(k) - 1]);
    EvaluatorOptions options = options_;
    options.allow_empty_streams = false;  // drop_empty_streams() looks at the integrals as they are
    const Evaluation exact =
        make_exact_evaluator(part, {}, options, backend_)->evaluate({&part, 1}, {}).at(0);
    std::size_t stream = 0;
    for (const int k : components) {
        const auto at = static_cast<std::size_t>(k);
        a.given[at] = k == 0 ? exact.background_integral : exact.stream_integrals[stream];
        const std::size_t place = k == 0 ? 0 : 1 + stream;
        a.uncut[at] = exact.uncut_integrals.empty() ? a.given[at] : exact.uncut_integrals[place];
        if (k > 0) ++stream;
        a.result.exact_components.push_back(k);
    }
}

std::unique_ptr<WedgeEvaluator> make_compressed_evaluator(const StreamModel& like,
                                                          std::span<const Star> stars,
                                                          const EvaluatorOptions& options,
                                                          kernels::Backend backend) {
    return std::make_unique<CompressedEvaluator>(like, stars, options, backend);
}

}  // namespace tessera::likelihood
