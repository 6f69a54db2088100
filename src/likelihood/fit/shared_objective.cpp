#include "likelihood/fit/shared_objective.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "core/run_host.hpp"
#include "engine/guarded_workload.hpp"
#include "mpi/gather_by_tile.hpp"

namespace tessera::likelihood {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The workload that GuardedWorkload runs.
template <class Answer>
struct AnsweringWorkload {
    using Payload = double;
    Answer answer;
    TilePartial<double> run(const Tile& tile) { return answer(tile); }
};

}  // namespace

std::vector<double> SharedObjective::values(std::span<const Point> points) {
    return answers(Task::values, points);
}

std::vector<double> SharedObjective::values_on(std::span<const Point> points,
                                               std::span<const int> ranks) {
    chosen_ranks_.assign(ranks.begin(), ranks.end());
    std::vector<double> found = answers(Task::values, points);
    chosen_ranks_.clear();
    return found;
}

std::vector<Slope> SharedObjective::slopes(std::span<const Point> points) {
    const auto numbers = answers(Task::slopes, points);
    std::vector<Slope> found;
    auto next = numbers.begin();
    for (const Point& point : points) {
        const auto end = next + 1 + static_cast<std::ptrdiff_t>(point.size());
        found.push_back({*next, Point(next + 1, end)});
        next = end;
    }
    return found;
}

std::vector<Refit> SharedObjective::refits(std::span<const Point> questions) {
    if (questions.empty()) return {};
    return refits_of(answers(Task::refits, questions), questions.front().size() - 1);
}

bool SharedObjective::search(PointDesk& desk, const std::function<void()>& watch,
                             PointShares& shares) {
    std::array<std::int64_t, 3> command{static_cast<std::int64_t>(Task::search), 0, 0};
    world_.broadcast(command);
    try {
        return hand_out_points(point_rank(), desk, watch, shares);
    } catch (...) {
        over_ = true;  // all ranks have this exception and end
        throw;
    }
}

void SharedObjective::finish() {
    if (over_) return;
    over_ = true;
    std::array<std::int64_t, 3> command{static_cast<std::int64_t>(Task::end), 0, 0};
    world_.broadcast(command);
}

std::vector<double> SharedObjective::answers(Task task, std::span<const Point> points) {
    if (points.empty()) return {};
    std::array<std::int64_t, 3> command{static_cast<std::int64_t>(task),
                                        static_cast<std::int64_t>(points.size()),
                                        static_cast<std::int64_t>(points.front().size())};
    world_.broadcast(command);
    std::vector<double> numbers;
    for (const Point& point : points) numbers.insert(numbers.end(), point.begin(), point.end());
    world_.broadcast(numbers);
    std::vector<double> all;
    for (const auto& partial : work({task, points, tiles_total_}))
        all.insert(all.end(), partial.records.begin(), partial.records.end());
    return all;
}

void SharedObjective::serve() {
    for (;;) {
        std::array<std::int64_t, 3> command{};
        const auto begun = Clock::now();
        world_.broadcast(command);
        run_.waiting_seconds += seconds_since(begun);
        const auto task = static_cast<Task>(command[0]);
        if (task == Task::end) return;
        if (task == Task::search) {
            serve_points(point_rank());
            continue;
        }
        std::vector<double> numbers;
        world_.broadcast(numbers);
        std::vector<Point> points;
        const std::ptrdiff_t dimension = command[2];
        for (auto next = numbers.begin(); next != numbers.end(); next += dimension)
            points.emplace_back(next, next + dimension);
        try {
            work({task, points, tiles_total_});
        } catch (const Stopped&) {
            // Rank 0 knows this too and ends the service.
        }
    }
}

SharedObjective::Partials SharedObjective::work(const Batch& batch) {
    try {
        Partials mine;
        std::vector<SharedTile> shared;
        if (world_.is_root()) {
            shared = share_out(batch);
            answered_by_.assign(batch.points.size(), 0);
            note_ranks(shared);
        }
        world_.broadcast(shared);
        const auto tiles = static_cast<std::int64_t>(shared.size());
        tiles_total_ += tiles;
        std::vector<Failed> failed;
        failures_.clear();
        while (work_once(batch, shared, mine, failed)) {
            world_.together([&] {
                if (!world_.is_root()) return;
                shared = hand_on(batch, failed);
                note_ranks(shared);
            });
            world_.broadcast(shared);
        }
        return mpi::gather_by_tile(world_, mine, tiles);
    } catch (const Stopped&) {
        throw;
    } catch (...) {
        over_ = true;  // all ranks have this exception and end
        throw;
    }
}

bool SharedObjective::work_once(const Batch& batch, const std::vector<SharedTile>& shared,
                                Partials& mine, std::vector<Failed>& failed) {
    Report report;
    std::vector<Failed> failed_here;
    Clock::time_point done;
    world_.together([&] {
        report = answer_tiles(batch, shared, mine, failed_here);
        done = Clock::now();
    });
    const std::vector<Report> reports = world_.allgather(report);
    run_.waiting_seconds += seconds_since(done);
    if (std::ranges::any_of(reports, &Report::stopped)) throw Stopped{};
    for (int rank = 0; rank < world_.size(); ++rank) {
        const Report& its = reports[static_cast<std::size_t>(rank)];
        shares(batch.task).took(rank, its.points, its.seconds);
        if (!its.leaves) continue;
        value_shares_.leave_out(rank);
        slope_shares_.leave_out(rank);
        refit_shares_.leave_out(rank);
    }
    if (std::ranges::all_of(reports, [](const Report& its) { return its.failed == 0; }))
        return false;
    failed = world_.gather(failed_here);
    return true;
}

SharedObjective::Report SharedObjective::answer_tiles(const Batch& batch,
                                                      const std::vector<SharedTile>& shared,
                                                      Partials& mine, std::vector<Failed>& failed) {
    const auto compute = [&](const Tile& tile) { return answer(batch, tile); };
    AnsweringWorkload<decltype(compute)> plain{compute};
    GuardedWorkload workload(plain);
    Report report;
    for (const SharedTile& its : shared) {
        if (its.rank != world_.rank()) continue;
        obey_run_host();
        if (stop_) continue;
        if (report.leaves) {
            failed.push_back({its});
            continue;
        }
        const Tile tile = numbered(batch, its.tile);
        const auto begun = Clock::now();
        auto attempt = detail::try_tile(workload, tile);
        const double seconds = seconds_since(begun);
        run_.busy_seconds += seconds;
        if (attempt.failure) {
            const detail::Failure& failure = *attempt.failure;
            run_.retries.push_back(
                {tile.id.value, 0, name_of(failure.fault), failure.detail, "handed on"});
            failed.push_back({its, true, failure.fault, failure.detail});
            run_.device_lost = run_.device_lost || failure.fault == TileFault::device_lost;
            report.leaves =
                run_.device_lost || ++failures_in_a_row_ >= detail::failures_until_leaving;
            continue;
        }
        failures_in_a_row_ = 0;
        mine.push_back({its.tile.id, std::move(attempt.partial->records)});
        if (its.handed_on) run_.partials.push_back({tile.id, {}});
        ++run_.tiles_done;
        report.points += tile.size();
        report.seconds += seconds;
    }
    report.failed = std::ssize(failed);
    report.stopped = stop_;
    return report;
}

Tile SharedObjective::numbered(const Batch& batch, const Tile& tile) {
    return {{batch.first_tile + tile.id.value}, tile.begin, tile.end};
}

TilePartial<double> SharedObjective::answer(const Batch& batch, const Tile& tile) {
    const auto share = batch.points.subspan(static_cast<std::size_t>(tile.begin),
                                            static_cast<std::size_t>(tile.size()));
    TilePartial<double> partial{tile.id, {}};
    if (batch.task == Task::values) {
        partial.records = mine_.values(share);
        if (tile_hook().answered) tile_hook().answered(partial.records);
    } else if (batch.task == Task::refits) {
        for (const Refit& refit : refitter_->refits(share)) append_refit(refit, partial.records);
    } else {
        for (const Slope& slope : mine_.slopes(share)) {
            partial.records.push_back(slope.value);
            partial.records.insert(partial.records.end(), slope.gradient.begin(),
                                   slope.gradient.end());
        }
    }
    return partial;
}

}  // namespace tessera::likelihood
