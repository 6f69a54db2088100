#include "docking/model/energy.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/error.hpp"
#include "docking/model/receptor_grids.hpp"
#include "kokkos_kernels/fft/fft_shape.hpp"

namespace tessera::docking {

namespace {

using Grid = std::vector<double>;

/// The penalty of a blocked atom and the bonus of an attracted atom for each pair in contact, in
/// units of the repulsion's height.
constexpr double block_penalty = 1.0, attract_bonus = 0.05;
constexpr double restraint_range = 5.0;  ///< Angstrom; atoms within it are in contact

/// The share of its attraction and of its pair energy that a masked atom keeps.
constexpr double mask_share = 0.5;

double share_of(const std::vector<bool>& masked, std::size_t atom) {
    return !masked.empty() && masked[atom] ? mask_share : 1.0;
}

/// Makes the receptor's grids. Each function is one loop over the atoms.
class ReceptorGrids {
  public:
    ReceptorGrids(const Molecule& receptor, const DockingFrame& frame,
                  const EnergyParameters& parameters, const std::vector<bool>& masked)
        : receptor_(receptor),
          parameters_(parameters),
          masked_(masked),
          grid_{frame.n, frame.spacing} {
        for (const Vec3& position : receptor.positions)
            atoms_.push_back(position - frame.receptor_center);
        core_ = mask(parameters.surface_core_scale, parameters.buried_core_scale);
    }

    /// Sums value(atom, squared distance) over the atoms within `cutoff`.
    template <class Value>
    Grid sum_within(double cutoff, const Value& value) const {
        Grid sum(points(), 0.0);
        visit_near_points(
            grid_, atoms_, [&](int) { return cutoff; },
            [&](int atom, std::size_t voxel, double r2) { sum[voxel] += value(atom, r2); });
        return sum;
    }

    /// The core and a soft rim around it. The side chains of unbound proteins can still move, so
    /// the rim tolerates some overlap.
    Grid repulsion() const {
        const auto rim = mask(parameters_.surface_rim_scale, parameters_.buried_rim_scale);
        Grid grid(points());
        for (std::size_t v = 0; v < points(); ++v)
            grid[v] = parameters_.repulsion * (core_[v] ? 1.0 : rim[v] ? parameters_.rim : 0.0);
        return grid;
    }

    /// The number of receptor atoms within the cut-off, outside the core.
    Grid attraction() const {
        Grid count = sum_within(parameters_.attraction_cutoff,
                                [&](int atom, double) { return share_of(masked_, atom); });
        for (std::size_t v = 0; v < points(); ++v)
            if (core_[v]) count[v] = 0;
        return count;
    }

    /// The smoothed Coulomb potential, shifted to vanish at the cut-off (e/A).
    Grid electrostatics() const {
        const double d2 = parameters_.born_radius * parameters_.born_radius;
        const auto f = [d2](double r2) {
            return 1 / std::sqrt(r2 + d2 * std::exp(-r2 / (4 * d2)));
        };
        const double cutoff = parameters_.electrostatics_cutoff, shift = f(cutoff * cutoff);
        return sum_within(cutoff, [&](int atom, double r2) {
            const double charge = receptor_.charges[atom];
            return charge == 0 ? 0.0 : charge * (f(r2) - shift);
        });
    }

    Grid eigen_term(const double* eigenvector) const {
        return sum_within(parameters_.pair_cutoff, [&](int atom, double) {
            return share_of(masked_, atom) * eigenvector[receptor_.types[atom]];
        });
    }

    /// Sums the restraint weights of the receptor atoms within reach. A bonus ends at the core, so
    /// that no atom is drawn into it.
    Grid restraint(const std::vector<float>& weights) const {
        Grid grid(points(), 0.0);
        visit_near_points(
            grid_, atoms_, [&](int atom) { return weights[atom] == 0 ? 0.0 : restraint_range; },
            [&](int atom, std::size_t voxel, double) {
                if (weights[atom] > 0 || !core_[voxel]) grid[voxel] += weights[atom];
            });
        return grid;
    }

    /// 1 where a ligand atom is in contact: near any receptor atom and outside the core.
    Grid contact() const {
        Grid grid = sum_within(restraint_range, [](int, double) { return 1.0; });
        for (std::size_t v = 0; v < points(); ++v) grid[v] = !core_[v] && grid[v] > 0 ? 1 : 0;
        return grid;
    }

    std::size_t points() const { return static_cast<std::size_t>(grid_.n) * grid_.n * grid_.n; }

  private:
    /// The points within a multiple of the radius of any receptor atom.
    std::vector<char> mask(double surface_scale, double buried_scale) const {
        std::vector<char> inside(points(), 0);
        visit_near_points(
            grid_, atoms_,
            [&](int atom) {
                return receptor_.radii[atom] *
                       (receptor_.on_surface[atom] ? surface_scale : buried_scale);
            },
            [&](int, std::size_t voxel, double) { inside[voxel] = 1; });
        return inside;
    }

    const Molecule& receptor_;
    const EnergyParameters& parameters_;
    const std::vector<bool>& masked_;
    PeriodicGrid grid_;
    std::vector<Vec3> atoms_;
    std::vector<char> core_;
};

/// Buried ligand atoms must not clash. Atoms on the surface can move out of the way.
std::vector<float> clash_weights(const Molecule& ligand, const EnergyParameters& parameters) {
    std::vector<float> weights;
    weights.reserve(ligand.on_surface.size());
    for (bool on_surface : ligand.on_surface)
        weights.push_back(on_surface ? 1.0F : static_cast<float>(parameters.buried_ligand_weight));
    return weights;
}

/// The penalties of blocked atoms and the bonuses of attracted atoms. Empty if there are none.
std::vector<float> restraint_weights(std::size_t atoms, const EnergyParameters& parameters,
                                     const Restraints& restraints) {
    if (restraints.blocked.empty() && restraints.attracted.empty()) return {};
    std::vector<float> weights(atoms, 0.0F);
    for (std::size_t a = 0; a < atoms; ++a) {
        if (!restraints.attracted.empty() && restraints.attracted[a])
            weights[a] = static_cast<float>(-attract_bonus * parameters.repulsion);
        if (!restraints.blocked.empty() && restraints.blocked[a])
            weights[a] = static_cast<float>(block_penalty * parameters.repulsion);
    }
    return weights;
}

/// Adds channels one after another. Each receptor grid is made, or copied from a problem that has
/// it.
class Channels {
  public:
    Channels(kernels::CorrelationProblem& problem, const kernels::CorrelationProblem* source)
        : channels_(problem.channels), source_(source) {}

    template <class MakeGrid>
    void add(const MakeGrid& make_grid, std::vector<float> ligand, int term) {
        if (source_) {
            const auto& same = source_->channels.at(channels_.size());
            channels_.push_back({same.receptor, std::move(ligand), term});
        } else {
            const Grid grid = make_grid();
            channels_.push_back({{grid.begin(), grid.end()}, std::move(ligand), term});
        }
    }

  private:
    std::vector<kernels::EnergyChannel>& channels_;
    const kernels::CorrelationProblem* source_;
};

/// Adds channels for restraints, which count as repulsion. A flagged receptor atom acts on any
/// ligand atom near it, and a flagged ligand atom on any receptor atom.
void add_restraints(Channels& channels, const std::optional<ReceptorGrids>& grids,
                    const std::vector<float>& on_receptor, const std::vector<float>& on_ligand,
                    std::size_t ligand_atoms) {
    if (!on_receptor.empty())
        channels.add([&] { return grids->restraint(on_receptor); },
                     std::vector<float>(ligand_atoms, 1.0F), 0);
    if (!on_ligand.empty()) channels.add([&] { return grids->contact(); }, on_ligand, 0);
}

}  // namespace

kernels::CorrelationProblem make_problem(const ChannelSource& source,
                                         const kernels::CorrelationProblem* same_receptor) {
    const auto& [receptor, ligand, frame, parameters, potential, sets, receptor_restraints,
                 ligand_restraints] = source;
    kernels::CorrelationProblem problem;
    problem.n = frame.n;
    problem.spacing = frame.spacing;
    for (const Vec3& position : ligand.positions)
        problem.ligand.push_back(position - frame.ligand_center);
    for (const CoefficientSet& set : sets) problem.sets.push_back(set.weights);

    std::optional<ReceptorGrids> grids;
    if (!same_receptor) grids.emplace(receptor, frame, parameters, receptor_restraints.masked);
    Channels channels(problem, same_receptor);
    std::vector<float> shares;
    for (std::size_t a = 0; a < ligand.size(); ++a)
        shares.push_back(static_cast<float>(share_of(ligand_restraints.masked, a)));
    channels.add([&] { return grids->repulsion(); }, clash_weights(ligand, parameters), 0);
    channels.add([&] { return grids->attraction(); }, shares, 1);
    channels.add([&] { return grids->electrostatics(); },
                 {ligand.charges.begin(), ligand.charges.end()}, 2);

    const int types = potential.types();
    for (int p = 0; p < std::min(parameters.eigen_terms, types); ++p) {
        const double* eigenvector = &potential.eigenvectors[static_cast<std::size_t>(p) * types];
        std::vector<float> weight;
        for (std::size_t a = 0; a < ligand.size(); ++a)
            weight.push_back(shares[a] * static_cast<float>(potential.eigenvalues[p] *
                                                            eigenvector[ligand.types[a]]));
        channels.add([&] { return grids->eigen_term(eigenvector); }, std::move(weight), 3);
    }
    add_restraints(channels, grids,
                   restraint_weights(receptor.size(), parameters, receptor_restraints),
                   restraint_weights(ligand.size(), parameters, ligand_restraints), ligand.size());
    return problem;
}

}  // namespace tessera::docking
