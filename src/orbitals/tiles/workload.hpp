// Orbitals as tiles. A tile is a frame, a batch of orbitals and a slab, and its partial holds the
// sums of psi^2. Grids go to the writer, and surfaces to a sink.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/compensated_sum.hpp"
#include "core/tile.hpp"
#include "io/hdf5/grid_file.hpp"
#include "kokkos_kernels/orbitals/field_evaluator.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"
#include "orbitals/basis/folded_basis.hpp"
#include "orbitals/tiles/combined_rows.hpp"
#include "orbitals/tiles/density_sums.hpp"
#include "orbitals/tiles/frame_potential.hpp"
#include "orbitals/tiles/prepare.hpp"
#include "orbitals/tiles/surface.hpp"
#include "orbitals/tiles/tile_grids.hpp"
#include "orbitals/tiles/vertex_values.hpp"

namespace tessera::orbitals {

/// A sum over the points of a slab: of psi^2 for an orbital, of the density, of a combination of
/// densities, of a derived field, or of the product of two orbitals for an overlap.
struct OrbitalSum {
    TileKind kind = TileKind::orbitals;
    std::int32_t frame = 0;
    /// Of the selection, of the derived fields, or of the combinations.
    /// For overlaps: row * items + column, row <= column
    std::int32_t item = 0;
    std::int32_t in_double = 0;  ///< number of orbitals that were computed in double precision
    CompensatedSum<double> sum;
};

/// Takes the sums of the densities of a tile's frames, for each point of its slab.
using DensitySink = std::function<void(TileId, const PointSums&)>;

/// Takes the potential at the points of a tile.
using PointSink = std::function<void(TileId, std::span<const double>)>;

/// Where the grids and surfaces of tiles go, and what computes beside the evaluator of grids. A run
/// needs only what its tiles make.
struct OrbitalSinks {
    io::GridWriter* writer = nullptr;  ///< null: no grids leave the device
    GridTargets targets;
    SurfaceSink surfaces;
    DensitySums* mean = nullptr;  ///< where densities of several frames are added up
    DensitySink sums;
    kernels::PointEvaluator* points = nullptr;  ///< for surfaces of densities, and vertex fields
    kernels::FieldEvaluator* fields = nullptr;  ///< for derived fields
    FramePotential* potential = nullptr;
    PointSink potentials;  ///< of tiles of points
};

class OrbitalWorkload {
  public:
    using Payload = OrbitalSum;

    OrbitalWorkload(kernels::OrbitalEvaluator& evaluator, const OrbitalInput& input,
                    const PreparedOrbitals& prepared, OrbitalSinks sinks = {})
        : evaluator_(evaluator), input_(input), prepared_(prepared), sinks_(std::move(sinks)) {}

    TilePartial<Payload> run(const Tile& tile) { return run(tile, false); }
    /// Computes one orbital at a time. The values and sums are the same, but the launches are
    /// smaller.
    TilePartial<Payload> run_smaller(const Tile& tile) { return run(tile, true); }

    double folding_seconds() const { return folding_seconds_; }
    /// Time in the evaluator, including its kernels.
    double evaluation_seconds() const { return evaluation_seconds_; }

  private:
    TilePartial<Payload> run(const Tile& tile, bool one_by_one);
    void load_frame(std::int32_t frame);
    void fold(const io::Wavefunction& wavefunction, const std::vector<int>& orbitals,
              kernels::OrbitalProblem& problem);
    void evaluate_orbitals(const OrbitalWork& work, void* out, bool one_by_one,
                           std::vector<OrbitalSum>& sums);
    void evaluate_density(const OrbitalWork& work, void* out, std::vector<OrbitalSum>& sums);
    void evaluate_fields(const OrbitalWork& work, void* out, std::vector<OrbitalSum>& sums);
    void load_fields(std::int32_t frame);
    void evaluate_potential(const OrbitalWork& work, void* out);
    void add_densities(const Tile& tile, const OrbitalWork& work, std::vector<OrbitalSum>& sums);
    CompensatedSum<double> add_density(const kernels::PointBlock& block, bool in_double);
    void evaluate_overlaps(const OrbitalWork& work, bool in_parts, std::vector<OrbitalSum>& sums);
    void make_surface(const OrbitalWork& work, bool one_by_one);
    void make_density_surface(const OrbitalWork& work, bool one_by_one);
    void load_combination(std::int32_t frame, std::int32_t combination);
    void evaluate_combination(const OrbitalWork& work, void* out, std::vector<OrbitalSum>& sums);
    void make_combination_surface(const OrbitalWork& work, bool one_by_one);
    /// Makes a surface of an orbital of the loaded problem.
    void surface_of_orbital(const OrbitalWork& work, std::int32_t item, int row, bool one_by_one);
    /// Makes a surface of a density of the loaded problem.
    void surface_of_density(const OrbitalWork& work, std::int32_t item, const DensityRows& density,
                            bool in_double, bool one_by_one);

    kernels::OrbitalEvaluator& evaluator_;
    const OrbitalInput& input_;
    const PreparedOrbitals& prepared_;
    OrbitalSinks sinks_;
    std::int32_t loaded_frame_ = -1, loaded_fields_ = -1;  ///< frames in the evaluators
    std::optional<CombinedRows> combined_;                 ///< in the evaluator instead of a frame
    std::int32_t loaded_combination_ = -1, combined_frame_ = -1;
    std::optional<FoldedBasis> basis_;  ///< of the last frame; frames of a trajectory share it
    // Rows of the loaded problem: first the items of the selection, then the orbitals with a
    // weight.
    std::vector<int> density_rows_, spin_rows_;
    std::vector<double> density_weights_, spin_weights_;
    double folding_seconds_ = 0, evaluation_seconds_ = 0;
};

}  // namespace tessera::orbitals
