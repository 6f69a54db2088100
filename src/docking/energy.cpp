#include "docking/energy.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "docking/receptor_grids.hpp"
#include "kokkos_kernels/fft_shape.hpp"

namespace tessera::docking {

namespace {

using Grid = std::vector<double>;

/// Contact penalty of a blocked residue and bonus of an attracted one, per ligand atom near it, in
/// units of the repulsion height.
constexpr double block_penalty = 1.0, attract_bonus = 0.05, restraint_range = 5.0;

/// Accumulates everything the receptor contributes; each member is one loop over atoms.
class ReceptorGrids {
  public:
    ReceptorGrids(const Molecule& receptor, const DockingFrame& frame,
                  const EnergyParameters& parameters)
        : receptor_(receptor), parameters_(parameters), grid_{frame.n, frame.spacing} {
        for (const Vec3& position : receptor.positions)
            atoms_.push_back(position - frame.receptor_center);
        core_ = mask(parameters.surface_core_scale, parameters.buried_core_scale);
    }

    /// Sum over atoms within `cutoff` of value(atom, squared distance).
    template <class Value>
    Grid sum_within(double cutoff, const Value& value) const {
        Grid sum(points(), 0.0);
        visit_near_points(
            grid_, atoms_, [&](int) { return cutoff; },
            [&](int atom, std::size_t voxel, double r2) { sum[voxel] += value(atom, r2); });
        return sum;
    }

    /// The core, and around it a soft rim: unbound proteins meet with side chains that have yet to move.
    Grid repulsion() const {
        const auto rim = mask(parameters_.surface_rim_scale, parameters_.buried_rim_scale);
        Grid grid(points());
        for (std::size_t v = 0; v < points(); ++v)
            grid[v] = parameters_.repulsion * (core_[v] ? 1.0 : rim[v] ? parameters_.rim : 0.0);
        return grid;
    }

    /// Number of receptor atoms within the cut-off, outside the core.
    Grid attraction() const {
        Grid count = sum_within(parameters_.attraction_cutoff, [](int, double) { return 1.0; });
        for (std::size_t v = 0; v < points(); ++v)
            if (core_[v]) count[v] = 0;
        return count;
    }

    /// Smoothed Coulomb potential, shifted to vanish at the cut-off (e/A).
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
            return eigenvector[receptor_.types[atom]];
        });
    }

    /// Adds the user's restraints on receptor residues to the repulsion grid.
    void add_restraints(Grid& repulsion, const Restraints& restraints) const {
        if (restraints.blocked.empty() && restraints.attracted.empty()) return;
        std::vector<Vec3> flagged;
        std::vector<double> value;
        for (std::size_t a = 0; a < atoms_.size(); ++a) {
            const bool blocked = !restraints.blocked.empty() && restraints.blocked[a];
            const bool attracted = !restraints.attracted.empty() && restraints.attracted[a];
            if (!blocked && !attracted) continue;
            flagged.push_back(atoms_[a]);
            value.push_back(parameters_.repulsion * (blocked ? block_penalty : -attract_bonus));
        }
        visit_near_points(
            grid_, flagged, [](int) { return restraint_range; },
            [&](int atom, std::size_t voxel, double) {
                if (value[atom] > 0 || !core_[voxel]) repulsion[voxel] += value[atom];
            });
    }

    /// 1 near any receptor atom, outside the core: where a ligand atom counts as in contact.
    Grid contact() const {
        Grid grid = sum_within(restraint_range, [](int, double) { return 1.0; });
        for (std::size_t v = 0; v < points(); ++v) grid[v] = !core_[v] && grid[v] > 0 ? 1 : 0;
        return grid;
    }

    std::size_t points() const {
        return static_cast<std::size_t>(grid_.n) * grid_.n * grid_.n;
    }

  private:
    /// Points within a multiple of some receptor atom's radius.
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
    PeriodicGrid grid_;
    std::vector<Vec3> atoms_;
    std::vector<char> core_;
};

kernels::EnergyChannel channel(const Grid& grid, std::vector<float> ligand, int term) {
    return {std::vector<float>(grid.begin(), grid.end()), std::move(ligand), term};
}

/// A buried ligand atom may not clash; one on the surface may move out of the way.
std::vector<float> clash_weights(const Molecule& ligand, const EnergyParameters& parameters) {
    std::vector<float> weights;
    for (bool on_surface : ligand.on_surface)
        weights.push_back(on_surface ? 1.0F : static_cast<float>(parameters.buried_ligand_weight));
    return weights;
}

/// Ligand-side restraints: a channel of its own, because blocked and attracted atoms are weighed by
/// contact with any receptor atom. It counts as repulsion.
void add_ligand_restraints(kernels::CorrelationProblem& problem, const ReceptorGrids& grids,
                           const EnergyParameters& parameters, const Restraints& restraints) {
    if (restraints.blocked.empty() && restraints.attracted.empty()) return;
    std::vector<float> weight(problem.ligand.size(), 0.0F);
    for (std::size_t a = 0; a < weight.size(); ++a) {
        if (!restraints.attracted.empty() && restraints.attracted[a])
            weight[a] = static_cast<float>(-10 * attract_bonus * parameters.repulsion);
        if (!restraints.blocked.empty() && restraints.blocked[a])
            weight[a] = static_cast<float>(10 * block_penalty * parameters.repulsion);
    }
    problem.channels.push_back(channel(grids.contact(), std::move(weight), 0));
}

}  // namespace

kernels::CorrelationProblem make_problem(const Molecule& receptor, const Molecule& ligand,
                                         const DockingFrame& frame,
                                         const EnergyParameters& parameters,
                                         const PairPotential& potential,
                                         const std::vector<CoefficientSet>& sets,
                                         const Restraints& receptor_restraints,
                                         const Restraints& ligand_restraints) {
    kernels::CorrelationProblem problem;
    problem.n = frame.n;
    problem.spacing = frame.spacing;
    for (const Vec3& position : ligand.positions)
        problem.ligand.push_back(position - frame.ligand_center);
    for (const CoefficientSet& set : sets) problem.sets.push_back(set.weights);

    const ReceptorGrids grids(receptor, frame, parameters);
    Grid repulsion = grids.repulsion();
    grids.add_restraints(repulsion, receptor_restraints);
    const std::vector<float> ones(ligand.size(), 1.0F);
    problem.channels.push_back(channel(repulsion, clash_weights(ligand, parameters), 0));
    problem.channels.push_back(channel(grids.attraction(), ones, 1));
    problem.channels.push_back(
        channel(grids.electrostatics(), {ligand.charges.begin(), ligand.charges.end()}, 2));

    const int types = potential.types();
    for (int p = 0; p < std::min(parameters.eigen_terms, types); ++p) {
        const double* eigenvector = &potential.eigenvectors[static_cast<std::size_t>(p) * types];
        std::vector<float> weight;
        for (int type : ligand.types)
            weight.push_back(static_cast<float>(potential.eigenvalues[p] * eigenvector[type]));
        problem.channels.push_back(channel(grids.eigen_term(eigenvector), std::move(weight), 3));
    }
    add_ligand_restraints(problem, grids, parameters, ligand_restraints);
    return problem;
}

}  // namespace tessera::docking
