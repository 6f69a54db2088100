// Orbitals and densities of one frame of a wavefunction file, on grids and at points.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kokkos_kernels/orbitals/esp/potential_evaluator.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"
#include "orbitals/basis/dense_matrix.hpp"
#include "orbitals/tiles/combined_rows.hpp"
#include "orbitals/tiles/prepare.hpp"
#include "orbitals/tiles/surface.hpp"
#include "orbitals/tiles/vertex_values.hpp"

namespace tessera::python {

/// Memory for grids, on the host or on the GPU that computes.
struct GridMemory {
    std::byte* data = nullptr;
    bool on_device = false;
};

/// Gives the memory for a number of grids, after the input has been checked.
using MakeMemory = std::function<GridMemory(std::size_t grids)>;

/// Keeps the memory of the device from call to call, and what is loaded if a call repeats.
class OrbitalEvaluation {
  public:
    struct Options {
        bool double_precision = false;
        double tolerance = 0;  ///< bohr^-3/2
        bool repair_norms = false;
        bool isolated = false;         ///< a periodic system as one molecule
        std::string natural_orbitals;  ///< of this density matrix; empty: the orbitals of the file
        std::string transition_orbitals;  ///< as `--natural-transition-orbitals`; empty: none
        /// Of these transition densities of the orbitals, one for each spin; empty: none.
        std::vector<orbitals::Matrix> transition_matrices;
    };
    /// Reads frame `frame` (from 1) of the file. Throws Error as `tessera orbital` does.
    OrbitalEvaluation(const std::string& path, int frame, const Options& options);

    const io::Wavefunction& wavefunction() const { return read_.frames[0].wavefunction; }
    /// The warnings of `tessera orbital` about the file.
    std::vector<std::string> warnings() const;

    /// The grid around all nuclei. Lengths are in bohr.
    UniformGrid grid_around(Vec3 spacing, double padding) const;
    /// That of `--grid cell`. Throws Error for a molecule.
    UniformGrid cell_grid(Vec3 spacing, Vec3 origin) const;
    /// Positions in the file, from 0, of the orbitals of a list such as "HOMO,LUMO+1,3b".
    std::vector<int> find(const std::string& list) const;

    /// Writes values [orbital, z, y, x] of the orbitals of a list: float, or double if double
    /// precision was chosen. They have the bits of `tessera orbital`.
    void orbitals_on_grid(const std::string& list, const UniformGrid& grid, const MakeMemory& make);
    /// The density [z, y, x], or the spin density, likewise. The bits are those of a run without
    /// orbitals: the number of rows that are loaded together decides some of them.
    void density_on_grid(bool of_spin, const UniformGrid& grid, const MakeMemory& make);
    bool in_double() const { return input_.double_precision; }

    /// A combination as `--combine` takes it. The names of other wavefunctions take the place of
    /// `--with`.
    struct CombinationRequest {
        std::string expression;
        std::vector<std::pair<std::string, const OrbitalEvaluation*>> others;
        bool different_geometries = false;
    };
    /// A combination [z, y, x], with the bits of `tessera orbital --combine`.
    void combination_on_grid(const CombinationRequest& request, const UniformGrid& grid,
                             const MakeMemory& make);
    /// Seconds in kernels since construction.
    double kernel_seconds() const { return evaluator_->kernel_seconds(); }

    /// What `--isosurface` and `--vertex-field` take.
    struct SurfaceRequest {
        double isovalue = 0;  ///< bohr^-3/2 for orbitals, bohr^-3 for densities
        std::string vertex_fields;
    };
    struct Surface {
        orbitals::SurfaceMesh mesh;
        std::vector<std::string> fields;
        std::vector<double> scalars;  ///< [field][vertex]
    };
    /// The surfaces +isovalue and -isovalue of one orbital, or of "density" or "spin_density", with
    /// the bits of `tessera orbital --isosurface`.
    Surface isosurface(const std::string& orbital, const SurfaceRequest& request,
                       const UniformGrid& grid);
    /// Those of a combination, with the bits of `tessera orbital --combine --isosurface`.
    Surface combination_isosurface(const CombinationRequest& combination,
                                   const SurfaceRequest& request, const UniformGrid& grid);

    /// Values [orbital, point] at points x, y, z in bohr, in double precision without screening.
    void orbitals_at(const std::string& list, std::span<const double> points,
                     std::span<double> out) const;
    void density_at(bool of_spin, std::span<const double> points, std::span<double> out) const;
    void combination_at(const CombinationRequest& request, std::span<const double> points,
                        std::span<double> out) const;
    /// The electrostatic potential, hartree/e, on the device. `tolerance`: the largest change by
    /// what is neglected. Throws Error if that is negative or not a number.
    void potential_at(double tolerance, std::span<const double> points, std::span<double> out);

  private:
    enum class Kind { orbitals, density, spin_density };
    /// What a call on a grid computes.
    struct Plan {
        Kind kind;
        std::string list;
        UniformGrid grid;
        std::vector<orbitals::OrbitalWork> tiles;
        std::vector<int> orbitals;    ///< rows of the problem
        std::vector<double> weights;  ///< of a density
    };

    orbitals::PreparedOrbitals prepared_for(orbitals::OrbitalInput input, const UniformGrid& grid,
                                            orbitals::FramesRead read) const;
    std::shared_ptr<const Plan> plan_for(Kind kind, const std::string& list,
                                         const UniformGrid& grid);
    void load(const UniformGrid& grid, const io::Wavefunction& wavefunction,
              const std::vector<int>& rows, bool double_precision);
    void load(const std::shared_ptr<const Plan>& plan);
    orbitals::PreparedOrbitals prepared_surface(const std::string& orbital,
                                                const SurfaceRequest& request,
                                                const UniformGrid& grid) const;
    /// The fields of a surface that `make` makes, and the normals if it has none.
    Surface complete_surface(const orbitals::PreparedOrbitals& prepared, std::int32_t item,
                             const std::function<orbitals::SurfaceMesh()>& make);
    orbitals::SurfaceMesh orbital_mesh(const UniformGrid& grid, double isovalue);
    orbitals::SurfaceMesh density_mesh(const std::shared_ptr<const Plan>& plan, double isovalue);
    orbitals::PreparedOrbitals prepared_combination(const CombinationRequest& request,
                                                    orbitals::OrbitalInput input,
                                                    const UniformGrid& grid) const;
    void load_combination(const UniformGrid& grid, const orbitals::CombinedRows& rows);
    void write_density(const Plan& plan, std::byte* out);
    std::size_t value_bytes() const { return input_.double_precision ? 8 : 4; }

    orbitals::OrbitalInput input_;
    orbitals::FramesRead read_;
    std::vector<std::string> messages_;
    std::shared_ptr<kernels::OrbitalEvaluator> evaluator_;
    std::shared_ptr<kernels::PointEvaluator> points_;
    std::shared_ptr<kernels::PotentialEvaluator> potential_;  ///< null until it is needed
    double potential_tolerance_ = -1;                         ///< of what it holds
    std::shared_ptr<const Plan> plan_;    ///< of the last call; changed under Python's lock
    std::shared_ptr<const Plan> loaded_;  ///< in the evaluator; changed within compute()
};

}  // namespace tessera::python
