#include "likelihood/fit/point_messages.hpp"

namespace tessera::likelihood {

std::vector<std::byte> packed(const PointMessage& head, const PointTask* task,
                              std::span<const double> values) {
    std::vector<std::span<const std::byte>> pieces{std::as_bytes(std::span(&head, 1)),
                                                   std::as_bytes(values)};
    if (task) {
        pieces.push_back(std::as_bytes(std::span(task->numbers)));
        for (const Point& point : task->points) pieces.push_back(std::as_bytes(std::span(point)));
    }
    std::size_t size = 0;
    for (const auto& piece : pieces) size += piece.size();
    std::vector<std::byte> bytes(size);
    std::byte* at = bytes.data();
    for (const auto& piece : pieces) {
        if (!piece.empty()) std::memcpy(at, piece.data(), piece.size());
        at += piece.size();
    }
    return bytes;
}

PointTask task_in(const PointMessage& head, std::span<const std::byte> bytes) {
    PointTask task{head.tile, taken_from<std::int64_t>(bytes, head.points), {}};
    for (std::int64_t i = 0; i < head.points; ++i)
        task.points.push_back(taken_from<double>(bytes, head.dimension));
    return task;
}

}  // namespace tessera::likelihood
