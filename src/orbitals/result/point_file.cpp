#include "orbitals/result/point_file.hpp"

#include <cstring>

#include "core/error.hpp"
#include "orbitals/selection/density_field.hpp"

namespace tessera::orbitals {

namespace {

void require(bool complete) {
    if (complete) return;
    throw Error("the journal lacks values at points", "tiles were recorded without them",
                "start over with --force", ExitCode::internal);
}

}  // namespace

PointPotentials::PointPotentials(const PreparedOrbitals& prepared)
    : prepared_(prepared), values_(prepared.frames.size() * prepared.points.size()) {}

void PointPotentials::take(const OrbitalWork& work, std::span<const std::byte> bytes) {
    const auto count = static_cast<std::size_t>(work.planes);
    require(bytes.size() >= count * sizeof(double));
    const std::size_t first = static_cast<std::size_t>(work.frame) * prepared_.points.size() +
                              static_cast<std::size_t>(work.first_plane);
    std::memcpy(values_.data() + first, bytes.data(), count * sizeof(double));
    taken_ += count;
}

void PointPotentials::write(io::h5::Group root) const {
    if (values_.empty()) return;
    require(taken_ == values_.size());
    std::vector<double> positions;
    for (const Vec3 at : prepared_.points) positions.insert(positions.end(), {at.x, at.y, at.z});
    std::vector<std::int64_t> numbers;
    numbers.reserve(prepared_.frames.size());
    for (const OrbitalFrame& frame : prepared_.frames) numbers.push_back(frame.number);
    io::h5::Group group = root.group("points");
    group.write("positions", positions, {prepared_.points.size(), 3}, {"bohr", {}, 0});
    group.write("frames", numbers);
    group.write(potential_name, values_, {prepared_.frames.size(), prepared_.points.size()},
                {potential_units, {}, 0});
}

}  // namespace tessera::orbitals
