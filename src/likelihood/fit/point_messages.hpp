// What ranks tell each other in an asynchronous search, as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "core/error.hpp"
#include "core/fixed_string.hpp"
#include "core/tile.hpp"
#include "core/tile_fault.hpp"
#include "likelihood/fit/objective.hpp"

namespace tessera::likelihood {

/// Points that one rank evaluates together.
struct PointTask {
    std::int64_t tile = 0;
    std::vector<std::int64_t> numbers;  ///< of the proposals
    std::vector<Point> points;
};

/// What a rank says about its task.
struct PointReport {
    double seconds = 0;
    bool failed = false, leaves = false;
    TileFault fault = TileFault::device_error;
    FixedString<192> detail;
};

/// The values are empty if the task failed or was not begun.
struct PointAnswer {
    std::int64_t tile = 0;
    PointReport report;
    std::vector<double> values;
};

struct PointMessage {
    enum class Kind : std::int64_t {
        task,    ///< rank 0 hands out points
        answer,  ///< a rank is done with a task
        stop,    ///< a signal asked this rank to stop
        broken,  ///< this rank has failed for good
        end      ///< rank 0 ends the search; `tile` is the number of tasks so far
    };
    Kind kind = Kind::end;
    std::int64_t tile = 0, points = 0, dimension = 0;
    PointReport report;
};

/// The message, followed by the points of a task or by the values of an answer.
std::vector<std::byte> packed(const PointMessage& head, const PointTask* task = nullptr,
                              std::span<const double> values = {});

/// Takes numbers from the front of a message.
template <class Number>
std::vector<Number> taken_from(std::span<const std::byte>& bytes, std::int64_t count) {
    const std::size_t size = static_cast<std::size_t>(count) * sizeof(Number);
    if (count < 0 || size > bytes.size())
        throw Error("a message of the search is too short", "ranks run different builds, or a bug",
                    "use one build on all ranks", ExitCode::internal);
    std::vector<Number> numbers(static_cast<std::size_t>(count));
    if (size > 0) std::memcpy(numbers.data(), bytes.data(), size);
    bytes = bytes.subspan(size);
    return numbers;
}

/// The task that follows the head of a message.
PointTask task_in(const PointMessage& head, std::span<const std::byte> bytes);

}  // namespace tessera::likelihood
