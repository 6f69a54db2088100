// The likelihood of one wedge as a function of the numbers of its model.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "likelihood/model/input.hpp"

namespace tessera::python {

/// Stars as Python has them: rows of star_columns().
struct StarRows {
    std::span<const double> numbers;
    std::size_t width = 3;
};

class LikelihoodModel {
  public:
    /// Reads the parameter file of `input`. Throws Error as `tessera likelihood` does.
    LikelihoodModel(likelihood::LikelihoodInput input, const StarRows& stars);

    /// The model, the turnoff and the profile. Wedges with one background have the same ones.
    std::string kind() const;
    /// "background.q", "stream1.mu", ...
    std::vector<std::string> names() const;
    /// The numbers of the file, in the order of names().
    std::vector<double> values() const { return likelihood::parameter_values(wedge_.model); }
    std::size_t stars() const { return wedge_.stars.size(); }
    std::vector<std::string> warnings() const { return likelihood::warnings_of(input_, {wedge_}); }

    /// The mean over the stars of log10 of their density, for each row of `sets` [sets, names]. It
    /// is -inf where the model has none. With `gradients` [sets, names], also d value / d number,
    /// or NaN.
    void evaluate(std::span<const double> sets, std::span<double> found,
                  std::span<double> gradients);

    /// The probabilities that the stars belong to the components, for each row of `sets`:
    /// [sets][star][component], background first. NaN where evaluate() finds -inf.
    void memberships(std::span<const double> sets, std::span<double> found);

    /// Why evaluate() finds -inf for this set. Empty if it finds a number.
    std::string problem(std::span<const double> set);

  private:
    /// The evaluations of the rows of `sets` that can be evaluated, with the numbers of the rows.
    struct Evaluated {
        std::vector<std::size_t> rows;
        std::vector<likelihood::Evaluation> results;
    };
    Evaluated evaluate_rows(std::span<const double> sets, likelihood::Wanted wanted);
    std::vector<likelihood::Evaluation> evaluations(const std::vector<io::StreamModel>& models,
                                                    likelihood::Wanted wanted);

    likelihood::LikelihoodInput input_;
    likelihood::WedgeInput wedge_;
    std::shared_ptr<likelihood::WedgeEvaluator> evaluator_;
};

/// The columns of a row of a star: l, b and r, and those of its observables, in the order of
/// Star::observed.
std::vector<std::string> star_columns(std::span<const io::Observable> observables);
/// Reads a star file.
std::vector<io::Star> read_stars(const std::string& path,
                                 std::span<const io::Observable> observables);
/// The rows of stars, and the stars of rows. Throws Error for the first star that is out of range.
std::vector<double> star_rows(std::span<const io::Star> stars,
                              std::span<const io::Observable> observables);
std::vector<io::Star> checked_stars(const StarRows& rows,
                                    std::span<const io::Observable> observables);

}  // namespace tessera::python
