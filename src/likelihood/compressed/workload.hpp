// The compressed integration as tiles. A tile is a wedge, and its partial is the evaluation.
#pragma once

#include "core/tile.hpp"
#include "likelihood/model/evaluation_record.hpp"
#include "likelihood/model/input.hpp"

namespace tessera::likelihood {

class CompressedWorkload {
  public:
    using Payload = double;

    /// Both must outlive the workload.
    CompressedWorkload(const std::vector<WedgeInput>& wedges, const LikelihoodInput& input,
                       kernels::Backend backend)
        : wedges_(wedges), input_(input), backend_(backend) {}

    TilePartial<Payload> run(const Tile& tile) {
        const WedgeInput& wedge = wedges_[static_cast<std::size_t>(tile.begin)];
        const auto evaluator =
            make_compressed_evaluator(wedge.model, wedge.stars, input_.evaluation, backend_);
        return {tile.id, pack(evaluator->evaluate({&wedge.model, 1}, input_.wanted()).at(0))};
    }

  private:
    const std::vector<WedgeInput>& wedges_;
    const LikelihoodInput& input_;
    kernels::Backend backend_;
};

}  // namespace tessera::likelihood
