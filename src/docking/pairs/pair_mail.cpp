#include "docking/pairs/pair_mail.hpp"

#include <algorithm>
#include <cstring>

namespace tessera::docking {

namespace {

template <class Values>
void append(std::vector<std::byte>& message, const Values& values) {
    const auto bytes = std::as_bytes(std::span(values));
    const std::size_t before = message.size();
    message.resize(before + bytes.size());
    if (!bytes.empty()) std::memcpy(message.data() + before, bytes.data(), bytes.size());
}

/// Takes as many as `body` begins with.
template <class T>
std::vector<T> take(std::span<const std::byte>& body, std::size_t count) {
    count = std::min(count, body.size() / sizeof(T));
    std::vector<T> values(count);
    if (count > 0) std::memcpy(values.data(), body.data(), count * sizeof(T));
    body = body.subspan(count * sizeof(T));
    return values;
}

}  // namespace

std::vector<std::byte> PairMail::packed() const {
    const std::int64_t counts[] = {std::ssize(records), std::ssize(tiles)};
    std::vector<std::byte> message;
    append(message, std::span(&header, 1));
    append(message, counts);
    append(message, records);
    append(message, tiles);
    append(message, text);
    return message;
}

PairMail PairMail::unpacked(std::span<const std::byte> message) {
    PairMail mail;
    constexpr std::size_t head = sizeof(Header) + 2 * sizeof(std::int64_t);
    if (message.size() < head)
        throw Error("a message between ranks is too short", "ranks run different builds, or a bug",
                    "use one build on all ranks", ExitCode::internal);
    mail.header = take<Header>(message, 1).front();
    const auto counts = take<std::int64_t>(message, 2);
    mail.records = take<kernels::PoseRecord>(message, static_cast<std::size_t>(counts[0]));
    mail.tiles = take<std::int64_t>(message, static_cast<std::size_t>(counts[1]));
    const auto text = take<char>(message, message.size());
    mail.text.assign(text.begin(), text.end());
    return mail;
}

}  // namespace tessera::docking
