// The exact integration as tiles: blocks of columns of an area, and blocks of stars, of all wedges.
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
#include "likelihood/model/selected_areas.hpp"
#include "likelihood/model/wedge_evaluator.hpp"
#include "likelihood/model/wedge_input.hpp"

namespace tessera::likelihood {

/// Columns of an area of a wedge, or stars.
struct ExactTile {
    static constexpr std::int32_t stars = -1;
    std::int32_t wedge = 0;
    std::int32_t area = 0;  ///< in selected_areas(), or `stars`
    std::int64_t first = 0;
    std::int64_t count = 0;
};

/// Cuts a run into tiles, by its input alone. The index of a tile in the list is its id. Each wedge
/// has the tiles of its stars, then those of its areas. A tile has 8e8 points, or 1e8 in the last
/// quarter of an area.
std::vector<ExactTile> cut_exact_tiles(std::span<const WedgeInput> wedges);

/// Usable with run_tiles, a tile source over cut_into_tiles(tiles().size(), 1), and a journal.
class ExactWorkload {
  public:
    /// The tile of an area has one record for each component, background first. A tile of stars has
    /// one record for each star and component, star after star: the density of observed stars
    /// there.
    using Payload = CompensatedSum<double>;

    /// `wedges` must outlive the workload.
    ExactWorkload(std::span<const WedgeInput> wedges, const EvaluatorOptions& options,
                  kernels::Backend backend);

    const std::vector<ExactTile>& tiles() const { return tiles_; }
    /// Loads the first wedge to the device before the first tile. Later wedges are loaded by their
    /// tiles.
    void prepare();
    /// Throws TileFailure that names the component if a sum is not finite.
    TilePartial<Payload> run(const Tile& tile);
    /// The same without this check, for the points of a fit. Sums may be infinite or NaN.
    TilePartial<Payload> run_unchecked(const Tile& tile);

    /// Call this after the numbers of the models have changed. Areas and stars must be the same.
    void model_changed() { model_set_ = false; }

  private:
    using Sums = std::vector<CompensatedSum<double>>;
    void load(std::int32_t wedge);
    Sums column_sums(const ExactTile& work);
    Sums star_sums(const WedgeInput& wedge, const ExactTile& work);

    std::span<const WedgeInput> wedges_;
    EvaluatorOptions options_;
    std::vector<ExactTile> tiles_;
    std::unique_ptr<kernels::WedgeIntegrator> integrator_;
    // The loaded wedge:
    std::int32_t loaded_ = -1;
    bool model_set_ = false;
    std::optional<LineOfSight> line_;
    std::vector<SelectedArea> areas_;
    std::vector<double> auxiliary_;  ///< [area] contribution of the auxiliary quadratic to a column
};

/// Returns one evaluation for each wedge, from the partials of all tiles sorted by id, as
/// gather_by_tile() returns them. Evaluations may be infinite or NaN. `allow_empty_streams` is that
/// of EvaluatorOptions.
std::vector<Evaluation>
combine_exact(std::span<const WedgeInput> wedges,
              const std::vector<TilePartial<ExactWorkload::Payload>>& partials, Wanted wanted,
              bool allow_empty_streams = false);

}  // namespace tessera::likelihood
