#include "likelihood/sample/sample_run.hpp"

#include <fmt/format.h>

#include <array>
#include <exception>
#include <string>

#include "core/run_host.hpp"
#include "likelihood/fit/fit_progress.hpp"

namespace tessera::likelihood {

SampleOutcome run_sample(const mpi::Communicator& ranks, const SampleProblem& problem,
                         const Conductor& conductor, io::RunRecord& record) {
    SampleOutcome outcome;
    const Posterior posterior = problem.posterior();
    std::exception_ptr failure;  // on rank 0
    outcome.conducted = conduct(
        ranks, conductor, "sample",
        [&](const FitData& data) {
            FitProgressLine line(conductor.speaks);
            const std::array<std::string, 4> stages{"climb", "hills", "warm-up", "draws"};
            const auto tell = [&](const SampleProgress& now) {
                tell_run_host(
                    [&] { return fraction_done(stages, now.stage, now.done, now.total); });
                line.show(now.stage, now.evaluations, [&] {
                    return now.total > 0
                               ? fmt::format("sample: {}, {} of {}", now.stage, now.done, now.total)
                               : fmt::format("sample: {}", now.stage);
                });
            };
            try {
                outcome.samples =
                    draw_samples(data.objective, posterior, problem.start(), problem.plan, tell);
            } catch (const CannotStart&) {
                failure = std::current_exception();
            }
        },
        record);
    ranks.together([&] {
        if (!failure) return;
        conductor.folder->remove();  // it cannot help another run
        std::rethrow_exception(failure);
    });
    return outcome;
}

}  // namespace tessera::likelihood
