#include "docking/pairs/pair_mail.hpp"

#include <cstring>

namespace tessera::docking {

std::vector<std::byte> PairMail::packed() const {
    const auto head = std::as_bytes(std::span(&header, 1));
    const auto body = header.kind == Kind::partial ? std::as_bytes(std::span(records))
                                                   : std::as_bytes(std::span(text));
    std::vector<std::byte> message(head.begin(), head.end());
    message.insert(message.end(), body.begin(), body.end());
    return message;
}

PairMail PairMail::unpacked(std::span<const std::byte> message) {
    PairMail mail;
    if (message.size() < sizeof(Header))
        throw Error("a message between ranks is too short", "ranks run different builds, or a bug",
                    "use one build on all ranks", ExitCode::internal);
    std::memcpy(&mail.header, message.data(), sizeof(Header));
    const auto body = message.subspan(sizeof(Header));
    if (mail.header.kind == Kind::partial) {
        mail.records.resize(body.size() / sizeof(kernels::PoseRecord));
        if (!mail.records.empty())
            std::memcpy(mail.records.data(), body.data(),
                        mail.records.size() * sizeof(kernels::PoseRecord));
    } else {
        for (const std::byte b : body) mail.text += static_cast<char>(b);
    }
    return mail;
}

}  // namespace tessera::docking
