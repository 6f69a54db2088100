// Fits with other numbers of streams than the parameter files have.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "kokkos_kernels/device/device.hpp"
#include "likelihood/fit/fit_problem.hpp"
#include "likelihood/fit/stream_objective.hpp"
#include "likelihood/model/wedge_evaluator.hpp"

namespace tessera::likelihood {

/// The number of streams of each wedge. `left_out`: the wedge is no part of the problem.
using Numbers = std::vector<int>;
inline constexpr int left_out = -1;

/// Which stars count. The stars of a wedge are dealt out to folds, counted from 1: 0: all stars, f:
/// those outside fold f, -f: those of fold f.
using StarPart = int;
inline constexpr StarPart all_stars = 0;

/// The problems of a fit whose numbers of streams vary. A wedge with n streams has the first n of
/// its file.
class StreamNumbers {
  public:
    using SettingsOf = std::function<io::FitSettings(const io::TextSource&)>;

    /// `whole` is the problem with all streams of the files. Throws Error if a file has too few of
    /// them, or if streams share parameters. All arguments must outlive the object.
    StreamNumbers(const LikelihoodInput& input, const FitProblem& whole, SettingsOf settings_of);

    int fewest() const { return whole_.settings.fewest_streams; }
    int most() const { return whole_.settings.most_streams; }
    int folds() const { return whole_.settings.folds; }  ///< 0: the criterion is BIC
    std::size_t wedges() const { return whole_.wedges.size(); }
    const LikelihoodInput& input() const { return input_; }
    const StreamModel& file_model(std::size_t wedge) const { return whole_.wedges[wedge].model; }

    /// One wedge alone, with so many streams.
    Numbers alone(std::size_t wedge, int streams) const;
    /// Throws Error if nothing is fitted then.
    FitProblem problem(const Numbers& numbers, StarPart part = all_stars) const;

  private:
    std::vector<Star> stars_of(std::size_t wedge, StarPart part) const;

    const LikelihoodInput& input_;
    const FitProblem& whole_;
    SettingsOf settings_of_;
};

/// Answers the questions of StageQuestions on the device of this rank. It keeps the evaluators of
/// the last numbers.
class StagedObjective : public Objective {
  public:
    StagedObjective(const StreamNumbers& numbers, kernels::Backend backend)
        : numbers_(numbers), backend_(backend) {}

    std::vector<double> values(std::span<const Point> points) override;
    std::vector<Slope> slopes(std::span<const Point> points) override;

  private:
    /// The points without the numbers and the part, which this rank can evaluate then.
    std::vector<Point> prepared(std::span<const Point> points);

    const StreamNumbers& numbers_;
    kernels::Backend backend_;
    Numbers now_;
    StarPart part_ = all_stars;
    FitProblem problem_;
    WedgeEvaluators evaluators_;
    std::unique_ptr<StreamObjective> on_models_;
};

/// Adds the numbers of streams and the part of the stars to each question, so that a rank knows
/// what is meant.
class StageQuestions : public Objective {
  public:
    StageQuestions(Objective& each, Numbers numbers, StarPart part = all_stars)
        : each_(each), numbers_(std::move(numbers)), part_(part) {}

    std::vector<double> values(std::span<const Point> points) override;
    std::vector<Slope> slopes(std::span<const Point> points) override;

  private:
    std::vector<Point> asked(std::span<const Point> points) const;

    Objective& each_;
    Numbers numbers_;
    StarPart part_;
};

}  // namespace tessera::likelihood
