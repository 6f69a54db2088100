// Gathers the partials of all ranks on one rank as bytes and sorts them by tile.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "core/ordered_sum.hpp"
#include "core/tile.hpp"
#include "mpi/communicator.hpp"

namespace tessera::mpi {

namespace detail {

/// The header of a partial's records in a message.
struct PartialHeader {
    std::int64_t id = 0;
    std::uint64_t records = 0;
};

/// [header, records] of each partial, one after another.
template <class Payload>
std::vector<std::byte> pack(const std::vector<TilePartial<Payload>>& partials) {
    std::size_t bytes = 0;
    for (const auto& partial : partials)
        bytes += sizeof(PartialHeader) + partial.records.size() * sizeof(Payload);
    std::vector<std::byte> packed(bytes);
    std::byte* at = packed.data();
    const auto put = [&at](const void* source, std::size_t count) {
        if (count > 0) std::memcpy(at, source, count);
        at += count;
    };
    for (const auto& partial : partials) {
        const PartialHeader header{partial.id.value, partial.records.size()};
        put(&header, sizeof(header));
        put(partial.records.data(), partial.records.size() * sizeof(Payload));
    }
    return packed;
}

template <class Payload>
void unpack(std::span<const std::byte> bytes, std::vector<TilePartial<Payload>>& partials) {
    const auto require = [](bool whole) {
        if (!whole)
            throw Error("a message of tile partials does not end where it should",
                        "ranks run different builds, or a bug", "use one build on all ranks",
                        ExitCode::internal);
    };
    while (!bytes.empty()) {
        require(bytes.size() >= sizeof(PartialHeader));
        PartialHeader header;
        std::memcpy(&header, bytes.data(), sizeof(header));
        bytes = bytes.subspan(sizeof(header));
        require(header.records <= bytes.size() / sizeof(Payload));
        TilePartial<Payload> partial{{header.id}, std::vector<Payload>(header.records)};
        const std::size_t length = header.records * sizeof(Payload);
        if (length > 0) std::memcpy(partial.records.data(), bytes.data(), length);
        bytes = bytes.subspan(length);
        partials.push_back(std::move(partial));
    }
}

/// Sorts by id and throws unless the ids are exactly 0 … expected - 1.
template <class Payload>
void sort_complete(std::vector<TilePartial<Payload>>& partials, std::int64_t expected) {
    std::sort(partials.begin(), partials.end(),
              [](const auto& a, const auto& b) { return a.id < b.id; });
    const auto broken = [](const std::string& what) {
        return Error("the tiles of the run do not fit together", what, "please report this",
                     ExitCode::internal);
    };
    for (std::size_t i = 0; i < partials.size(); ++i) {
        const auto id = partials[i].id.value, wanted = static_cast<std::int64_t>(i);
        if (i > 0 && partials[i - 1].id == partials[i].id)
            throw broken("tile " + std::to_string(id) + " occurs twice");
        if (id > wanted && wanted < expected)
            throw broken("tile " + std::to_string(wanted) + " is missing");
        if (id < 0 || id >= expected)
            throw broken("tile " + std::to_string(id) + " is beyond the " +
                         std::to_string(expected) + " of the input");
    }
    if (static_cast<std::int64_t>(partials.size()) < expected)
        throw broken("tile " + std::to_string(partials.size()) + " is missing");
}

}  // namespace detail

/// Collective. Returns on `root` the partials of all ranks in ascending order, one for each of the
/// tiles 0 … expected - 1; empty elsewhere. Throws SharedError on all ranks if a tile is missing,
/// occurs twice or is unknown.
template <class Payload>
std::vector<TilePartial<Payload>> gather_by_tile(const Communicator& communicator,
                                                 const std::vector<TilePartial<Payload>>& partials,
                                                 std::int64_t expected, int root = 0) {
    std::vector<TilePartial<Payload>> all;
    const std::vector<std::byte> packed = detail::pack(partials);
    communicator.together([&] {
        communicator.gather_bytes(
            packed, [&](int, std::span<const std::byte> bytes) { detail::unpack(bytes, all); },
            root);
        if (communicator.rank() == root) detail::sort_complete(all, expected);
    });
    return all;
}

}  // namespace tessera::mpi
