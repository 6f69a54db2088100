// The score of refined poses: a weighted sum of their smooth terms, the terms of the search, their
// contacts by atom types, a statistical potential and, for antibodies, the share of their CDRs.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "docking/model/pose.hpp"
#include "docking/refinement/contact_counts.hpp"
#include "docking/refinement/statistical_potential.hpp"
#include "io/text/text_scanner.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::docking {

/// What a repacking says about a pose: the changes of its pose score and of the local energy of its
/// side chains, and the part of this energy that the partners gain from each other.
inline constexpr int repacked_term_count = 3;
inline constexpr std::array<const char*, repacked_term_count> repacked_term_names{"score", "energy",
                                                                                  "binding"};

/// Which table of weights it was. Both are empty in results of older versions.
struct WeightsTable {
    std::string name;    ///< of a built-in table, or of the file without its folder
    std::string sha256;  ///< hash of the table's file
};

/// pose score = Σ refined · terms + Σ searched · terms of the search + Σ contacts · contacts + Σ
/// statistical · statistical terms + cdr_share · share of the contacts that CDRs make. In nats,
/// lower is better.
struct RescoringWeights {
    std::array<double, kernels::refine_term_count> refined{};
    std::array<double, term_count> searched{};
    ContactTables contacts;          ///< for the type names that it was loaded with
    bool knows_nucleotides = false;  ///< the table has weights for kinds of nucleotide atoms
    StatisticalTerms statistical{};  ///< all 0 in tables without them
    double cdr_share = 0;            ///< of cdr_share(); 0 where no partner is an antibody
    /// Weights of what the repacking of side chains changes. Tables may lack them.
    std::array<double, repacked_term_count> repacked{1, 0, 0};
    WeightsTable table;

    bool has_statistical() const;
};

/// Reads a table of weights (docs/method/docking-refinement.md, "Score"). The contacts are in the
/// order of `type_names`, and types that the table lacks have the weight 0. The built-in tables are
/// "general", "antibody" and "nucleic", which were trained on complexes docked with the defaults of
/// the search. Throws Error with the line number for a malformed row, and Error if a term is
/// missing.
RescoringWeights load_rescoring_weights(const std::string& name_or_path,
                                        const std::vector<std::string>& type_names);
/// Whether this is the name of a built-in table, not of a file.
bool is_built_in_rescoring(const std::string& name);
RescoringWeights parse_rescoring_weights(const io::TextSource& source,
                                         const std::vector<std::string>& type_names);

/// The sum of the weights of a pose's contacts, and of its statistical terms times their weights.
double contact_energy(const ContactCounter& counter, const ContactTables& tables,
                      const kernels::RigidPose& pose);
double weighted(const StatisticalTerms& weights, const StatisticalTerms& terms);

}  // namespace tessera::docking
