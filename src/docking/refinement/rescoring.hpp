// The score of refined poses: a weighted sum of their smooth terms, the search's own and their contacts
// by atom types.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "docking/model/pose.hpp"
#include "docking/refinement/contact_counts.hpp"
#include "io/text/text_scanner.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::docking {

/// pose score = Σ refined · terms + Σ searched · the search's terms + Σ contacts · contacts; in nats,
/// lower is better.
struct RescoringWeights {
    std::array<double, kernels::refine_term_count> refined{};
    std::array<double, term_count> searched{};
    ContactTables contacts;  ///< of the types that it was loaded for
    std::string sha256;      ///< of the table's file
};

/// The weights of a table (docs/method/docking-refinement.md, "Score"), its contacts in the order of
/// `type_names`; types that the table lacks weigh nothing. Empty path: the table that comes with the
/// program, trained on 94 unbound complexes with the defaults of the search. Throws Error for a row that
/// cannot be understood, naming the line, and where a term is missing.
RescoringWeights load_rescoring_weights(const std::string& path,
                                        const std::vector<std::string>& type_names);
RescoringWeights parse_rescoring_weights(const io::TextSource& source,
                                         const std::vector<std::string>& type_names);

/// What the contacts of a pose weigh.
double contact_energy(const ContactCounter& counter, const ContactTables& tables,
                      const kernels::RigidPose& pose);

}  // namespace tessera::docking
