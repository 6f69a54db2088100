#include "likelihood/fit/point_worker.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include "engine/guarded_workload.hpp"

namespace tessera::likelihood {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto between_looks = std::chrono::microseconds(200);

struct Evaluation {
    using Payload = double;
    Objective& objective;
    const std::vector<Point>& points;

    TilePartial<double> run(const Tile& tile) {
        TilePartial<double> partial{tile.id, objective.values(points)};
        if (tile_hook().answered) tile_hook().answered(partial.records);
        return partial;
    }
};

}  // namespace

PointAnswer PointWorker::answer(const PointTask& task) {
    const Tile tile{{task.tile}, 0, std::ssize(task.points)};
    Evaluation plain{objective_, task.points};
    GuardedWorkload workload(plain);
    const auto begun = Clock::now();
    auto attempt = detail::try_tile(workload, tile);
    PointAnswer answer{task.tile, {}, {}};
    answer.report.seconds = detail::seconds_between(begun, Clock::now());
    run_.busy_seconds += answer.report.seconds;
    if (attempt.failure) {
        const detail::Failure& failure = *attempt.failure;
        run_.retries.push_back({task.tile, 0, name_of(failure.fault), failure.detail, "handed on"});
        run_.device_lost = run_.device_lost || failure.fault == TileFault::device_lost;
        answer.report.failed = true;
        answer.report.leaves =
            run_.device_lost || ++failures_in_a_row_ >= detail::failures_until_leaving;
        answer.report.fault = failure.fault;
        answer.report.detail = failure.detail;
        return answer;
    }
    failures_in_a_row_ = 0;
    ++run_.tiles_done;
    answer.values = std::move(attempt.partial->records);
    return answer;
}

void PointWorker::wait() {
    const auto begun = Clock::now();
    std::this_thread::sleep_for(between_looks);
    run_.waiting_seconds += detail::seconds_between(begun, Clock::now());
}

}  // namespace tessera::likelihood
