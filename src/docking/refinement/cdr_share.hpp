// How much of an antibody's contacts its CDRs make.
#pragma once

#include <array>
#include <vector>

#include "docking/refinement/contact_counts.hpp"

namespace tessera::docking {

/// For each atom of receptor and ligand, whether it is in a CDR. Empty for a partner that is no
/// antibody.
using CdrAtoms = std::array<std::vector<bool>, 2>;

bool has_cdrs(const CdrAtoms& in_cdr);

/// The share of a pose's contacts (below 6 Angstrom) whose atom of the antibody is in a CDR. If
/// both partners are antibodies, the mean of both shares. 0 for a pose without contacts.
double cdr_share(const ContactCounter& counter, const CdrAtoms& in_cdr,
                 const kernels::RigidPose& pose);

}  // namespace tessera::docking
