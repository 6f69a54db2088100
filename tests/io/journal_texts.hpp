// Journals whose records are texts, and the files that they are in.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "io/journal/journal.hpp"

namespace tessera::io {

using Texts = std::vector<std::string>;

inline constexpr JournalKey key{0x7e55e7a};

inline Record bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

inline Texts texts_in(const std::string& path) {
    Texts texts;
    read_journal(path, key, [&](Record record, bool) {
        texts.emplace_back(reinterpret_cast<const char*>(record.data()), record.size());
    });
    return texts;
}

inline std::string whole(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void replace(const std::string& path, const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
}

inline void append_all(const std::string& path, const Texts& texts) {
    JournalWriter writer(path, key);
    for (const auto& text : texts) writer.append(bytes_of(text));
}

}  // namespace tessera::io
