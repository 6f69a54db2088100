// The receptor grids and ligand weights against the energy written down directly: sums over atom
// pairs with every ligand atom on its grid point.
#include "docking/model/energy.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "docking/ace_molecules.hpp"
#include "docking/component_structures.hpp"
#include "energy_case.hpp"

namespace tessera::docking {
namespace {

using namespace testing;

/// Vectors from a receptor atom's periodic images to a grid point, nearest ones.
template <class Visit>
void for_each_image(const Case& c, const Vec3& receptor_atom, Voxel voxel, const Visit& visit) {
    const double h = c.frame.spacing, box = h * c.frame.n;
    const Vec3 d = h * Vec3{1.0 * voxel[0], 1.0 * voxel[1], 1.0 * voxel[2]} -
                   (receptor_atom - c.frame.receptor_center);
    for (int i = -3; i <= 3; ++i)
        for (int j = -3; j <= 3; ++j)
            for (int k = -3; k <= 3; ++k) {
                const Vec3 image = d + box * Vec3{1.0 * i, 1.0 * j, 1.0 * k};
                visit(norm(image));
            }
}

/// Height of the repulsion at a point, and whether it is in the core.
struct Clash {
    double height = 0;
    bool core = false;
};

Clash clash_at(const Case& c, Voxel voxel) {
    const EnergyParameters& p = c.parameters;
    bool core = false, rim = false;
    for (std::size_t i = 0; i < c.receptor.size(); ++i)
        for_each_image(c, c.receptor.positions[i], voxel, [&](double r) {
            const bool surface = c.receptor.on_surface[i];
            const double radius = c.receptor.radii[i];
            core = core || r < radius * (surface ? p.surface_core_scale : p.buried_core_scale);
            rim = rim || r < radius * (surface ? p.surface_rim_scale : p.buried_rim_scale);
        });
    return {p.repulsion * (core ? 1 : rim ? p.rim : 0), core};
}

double smoothed_coulomb(double r, double born_radius) {
    const double d2 = born_radius * born_radius;
    return 1 / std::sqrt(r * r + d2 * std::exp(-r * r / (4 * d2)));
}

/// The energy's formulas over all pairs (docs/method/docking.md), in double.
Terms direct_terms(const Case& c, Voxel translation) {
    const EnergyParameters& p = c.parameters;
    Terms terms{};
    for (std::size_t j = 0; j < c.ligand.size(); ++j) {
        const Voxel voxel = voxel_of(c, j, translation);
        const Clash clash = clash_at(c, voxel);
        terms[0] += clash.height * (c.ligand.on_surface[j] ? 1 : p.buried_ligand_weight);
        for (std::size_t i = 0; i < c.receptor.size(); ++i) {
            const double epsilon = c.potential.matrix[c.receptor.types[i] * 18 + c.ligand.types[j]];
            const double charges = c.receptor.charges[i] * c.ligand.charges[j];
            for_each_image(c, c.receptor.positions[i], voxel, [&](double r) {
                if (r < p.attraction_cutoff && !clash.core) terms[1] += 1;
                if (r < p.electrostatics_cutoff)
                    terms[2] +=
                        charges * (smoothed_coulomb(r, p.born_radius) -
                                   smoothed_coulomb(p.electrostatics_cutoff, p.born_radius));
                if (r < p.pair_cutoff) terms[3] += epsilon;
            });
        }
    }
    return terms;
}

void expect_same(const Terms& grid, const Terms& direct, const std::string& where) {
    // Grids and weights are single precision: some 1e-6 of the largest products, summed.
    const Terms tolerance{1e-3, 1e-3, 1e-4, 2e-3};
    for (int k = 0; k < term_count; ++k)
        EXPECT_NEAR(grid[k], direct[k], tolerance[k] + 1e-6 * std::abs(direct[k]))
            << term_names[k] << " at " << where;
}

/// In contact, overlapping, apart, and across the periodic boundary.
const std::vector<Voxel> translations{{0, 0, 0},  {5, 2, 3},   {-7, 4, 1},
                                      {9, -6, 5}, {19, 19, 0}, {-20, 3, -18}};

TEST(Energy, GridSumsAreTheDirectDoubleSums) {
    const Case c = make_case(40, 1.0);
    const auto problem = problem_of(c);
    int attractive = 0, clashing = 0;
    for (const Voxel& t : translations) {
        const Terms direct = direct_terms(c, t);
        expect_same(grid_terms(problem, c, t), direct,
                    std::to_string(t[0]) + "," + std::to_string(t[1]) + "," + std::to_string(t[2]));
        attractive += direct[1] > 0;
        clashing += direct[0] > 0;
    }
    EXPECT_GE(attractive, 3);  // the sums are not merely all nothing
    EXPECT_GE(clashing, 2);
}

/// The receptor is a cysteine with a zinc ion, or without it.
Case case_with_ion(const std::string& keep) {
    Case c = make_case(40, 1.0);
    io::Structure structure;
    const Vec3 center = c.frame.receptor_center;
    add_cysteine(structure.atoms, center + Vec3{-6, 1, 0});
    add_residue(structure.hetero, "ZN", {{"ZN", "ZN", center + Vec3{1.2, 0.4, -0.3}}});
    keep_residues(parse_keep(keep, "").receptor, structure);
    std::vector<std::string> warnings;
    c.receptor = make_ace_molecule(structure, warnings);
    return c;
}

TEST(Energy, AKeptIonCountsLikeAnyAtom) {
    const Case with = case_with_ion("ZN"), without = case_with_ion("none");
    ASSERT_EQ(with.receptor.size(), without.receptor.size() + 1);
    const auto problem = problem_of(with);
    for (const Voxel& t : translations) {
        expect_same(grid_terms(problem, with, t), direct_terms(with, t), "the ion");
        // By hand: two charges at the ion's place, and all pairs with its type.
        double electrostatics = 0, pairs = 0;
        for (std::size_t j = 0; j < with.ligand.size(); ++j)
            for_each_image(with, with.receptor.positions.back(), voxel_of(with, j, t),
                           [&](double r) {
                               const EnergyParameters& p = with.parameters;
                               if (r < p.electrostatics_cutoff)
                                   electrostatics +=
                                       2 * with.ligand.charges[j] *
                                       (smoothed_coulomb(r, p.born_radius) -
                                        smoothed_coulomb(p.electrostatics_cutoff, p.born_radius));
                               if (r < p.pair_cutoff)
                                   pairs += with.potential.matrix[6 * 18 + with.ligand.types[j]];
                           });
        const Terms more = grid_terms(problem, with, t);
        const Terms less = grid_terms(problem_of(without), without, t);
        EXPECT_NEAR(more[2] - less[2], electrostatics, 1e-3);
        EXPECT_NEAR(more[3] - less[3], pairs, 1e-2);
    }
}

TEST(Energy, OtherSpacingsAndParametersToo) {
    Case c = make_case(24, 1.3);
    c.parameters.surface_core_scale = 0.7;
    c.parameters.buried_core_scale = 1.05;
    c.parameters.surface_rim_scale = 1.3;
    c.parameters.buried_rim_scale = 1.5;
    c.parameters.repulsion = 17;
    c.parameters.rim = 0.35;
    c.parameters.buried_ligand_weight = 3;
    c.parameters.attraction_cutoff = 5.1;
    c.parameters.pair_cutoff = 7.3;
    c.parameters.born_radius = 1.4;
    c.parameters.electrostatics_cutoff = 9;
    const auto problem = problem_of(c);
    for (const Voxel& t : {Voxel{4, 1, -2}, Voxel{-6, 5, 11}})
        expect_same(grid_terms(problem, c, t), direct_terms(c, t), std::to_string(t[0]));
}

TEST(Energy, InteractionsWrapAroundTheGrid) {
    // Cut-offs of the electrostatics reach beyond half of this grid: images count, too.
    const Case c = make_case(18, 1.1);
    const Voxel far{17, -18, 35};
    expect_same(grid_terms(problem_of(c), c, far), direct_terms(c, far), "far");
}

TEST(Energy, FewerEigenTermsAreTheLeadingOnes) {
    Case c = make_case(30, 1.0);
    c.parameters.eigen_terms = 4;
    double truncated[18][18] = {};
    for (int s = 0; s < 18; ++s)
        for (int t = 0; t < 18; ++t) {
            for (int p = 0; p < 4; ++p)
                truncated[s][t] += c.potential.eigenvalues[p] *
                                   c.potential.eigenvectors[p * 18 + s] *
                                   c.potential.eigenvectors[p * 18 + t];
        }
    const auto problem = problem_of(c);
    EXPECT_EQ(problem.channels.size(), 7U);
    for (int s = 0; s < 18; ++s)
        for (int t = 0; t < 18; ++t) c.potential.matrix[s * 18 + t] = truncated[s][t];
    expect_same(grid_terms(problem, c, {6, 1, 0}), direct_terms(c, {6, 1, 0}), "4 eigen-terms");
}

TEST(Energy, OneAtomOnEachSide) {
    Case c = make_case(32, 0.5);
    c.receptor = random_molecule(1, 0, {1, 2, 3}, 3);
    c.ligand = random_molecule(1, 0, {-4, 0, 9}, 4);
    c.receptor.charges = {0.5};
    c.ligand.charges = {-0.25};
    c.receptor.radii = {2.0};
    c.receptor.on_surface = c.ligand.on_surface = {true};
    c.receptor.types = {6};
    c.ligand.types = {8};
    c.frame.receptor_center = {1, 2, 3};
    c.frame.ligand_center = {-4, 0, 9};
    c.parameters.electrostatics_cutoff = 7.5;
    const auto problem = problem_of(c);
    // 6 steps of 0.5 A along y: r = 3, outside core and rim, inside every cut-off. By hand:
    // f(3) = 1 / sqrt(9 + 4 exp(-9/16)) = 0.2976256, f(7.5) = 1 / sqrt(56.25 + 4 exp(-3.515625)).
    const double f3 = 1 / std::sqrt(9 + 4 * std::exp(-0.5625));
    const double f75 = 1 / std::sqrt(56.25 + 4 * std::exp(-3.515625));
    const Terms terms = grid_terms(problem, c, {0, 6, 0});
    EXPECT_DOUBLE_EQ(terms[0], 0);
    EXPECT_DOUBLE_EQ(terms[1], 1);
    EXPECT_NEAR(terms[2], -0.125 * (f3 - f75), 1e-7);
    EXPECT_NEAR(terms[3], c.potential.matrix[6 * 18 + 8], 1e-5);
    // On top of each other: full repulsion, no attraction.
    const Terms clash = grid_terms(problem, c, {0, 0, 0});
    EXPECT_NEAR(clash[0], c.parameters.repulsion, 1e-4);
    EXPECT_DOUBLE_EQ(clash[1], 0);
}

TEST(Energy, FullPotentialIsItsEigenTerms) {
    const PairPotential ace = atomic_contact_energies();
    for (int s = 0; s < 18; ++s)
        for (int t = 0; t < 18; ++t) {
            double sum = 0;
            for (int p = 0; p < 18; ++p)
                sum += ace.eigenvalues[p] * ace.eigenvectors[p * 18 + s] *
                       ace.eigenvectors[p * 18 + t];
            EXPECT_NEAR(sum, ace.matrix[s * 18 + t], 1e-12);
        }
}

}  // namespace
}  // namespace tessera::docking
