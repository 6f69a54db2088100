// The step size of Hamiltonian Monte Carlo during warm-up.
#pragma once

#include <algorithm>
#include <cmath>

namespace tessera::likelihood {

/// Dual averaging (Hoffman & Gelman 2014, section 3.2, with the constants of that paper): the mean
/// acceptance probability comes near `target`.
class StepSize {
  public:
    StepSize(double first, double target) : target_(target), current_(first) {
        centre_ = std::log(10 * first);
    }

    /// Begins anew near the mean so far, for another metric. The step is about right, so smaller
    /// corrections are enough. Their noise would make the mean step too short, because the
    /// acceptance is a concave function of it.
    void go_on() {
        current_ = mean();
        centre_ = std::log(current_);
        regularisation_ = late_regularisation;
        mean_error_ = log_mean_ = count_ = 0;
    }
    /// Notes the mean acceptance probability of a trajectory.
    void learn(double acceptance) {
        ++count_;
        const double weight = 1 / (count_ + settling);
        mean_error_ = (1 - weight) * mean_error_ + weight * (target_ - acceptance);
        const double log_step = centre_ - mean_error_ * std::sqrt(count_) / regularisation_;
        const double share = std::pow(count_, -forgetting);
        log_mean_ = share * log_step + (1 - share) * log_mean_;
        current_ = std::exp(log_step);
    }
    double current() const { return current_; }
    /// The mean of the step sizes, for what comes after warm-up.
    double mean() const { return count_ > 0 ? std::exp(log_mean_) : current_; }

  private:
    static constexpr double settling = 10, forgetting = 0.75;
    static constexpr double late_regularisation = 0.25;

    double target_;
    double current_;
    double regularisation_ = 0.05;
    double centre_ = 0, mean_error_ = 0, log_mean_ = 0, count_ = 0;
};

}  // namespace tessera::likelihood
