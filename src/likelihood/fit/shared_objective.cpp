#include "likelihood/fit/shared_objective.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "mpi/gather_by_tile.hpp"

namespace tessera::likelihood {

namespace {

// Few enough that a signal is seen soon, enough to fill a device.
constexpr std::int64_t largest_tile = 32;

/// Shares of the points that keep all ranks busy. The answers do not depend on it.
std::int64_t tile_size(std::int64_t points, int ranks) {
    return std::clamp<std::int64_t>((points + ranks - 1) / ranks, 1, largest_tile);
}

}  // namespace

std::vector<double> SharedObjective::values(std::span<const Point> points) {
    return answers(Task::values, points);
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
    for (const auto& partial : work(task, points))
        all.insert(all.end(), partial.records.begin(), partial.records.end());
    return all;
}

void SharedObjective::serve() {
    for (;;) {
        std::array<std::int64_t, 3> command{};
        world_.broadcast(command);
        const auto task = static_cast<Task>(command[0]);
        if (task == Task::end) return;
        std::vector<double> numbers;
        world_.broadcast(numbers);
        std::vector<Point> points;
        const std::ptrdiff_t dimension = command[2];
        for (auto next = numbers.begin(); next != numbers.end(); next += dimension)
            points.emplace_back(next, next + dimension);
        try {
            work(task, points);
        } catch (const Stopped&) {
            // Rank 0 has heard of it too, and ends the service.
        }
    }
}

SharedObjective::Partials SharedObjective::work(Task task, std::span<const Point> points) {
    const auto tiles =
        cut_into_tiles(static_cast<std::int64_t>(points.size()),
                       tile_size(static_cast<std::int64_t>(points.size()), world_.size()));
    try {
        Partials mine;
        world_.together([&] {
            for (auto t = static_cast<std::size_t>(world_.rank()); t < tiles.size() && !stop_;
                 t += static_cast<std::size_t>(world_.size()))
                mine.push_back(answer_tile(task, tiles[t], points));
        });
        if (world_.allreduce_max(stop_ ? 1 : 0) != 0) throw Stopped{};
        tiles_total_ += static_cast<std::int64_t>(tiles.size());
        return mpi::gather_by_tile(world_, mine, static_cast<std::int64_t>(tiles.size()));
    } catch (const Stopped&) {
        throw;
    } catch (...) {
        over_ = true;  // all ranks have it and are on their way out
        throw;
    }
}

TilePartial<double> SharedObjective::answer_tile(Task task, const Tile& tile,
                                                 std::span<const Point> points) {
    const auto start = std::chrono::steady_clock::now();
    const auto share =
        points.subspan(static_cast<std::size_t>(tile.begin), static_cast<std::size_t>(tile.size()));
    TilePartial<double> partial{tile.id, {}};
    if (task == Task::values) {
        partial.records = mine_.values(share);
    } else {
        for (const Slope& slope : mine_.slopes(share)) {
            partial.records.push_back(slope.value);
            partial.records.insert(partial.records.end(), slope.gradient.begin(),
                                   slope.gradient.end());
        }
    }
    ++tiles_done_;
    busy_seconds_ +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return partial;
}

}  // namespace tessera::likelihood
