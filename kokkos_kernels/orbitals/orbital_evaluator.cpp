#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"

#include <algorithm>

#include "kokkos_kernels/orbitals/grid_evaluator.hpp"
#include "kokkos_kernels/orbitals/overlap_sums.hpp"
#include "kokkos_kernels/orbitals/rounding.hpp"

namespace tessera::kernels {

namespace {

/// Computes every orbital in the precision that the caller asks for, or in the one that it needs.
/// If single values are asked for, some orbitals may be computed in double and rounded. Both
/// evaluators hold all rows, with zeros for the orbitals of the other one.
class EitherPrecision final : public OrbitalEvaluator {
  public:
    explicit EitherPrecision(Backend backend) : backend_(backend) {}

    void load(const OrbitalProblem& problem) override {
        check_groups(problem);
        if (double_values_ != problem.double_precision) overlaps_.reset();
        double_values_ = problem.double_precision;
        const std::size_t all = problem.coefficients.size();
        std::vector<int> rows;
        if (!problem.double_precision) rows = rows_for_double(problem);
        in_double_.assign(all, problem.double_precision);
        for (const int row : rows) in_double_[row] = true;
        if (problem.double_precision || (rows.size() == all && all > 0))
            in_double().load(problem);
        else if (rows.empty())
            in_single().load(problem);
        else {
            in_single().load(rows_of(problem, false));
            in_double().load(rows_of(problem, true));
        }
    }

    std::vector<CompensatedSum<double>> evaluate(const PointBlock& block,
                                                 std::span<const int> orbitals, void* out,
                                                 std::size_t part_of) override {
        std::vector<CompensatedSum<double>> sums(orbitals.size());
        const std::size_t many = std::max(part_of, orbitals.size());
        const auto evaluate_runs = [&](OrbitalValues& evaluator, const std::vector<Run>& runs) {
            for (const auto& [from, to] : runs) {
                // The values are single, because a problem in double has one run.
                auto* const grids = static_cast<float*>(out);
                const auto found = evaluator.evaluate(
                    block, orbitals.subspan(from, to - from),
                    grids == nullptr ? nullptr
                                     : grids + static_cast<std::int64_t>(from) * block.size(),
                    many);
                std::copy(found.begin(), found.end(), sums.begin() + from);
            }
        };
        // A device does many orbitals at once. There, rows of zeros, whose values are overwritten
        // later, are cheaper than short calls. A host does one orbital after another.
        const std::size_t gap = backend_ == Backend::cuda ? orbitals.size() : 0;
        if (single_) evaluate_runs(*single_, runs_of(orbitals, false, gap));
        if (double_) evaluate_runs(*double_, runs_of(orbitals, true, 0));
        return sums;
    }

    CompensatedSum<double> density(const PointBlock& block, std::span<const int> orbitals,
                                   std::span<const double> weights, void* out) override {
        std::vector<int> rows[2];
        std::vector<double> row_weights[2];
        for (std::size_t i = 0; i < orbitals.size(); ++i) {
            const bool in_double = computed_in_double(orbitals[i]);
            rows[in_double].push_back(orbitals[i]);
            row_weights[in_double].push_back(weights[i]);
        }
        if (rows[false].empty()) return double_->density(block, orbitals, weights, out);
        auto sum = single_->density(block, rows[false], row_weights[false], out);
        if (rows[true].empty()) return sum;
        part_.resize(out == nullptr ? 0 : block.size());
        sum.add(double_->density(block, rows[true], row_weights[true],
                                 out == nullptr ? nullptr : part_.data()));
        for (std::size_t i = 0; i < part_.size(); ++i) static_cast<float*>(out)[i] += part_[i];
        return sum;
    }

    SurfaceView isosurface(const PointBlock& block, int orbital, double level) override {
        return (computed_in_double(orbital) ? double_ : single_)->isosurface(block, orbital, level);
    }

    std::vector<CompensatedSum<double>> overlaps(const PointBlock& block, OrbitalBatch rows,
                                                 OrbitalBatch columns) override {
        if (!overlaps_) overlaps_ = make_overlap_sums(backend_, double_values_);
        return overlaps_->add_up(*this, block, rows, columns);
    }

    bool computed_in_double(int orbital) const override { return in_double_[orbital]; }

    double kernel_seconds() const override {
        return (single_ ? single_->kernel_seconds() : 0) +
               (double_ ? double_->kernel_seconds() : 0) +
               (overlaps_ ? overlaps_->kernel_seconds() : 0);
    }

  private:
    /// The orbitals orbitals[from] to orbitals[to - 1].
    struct Run {
        std::size_t from, to;
    };

    /// Runs of orbitals that are computed in double, or that are not. Runs with up to `gap` other
    /// orbitals between them are joined.
    std::vector<Run> runs_of(std::span<const int> orbitals, bool in_double, std::size_t gap) const {
        std::vector<Run> runs;
        for (std::size_t i = 0; i < orbitals.size(); ++i) {
            if (computed_in_double(orbitals[i]) != in_double) continue;
            if (!runs.empty() && i - runs.back().to <= gap)
                runs.back().to = i + 1;
            else
                runs.push_back({i, i + 1});
        }
        return runs;
    }

    OrbitalValues& in_single() {
        if (!single_) single_ = make_single_evaluator(backend_);
        return *single_;
    }
    OrbitalValues& in_double() {
        if (!double_) double_ = make_double_evaluator(backend_);
        return *double_;
    }

    /// The problem with zeros for the orbitals of the other precision.
    OrbitalProblem rows_of(OrbitalProblem problem, bool in_double) const {
        for (std::size_t o = 0; o < in_double_.size(); ++o)
            if (in_double_[o] != in_double) std::ranges::fill(problem.coefficients[o], 0.0);
        return problem;
    }

    Backend backend_;
    std::unique_ptr<OrbitalValues> single_, double_;
    std::unique_ptr<OverlapSums> overlaps_;
    bool double_values_ = false;   ///< of the loaded problem
    std::vector<bool> in_double_;  ///< [row]
    std::vector<float> part_;      ///< values of a part of a density
};

}  // namespace

std::unique_ptr<OrbitalEvaluator> make_orbital_evaluator(Backend backend) {
    return std::make_unique<EitherPrecision>(backend);
}

}  // namespace tessera::kernels
