#include "docking/evaluation/assembly_evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.hpp"
#include "docking/evaluation/ring_matches.hpp"
#include "io/text/counted.hpp"
#include "kokkos_kernels/docking/assembly_pose.hpp"

namespace tessera::docking {

namespace {

bool is_dihedral(const Screw& screw, int copies) {
    if (screw.shift > ring_shift_tolerance) return false;
    const double step = 360.0 / copies;
    const double from_ring = std::abs(screw.angle - step * std::round(screw.angle / step));
    return 180 - screw.angle <= ring_angle_tolerance ||
           (from_ring <= ring_angle_tolerance && screw.angle > step / 2);
}

/// The places of the neighbours of one copy.
std::vector<NativeSite> neighbors_of(std::size_t copy, const std::vector<PartnerMatch>& places,
                                     const ComplexChains& chains, int copies,
                                     std::set<long>& angles) {
    std::vector<NativeSite> found;
    for (std::size_t other = 0; other < places.size(); ++other) {
        if (other == copy || share_a_chain(places[copy], places[other])) continue;
        const Screw screw =
            relation(places[copy], places[other], chains.receptor, chains.reference);
        angles.insert(std::lround(screw.angle));
        if (!is_dihedral(screw, copies)) continue;
        NativeSite site({places[copy], places[other]}, chains);
        if (site.native_contacts() > 0 && site.incomplete().empty())
            found.push_back(std::move(site));
    }
    return found;
}

RigidMotion motion_of(const kernels::RigidPose& pose, Vec3 center) {
    RigidMotion motion;
    motion.rotation = pose.rotation.matrix();
    motion.shift = pose.translation - motion.rotation * center;
    return motion;
}

}  // namespace

AssemblyEvaluation::AssemblyEvaluation(const io::Structure& protein, const io::Structure& reference,
                                       const kernels::Ring& ring,
                                       const std::vector<std::string>& reference_chains)
    : ring_(ring) {
    const ComplexChains chains{chains_of(protein), chains_of(protein), chains_of(reference)};
    const auto places = copies_in_reference(chains.receptor, chains.reference, reference_chains);
    std::set<long> angles;
    for (std::size_t copy = 0; copy < places.size(); ++copy) {
        auto found = neighbors_of(copy, places, chains, ring.copies, angles);
        if (found.size() > places_.size()) places_ = std::move(found);
    }
    if (places_.empty())
        throw Error(
            fmt::format("the reference has no two copies that touch as in D{}", ring.copies),
            angles.empty() ? std::string("the protein is in it only once")
                           : "its copies are turned by " + list_of_angles(angles) + " degrees",
            "give a reference with two neighbouring copies, or another --symmetry");
    std::size_t contacts = 0;
    for (const NativeSite& place : places_) contacts += place.native_contacts();
    matched_ = fmt::format("assembly: {} copies in the reference; {} of one copy with {}",
                           places.size(), io::counted(places_.size(), "neighbour"),
                           io::counted(contacts, "native contact"));
}

PoseQuality AssemblyEvaluation::operator()(const kernels::RigidPose& next,
                                           const kernels::RigidPose& opposite) const {
    std::vector<RigidMotion> motions;
    for (const kernels::RigidPose& copy : kernels::further_copies(next, &opposite, ring_))
        motions.push_back(motion_of(copy, ring_.center));
    PoseQuality mean;
    double contacts = 0;
    const auto add_square = [](double& sum, double value) { sum += value * value; };
    for (const NativeSite& place : places_) {
        const auto& nearest = *std::ranges::min_element(
            motions, {}, [&](const RigidMotion& m) { return place.ligand_mean_square(m); });
        const PoseQuality q = place.quality(nearest);
        const auto own_contacts = static_cast<double>(place.native_contacts());
        contacts += own_contacts;
        mean.fnat += own_contacts * q.fnat;
        mean.dockq += q.dockq;
        add_square(mean.ligand_rmsd, q.ligand_rmsd);
        add_square(mean.interface_rmsd, q.interface_rmsd);
        add_square(mean.ligand_interface_ca_rmsd, q.ligand_interface_ca_rmsd);
    }
    const auto count = static_cast<double>(places_.size());
    mean.fnat /= contacts;
    mean.dockq /= count;
    for (double* rmsd : {&mean.ligand_rmsd, &mean.interface_rmsd, &mean.ligand_interface_ca_rmsd})
        *rmsd = std::sqrt(*rmsd / count);
    return mean;
}

}  // namespace tessera::docking
