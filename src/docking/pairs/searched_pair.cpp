#include "docking/pairs/searched_pair.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/error.hpp"

namespace tessera::docking {

namespace {

template <class T>
void append(std::string& bytes, const T* values, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto length = static_cast<std::uint64_t>(count);
    bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
    bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

/// Takes what `bytes` begins with.
template <class Values>
void take(std::string_view& bytes, Values& values) {
    using T = typename Values::value_type;
    std::uint64_t length = 0;
    const auto not_whole = [] {
        return Error("a record between ranks is not whole", "ranks run different builds, or a bug",
                     "use one build on all ranks", ExitCode::internal);
    };
    if (bytes.size() < sizeof length) throw not_whole();
    std::memcpy(&length, bytes.data(), sizeof length);
    bytes.remove_prefix(sizeof length);
    if (bytes.size() / sizeof(T) < length) throw not_whole();
    values.resize(length);
    if (length > 0) std::memcpy(values.data(), bytes.data(), length * sizeof(T));
    bytes.remove_prefix(length * sizeof(T));
}

}  // namespace

std::vector<kernels::PoseRecord> all_records(docking::BestRecords& best) {
    std::vector<kernels::PoseRecord> all;
    for (const auto& records : best.finish()) all.insert(all.end(), records.begin(), records.end());
    return all;
}

std::string packed_record(const io::RunRecord& record) {
    const std::int64_t tiles[] = {record.tiles_total, record.tiles_resumed};
    std::string bytes;
    append(bytes, tiles, 2);
    append(bytes, record.ranks.data(), record.ranks.size());
    append(bytes, record.phases.data(), record.phases.size());
    append(bytes, record.retries.data(), record.retries.size());
    append(bytes, record.resumed_devices.data(), record.resumed_devices.size());
    return bytes;
}

void unpack_record(std::string_view bytes, io::RunRecord& record) {
    std::vector<std::int64_t> tiles;
    take(bytes, tiles);
    tiles.resize(2);
    record.tiles_total = tiles[0];
    record.tiles_resumed = tiles[1];
    take(bytes, record.ranks);
    take(bytes, record.phases);
    take(bytes, record.retries);
    take(bytes, record.resumed_devices);
}

}  // namespace tessera::docking
