// What a result holds, without reading its poses.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "docking/model/frame.hpp"
#include "docking/model/membrane.hpp"
#include "docking/model/pose.hpp"
#include "docking/model/symmetry.hpp"
#include "docking/refinement/rescoring.hpp"
#include "docking/restraints/distance_restraints.hpp"
#include "docking/result/chemistry_file.hpp"
#include "docking/result/low_confidence_file.hpp"
#include "io/hdf5/h5.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::docking {

/// The number of poses of a list, and the lowest score; none without poses.
struct ListSummary {
    std::uint64_t poses = 0;
    std::optional<double> best_score;
};

struct SetSummary : ListSummary {
    CoefficientSet set;
};

struct ConsensusSummary : ListSummary {
    std::array<double, kernels::refine_term_count> weights{};
    std::array<double, term_count> search_weights{};
    WeightsTable table;
};

struct DockSummary {
    DockingFrame frame;
    std::string receptor_sha256, ligand_sha256;
    std::uint64_t rotations = 0;
    Symmetry symmetry;  ///< with --symmetry; without its counts of axes and rings
    std::vector<SetSummary> sets;
    std::vector<RestraintGroup> restraints;  ///< empty without --restraints
    std::optional<Membrane> membrane;        ///< with --membrane
    LeftOut left_out;                        ///< residues that were not docked
    PartnerChemistry chemistry;              ///< molecules beside the proteins
    std::optional<ConsensusSummary> consensus;
    std::uint64_t receptor_conformers = 1, ligand_conformers = 1;
};

/// Reads numbers of poses, first scores and attributes alone, which takes the same short time for
/// every number of poses. Throws Error if the datasets of the poses have other shapes than
/// write_dock_result() gives them, or are not complete in the file. Their values are not checked.
DockSummary read_dock_summary(const io::h5::Group& root);

/// The frame of /docking.
DockingFrame read_frame(const io::h5::Group& docking);

/// The symmetry of a docking of equal copies, or none.
Symmetry read_symmetry(const io::h5::Group& docking);

/// The names of the coefficient sets, in their order. Throws Error if there is none, or if a name
/// could not be one.
std::vector<std::string> read_set_names(const io::h5::Group& docking);

/// The weights of a group of poses.
CoefficientSet read_set(const io::h5::Group& poses, const std::string& name);

}  // namespace tessera::docking
