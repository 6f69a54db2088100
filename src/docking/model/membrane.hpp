// A membrane as a slab in the receptor's frame, and what it allows of the ligand's poses.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "docking/model/frame.hpp"
#include "kokkos_kernels/docking/correlation_problem.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::docking {

/// The options as they are typed.
struct MembraneOptions {
    std::string slab;            ///< "LOW,HIGH" along the axis, Angstrom; empty: no membrane
    std::string axis = "0,0,1";  ///< normal of the slab in the receptor's file
    std::string ligand_slab;     ///< of a ligand that is a membrane protein; empty: it is none
    std::string ligand_axis = "0,0,1";
    double tolerance = 2;  ///< Angstrom that atoms of other ligands may reach into the slab
    double tilt = 20;      ///< degrees, the largest angle of two normals
    double shift = 5;      ///< Angstrom, the largest distance of two middles

    bool is_set() const { return !slab.empty(); }
    bool operator==(const MembraneOptions&) const = default;
};

/// The points x with low < x . normal < high.
struct Slab {
    Vec3 normal{0, 0, 1};  ///< unit
    double low = 0, high = 0;

    double middle() const { return 0.5 * (low + high); }
    bool holds(Vec3 point) const {
        const double height = dot(point, normal);
        return height > low && height < high;
    }
};

struct Membrane {
    Slab slab;                   ///< in the receptor's frame
    std::optional<Slab> ligand;  ///< in the ligand's frame, if it is a membrane protein
    bool of_ring = false;        ///< the axis of a ring is the normal, and nothing else counts
    double tolerance = 0, tilt = 0, shift = 0;

    /// Whether a rotation of the ligand keeps its normal, or the axis of its ring, within the tilt.
    bool may_turn(const Quaternion& rotation) const;
    /// "from -15 to 15 A along 0,0,1; ..."
    std::string describe() const;
};

/// Reads the options of a docking, of a ring or of two partners. They must be set. Throws Error if
/// they are malformed, out of range or do not fit together.
Membrane parse_membrane(const MembraneOptions& options, bool of_ring);

/// Throws Error if an option is given without --membrane.
void require_membrane(const MembraneOptions& options);

/// The membrane of two placed partners.
class MembraneFilter {
  public:
    /// `ligand` are its atoms in the frame of its file.
    MembraneFilter(const Membrane& membrane, const std::vector<Vec3>& ligand,
                   const DockingFrame& frame);

    /// What the search must heed beside the rotations; nothing for a ring.
    const std::optional<kernels::HeightRule>& rule() const { return rule_; }

    /// Whether a pose of the ligand, of the search or refined, is allowed.
    bool allows(const kernels::RigidPose& pose) const;

  private:
    Membrane membrane_;
    std::optional<kernels::HeightRule> rule_;
    Vec3 origin_;  ///< in the receptor's file; heights count from here
};

}  // namespace tessera::docking
