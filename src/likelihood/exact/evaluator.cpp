// The exact integration as one evaluator: make_exact_evaluator(), declared in
// model/wedge_evaluator.hpp.
#include <array>

#include "core/error.hpp"
#include "likelihood/exact/workload.hpp"

namespace tessera::likelihood {

namespace {

class ExactEvaluator final : public WedgeEvaluator {
  public:
    ExactEvaluator(const StreamModel& like, std::span<const Star> stars,
                   const EvaluatorOptions& options, kernels::Backend backend)
        : wedge_{{like, {stars.begin(), stars.end()}}},
          workload_(wedge_, options, backend),
          allow_empty_streams_(options.allow_empty_streams) {}

    std::vector<Evaluation> evaluate(std::span<const StreamModel> sets, Wanted wanted) override {
        if (wanted.gradient)
            throw Error("the exact integration computes no gradient", "it sums densities only",
                        "use the compressed integration, or differences");
        std::vector<Evaluation> evaluations;
        for (const StreamModel& set : sets) {
            wedge_[0].model = set;
            workload_.model_changed();
            std::vector<TilePartial<ExactWorkload::Payload>> partials;
            const auto tiles = static_cast<std::int64_t>(workload_.tiles().size());
            for (const Tile& tile : cut_into_tiles(tiles, 1))
                partials.push_back(workload_.run_unchecked(tile));
            evaluations.push_back(
                combine_exact(wedge_, partials, wanted, allow_empty_streams_).front());
        }
        return evaluations;
    }

  private:
    std::array<WedgeInput, 1> wedge_;
    ExactWorkload workload_;
    bool allow_empty_streams_;
};

}  // namespace

std::unique_ptr<WedgeEvaluator> make_exact_evaluator(const StreamModel& like,
                                                     std::span<const Star> stars,
                                                     const EvaluatorOptions& options,
                                                     kernels::Backend backend) {
    return std::make_unique<ExactEvaluator>(like, stars, options, backend);
}

}  // namespace tessera::likelihood
