// Orbitals as tiles: a tile is a frame, a batch of orbitals and a slab; its partial the sums of psi^2.
// The grids themselves go to the writer, the surfaces to a sink.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/compensated_sum.hpp"
#include "core/tile.hpp"
#include "io/hdf5/grid_file.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"
#include "orbitals/basis/folded_basis.hpp"
#include "orbitals/tiles/prepare.hpp"
#include "orbitals/tiles/surface.hpp"

namespace tessera::orbitals {

/// Sum over a slab's points: of psi^2 for an orbital, of the density for a density, of a product for an
/// overlap.
struct OrbitalSum {
    TileKind kind = TileKind::orbitals;
    std::int32_t frame = 0;
    std::int32_t item = 0;  ///< of the selection; of overlaps: row * items + column, row <= column
    std::int32_t in_double = 0;  ///< orbitals of it that were computed in double precision
    CompensatedSum<double> sum;
};

/// Which dataset of the writer each kind of tile goes to; -1: nowhere.
struct GridTargets {
    int orbitals = -1, density = -1, spin_density = -1;
};

/// Where a tile's grids go; nothing for one without any.
std::optional<io::GridBlock> grid_block_of(const OrbitalTile& tile,
                                           const PreparedOrbitals& prepared, GridTargets targets);

class OrbitalWorkload {
  public:
    using Payload = OrbitalSum;

    /// `writer` may be null: norms and surfaces only, no grid leaves the device. `surfaces` may be
    /// empty where none are asked for.
    OrbitalWorkload(kernels::OrbitalEvaluator& evaluator, const OrbitalInput& input,
                    const PreparedOrbitals& prepared, io::GridWriter* writer, GridTargets targets,
                    SurfaceSink surfaces)
        : evaluator_(evaluator),
          input_(input),
          prepared_(prepared),
          writer_(writer),
          targets_(targets),
          surfaces_(std::move(surfaces)) {}

    TilePartial<Payload> run(const Tile& tile) { return run(tile, false); }
    /// One orbital at a time: the same values and sums from smaller launches.
    TilePartial<Payload> run_smaller(const Tile& tile) { return run(tile, true); }

    double folding_seconds() const { return folding_seconds_; }
    /// In the evaluator, kernels included.
    double evaluation_seconds() const { return evaluation_seconds_; }

  private:
    TilePartial<Payload> run(const Tile& tile, bool one_by_one);
    void load_frame(std::int32_t frame);
    void evaluate_orbitals(const OrbitalTile& tile, void* out, bool one_by_one,
                           std::vector<OrbitalSum>& sums);
    void evaluate_density(const OrbitalTile& tile, void* out, std::vector<OrbitalSum>& sums);
    void evaluate_overlaps(const OrbitalTile& tile, bool in_parts, std::vector<OrbitalSum>& sums);
    void make_surface(const OrbitalTile& tile, bool one_by_one);

    kernels::OrbitalEvaluator& evaluator_;
    const OrbitalInput& input_;
    const PreparedOrbitals& prepared_;
    io::GridWriter* writer_;
    GridTargets targets_;
    std::int32_t loaded_frame_ = -1;
    std::optional<FoldedBasis> basis_;  ///< of the frame loaded last: a trajectory's have the same
    // Rows of the loaded problem: items of the selection first, then orbitals with a weight.
    std::vector<int> density_rows_, spin_rows_;
    std::vector<double> density_weights_, spin_weights_;
    SurfaceSink surfaces_;
    double folding_seconds_ = 0, evaluation_seconds_ = 0;
};

/// Bytes of the largest tile of the run, for the writer's buffers.
std::size_t largest_tile_bytes(const OrbitalInput& input, const PreparedOrbitals& prepared);

}  // namespace tessera::orbitals
