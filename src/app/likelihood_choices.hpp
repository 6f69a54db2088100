// Options that tessera likelihood, fit and simulate share.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "likelihood/model/input.hpp"

namespace tessera::app {

/// What text parameter files do not say.
class ModelOptions {
  public:
    void declare(CLI::App& command);
    io::ModelChoices choices() const;

  private:
    std::string model_, turnoff_, profile_;  // as typed
};

/// How integrals are done.
class IntegrationOptions {
  public:
    void declare(CLI::App& command, likelihood::LikelihoodInput& input);
    void finish(likelihood::LikelihoodInput& input) const;

  private:
    std::string integration_ = "compressed", quadrature_ = "milkyway", precision_ = "double";
};

/// What else may be evaluated, on demand only.
void declare_stars_outside(CLI::App& command, likelihood::LikelihoodInput& input);

/// Throws Error where the output is one of the files that are read.
void require_other_name(const std::string& output, const likelihood::LikelihoodInput& input);

}  // namespace tessera::app
