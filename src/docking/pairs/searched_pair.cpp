#include "docking/pairs/searched_pair.hpp"

#include <utility>

#include "docking/pairs/byte_packer.hpp"

namespace tessera::docking {

namespace {

/// The parts of the record that differ from pair to pair. `bytes` is a BytePacker or a
/// ByteUnpacker.
template <class Bytes>
void transfer(Bytes& bytes, SameMessage<io::RunRecord> auto& record) {
    bytes(record.tiles_total, record.tiles_resumed, record.ranks, record.phases, record.retries,
          record.resumed_devices);
}

}  // namespace

std::vector<kernels::PoseRecord> all_records(BestRecords& best) {
    std::vector<kernels::PoseRecord> all;
    for (const auto& records : best.finish()) all.insert(all.end(), records.begin(), records.end());
    return all;
}

std::vector<std::byte> packed_record(const io::RunRecord& record) {
    BytePacker packer;
    transfer(packer, record);
    return packer.bytes();
}

void unpack_record(std::span<const std::byte> bytes, io::RunRecord& record) {
    ByteUnpacker unpacker(bytes);
    transfer(unpacker, record);
    unpacker.require_end();
}

}  // namespace tessera::docking
