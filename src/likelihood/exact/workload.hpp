// The exact mode as tiles: blocks of columns of an area, and blocks of stars, of one or more
// wedges.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/compensated_sum.hpp"
#include "core/tile.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/likelihood/exact/wedge_integrator.hpp"
#include "likelihood/model/evaluation.hpp"
#include "likelihood/model/model_values.hpp"
#include "likelihood/model/radial_nodes.hpp"
#include "likelihood/model/wedge_evaluator.hpp"
#include "likelihood/model/wedge_input.hpp"

namespace tessera::likelihood {

/// Columns of an area of a wedge, or stars.
struct ExactTile {
    static constexpr std::int32_t stars = -1;
    std::int32_t wedge = 0;
    std::int32_t area = 0;  ///< or `stars`
    std::int64_t first = 0;
    std::int64_t count = 0;
};

/// How a run is cut, by its input alone; a tile's place in the list is its id. Of each wedge the
/// stars, then the areas: 8e8 points a tile, the last quarter 1e8.
std::vector<ExactTile> cut_exact_tiles(std::span<const WedgeInput> wedges);

/// Usable with run_tiles, a tile source over cut_into_tiles(tiles().size(), 1), and a journal.
class ExactWorkload {
  public:
    /// An area's tile: one record a component, background first. A tile of stars: one a star and
    /// component, star after star; the value is the density of observed stars there.
    using Payload = CompensatedSum<double>;

    /// `wedges` must outlive the workload.
    ExactWorkload(std::span<const WedgeInput> wedges, const EvaluatorOptions& options,
                  kernels::Backend backend);

    const std::vector<ExactTile>& tiles() const { return tiles_; }
    /// Takes the first wedge to the device before a tile asks for it; later ones come with their
    /// tiles.
    void prepare();
    /// Throws TileFailure that names the component where a sum is not finite.
    TilePartial<Payload> run(const Tile& tile);
    /// The same of models that may be no good, such as a fit tries: what is not finite stays so.
    TilePartial<Payload> run_unchecked(const Tile& tile);

    /// To be called where numbers of the models have changed, areas and stars not.
    void model_changed() { model_set_ = false; }

  private:
    using Sums = std::vector<CompensatedSum<double>>;
    void load(std::int32_t wedge);
    Sums column_sums(const StreamModel& model, const ExactTile& work);
    Sums star_sums(const WedgeInput& wedge, const ExactTile& work);

    std::span<const WedgeInput> wedges_;
    EvaluatorOptions options_;
    std::vector<ExactTile> tiles_;
    std::unique_ptr<kernels::WedgeIntegrator> integrator_;
    // Of the loaded wedge:
    std::int32_t loaded_ = -1;
    bool model_set_ = false;
    std::optional<LineOfSight> line_;
    std::vector<double> auxiliary_;  ///< per area: what the quadratic adds to a column
};

/// One evaluation a wedge, from the partials of all tiles sorted by id (as gather_by_tile returns
/// them). What is not finite stays so.
std::vector<Evaluation>
combine_exact(std::span<const WedgeInput> wedges,
              const std::vector<TilePartial<ExactWorkload::Payload>>& partials, Wanted wanted);

}  // namespace tessera::likelihood
