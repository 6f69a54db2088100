// Options that tessera likelihood, fit and simulate share.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "likelihood/model/input.hpp"

namespace tessera::app {

/// Choices that a text parameter file does not state.
class ModelOptions {
  public:
    void declare(CLI::App& command);
    io::ModelChoices choices() const;

  private:
    std::string model_, turnoff_, profile_;  // as given on the command line
};

/// How the integrals are computed.
class IntegrationOptions {
  public:
    void declare(CLI::App& command, likelihood::LikelihoodInput& input);
    void finish(likelihood::LikelihoodInput& input) const;

  private:
    std::string integration_ = "compressed", quadrature_ = "milkyway", precision_ = "double";
};

/// Adds --allow-stars-outside.
void declare_stars_outside(CLI::App& command, likelihood::LikelihoodInput& input);

/// Adds --allow-empty-streams.
void declare_empty_streams(CLI::App& command, likelihood::LikelihoodInput& input);

/// Adds --memberships.
void declare_memberships(CLI::App& command, likelihood::LikelihoodInput& input);

/// Adds an option that takes names of parameters with commas between them.
void declare_parameter_names(CLI::App& command, const std::string& option,
                             std::vector<std::string>& names, const std::string& text);

/// `fit --stars stars.txt wedge.toml` was right when --stars took one file only. `command` is named
/// if there are no parameter files, which is an Error.
void take_parameters_after_stars(likelihood::LikelihoodInput& input, const std::string& command);

/// Finishes an input whose points are evaluated with gradients, and many times. Throws Error if it
/// is not valid. `work` begins messages: "a fit".
void finish_gradient_input(likelihood::LikelihoodInput& input, const std::string& output,
                           const std::string& work);

/// Throws Error if the output is one of the input files.
void require_other_name(const std::string& output, const likelihood::LikelihoodInput& input);

}  // namespace tessera::app
