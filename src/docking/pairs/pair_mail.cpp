#include "docking/pairs/pair_mail.hpp"

#include <type_traits>
#include <utility>

#include "docking/pairs/byte_packer.hpp"

namespace tessera::docking {

namespace {

template <class Bytes>
void transfer(Bytes& bytes, SameMessage<InputRecord> auto& input) {
    bytes(input.path, input.file, input.sha256);
}

template <class Bytes>
void transfer(Bytes& bytes, SameMessage<WrittenPair> auto& written) {
    bytes(written.row, written.file, written.input_sha256, written.poses);
    std::uint64_t inputs = written.inputs.size();
    bytes(inputs);
    if constexpr (std::is_same_v<Bytes, ByteUnpacker>)
        for (std::uint64_t i = 0; i < inputs; ++i) transfer(bytes, written.inputs.emplace_back());
    else
        for (const InputRecord& input : written.inputs) transfer(bytes, input);
}

// The fields of each message. `bytes` is a BytePacker or a ByteUnpacker.
template <class Bytes>
void transfer(Bytes& bytes, SameMessage<TileResult> auto& mail) {
    bytes(mail.pair, mail.tile, mail.seconds, mail.records, mail.input_sha256);
}

template <class Bytes>
void transfer(Bytes& bytes, SameMessage<PairFailed> auto& mail) {
    bytes(mail.pair, mail.failure.reason, mail.failure.code);
}

template <class Bytes>
void transfer(Bytes& bytes, SameMessage<TilesReturned> auto& mail) {
    bytes(mail.pair, mail.tried, mail.fault, mail.tiles, mail.detail);
}

template <class Bytes>
void transfer(Bytes& bytes, SameMessage<PairFinished> auto& mail) {
    bytes(mail.pair);
    transfer(bytes, mail.written);
}

template <class Bytes>
void transfer(Bytes& bytes, SameMessage<TilesRequested> auto& mail) {
    bytes(mail.pair, mail.tiles);
}

template <class Bytes>
void transfer(Bytes& bytes, SameMessage<FinishRequested> auto& mail) {
    bytes(mail.pair, mail.records, mail.run_record);
}

template <class Bytes>
void transfer(Bytes& bytes, SameMessage<PairSettled> auto& mail) {
    bytes(mail.pair, mail.failed, mail.failure.reason, mail.failure.code);
    transfer(bytes, mail.written);
}

template <class Bytes>
void transfer(Bytes& bytes, SameMessage<DeviceLeftOut> auto& mail) {
    bytes(mail.why);
}

/// An empty mail of the kind with this number.
template <std::size_t... kinds>
PairMail mail_of_kind(std::uint64_t kind, std::index_sequence<kinds...>) {
    PairMail mail;
    const bool known = ((kind == kinds && (mail.emplace<kinds>(), true)) || ...);
    if (!known) throw ByteUnpacker::damaged();
    return mail;
}

}  // namespace

std::vector<std::byte> packed(const PairMail& mail) {
    BytePacker packer;
    packer(std::uint64_t{mail.index()});
    std::visit([&](const auto& content) { transfer(packer, content); }, mail);
    return packer.bytes();
}

PairMail unpacked(std::span<const std::byte> message) {
    ByteUnpacker unpacker(message);
    std::uint64_t kind = 0;
    unpacker(kind);
    PairMail mail = mail_of_kind(kind, std::make_index_sequence<std::variant_size_v<PairMail>>());
    std::visit([&](auto& content) { transfer(unpacker, content); }, mail);
    unpacker.require_end();
    return mail;
}

}  // namespace tessera::docking
