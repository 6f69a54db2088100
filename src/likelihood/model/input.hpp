// Everything that a likelihood run depends on, with explicit defaults.
#pragma once

#include <string>
#include <vector>

#include "io/streams/stream_parameters.hpp"
#include "likelihood/model/wedge_input.hpp"

namespace tessera::likelihood {

enum class Integration { exact, compressed };

struct LikelihoodInput {
    std::vector<std::string> parameters;  ///< parameter files, one for each wedge
    std::vector<std::string> stars;       ///< star files, in the same order
    io::ModelChoices choices;             ///< choices that text files do not state
    Integration integration = Integration::compressed;
    bool allow_stars_outside = false;  ///< stars outside their wedge cause a warning, not an error
    bool memberships = false;          ///< whether the result holds those of the stars
    EvaluatorOptions evaluation;       ///< the compressed integration ignores the precision

    /// What the evaluation of a result contains.
    Wanted wanted() const { return {true, false, memberships}; }
};

/// Throws Error for the first option out of its range, or if the numbers of files differ.
void validate(const LikelihoodInput& input);

/// Reads and checks all files. Throws Error if stars lie outside their wedge and this is not
/// allowed.
std::vector<WedgeInput> read_wedges(const LikelihoodInput& input);

/// Throws Error as read_wedges() does if number `w` of the wedges cannot be evaluated.
void require_usable(const LikelihoodInput& input, const WedgeInput& wedge, std::size_t w);

/// Warnings about the models and the stars, one line each.
std::vector<std::string> warnings_of(const LikelihoodInput& input,
                                     const std::vector<WedgeInput>& wedges);

// The values of the options.
std::string name_of(Integration integration);       ///< "exact", "compressed"
std::string name_of(kernels::Precision precision);  ///< "double", "single-compensated", "single"
std::string name_of(Quadrature quadrature);         ///< "milkyway", "gauss"

/// Throw Error for another name.
Integration integration_named(const std::string& name);
kernels::Precision precision_named(const std::string& name);
Quadrature quadrature_named(const std::string& name);

/// Options and models as JSON text.
std::string to_json(const LikelihoodInput& input, const std::vector<WedgeInput>& wedges);

/// SHA-256 of this JSON and of the contents of all files. It identifies the input of a run.
std::string hash_of(const LikelihoodInput& input, const std::vector<WedgeInput>& wedges);

}  // namespace tessera::likelihood
