// Everything a likelihood run depends on, with every default explicit.
#pragma once

#include <string>
#include <vector>

#include "io/streams/stream_parameters.hpp"
#include "likelihood/model/wedge_input.hpp"

namespace tessera::likelihood {

enum class Integration { exact, compressed };

struct LikelihoodInput {
    std::vector<std::string> parameters;  ///< files, one a wedge
    std::vector<std::string> stars;       ///< files, in the same order
    io::ModelChoices choices;             ///< what text files do not say
    Integration integration = Integration::compressed;
    bool allow_stars_outside = false;  ///< stars outside their wedge are warned of, not refused
    EvaluatorOptions evaluation;  ///< precision: the compressed integration is always in double
};

/// Throws Error for the first option out of its range, and where the numbers of files differ.
void validate(const LikelihoodInput& input);

/// Reads and checks all files. Throws Error where stars lie outside their wedge and must not.
std::vector<WedgeInput> read_wedges(const LikelihoodInput& input);

/// What the user should know about the models and the stars, a line each.
std::vector<std::string> warnings_of(const LikelihoodInput& input,
                                     const std::vector<WedgeInput>& wedges);

/// The words of the options.
std::string name_of(Integration integration);       ///< "exact", "compressed"
std::string name_of(kernels::Precision precision);  ///< "double", "single-compensated", "single"
std::string name_of(Quadrature quadrature);         ///< "milkyway", "gauss"

/// Options and models as JSON text.
std::string to_json(const LikelihoodInput& input, const std::vector<WedgeInput>& wedges);

/// SHA-256 of that JSON and of the contents of all files: what runs are compared by.
std::string hash_of(const LikelihoodInput& input, const std::vector<WedgeInput>& wedges);

}  // namespace tessera::likelihood
