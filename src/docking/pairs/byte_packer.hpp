// Values as bytes and back, for messages between ranks that run the same build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/error.hpp"

namespace tessera::docking {

/// A vector or a string.
template <class T>
concept ByteList = requires(T list) {
    list.resize(std::size_t{});
    list.data();
};

/// Appends values: plain values as they are, lists as their length and their elements.
class BytePacker {
  public:
    template <class... Values>
    void operator()(const Values&... values) {
        (add(values), ...);
    }

    std::vector<std::byte> bytes() const {
        const auto all = std::as_bytes(std::span(text_));
        return {all.begin(), all.end()};
    }

  private:
    template <class T>
    void add(const T& value) {
        if constexpr (ByteList<T>) {
            add(std::uint64_t{value.size()});
            append(std::span(value.data(), value.size()));
        } else {
            append(std::span(&value, 1));
        }
    }

    template <class T>
    void append(std::span<const T> values) {
        static_assert(std::is_trivially_copyable_v<T>);
        text_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    }

    std::string text_;  // a vector of bytes that grows gives false alarms in GCC 12 and 13
};

/// Takes the values that a BytePacker has written, in the same order. Throws Error (exit code:
/// internal) if bytes are missing.
class ByteUnpacker {
  public:
    explicit ByteUnpacker(std::span<const std::byte> bytes) : rest_(bytes) {}

    template <class... Values>
    void operator()(Values&... values) {
        (take(values), ...);
    }

    /// Throws Error if bytes are left.
    void require_end() const {
        if (!rest_.empty()) throw damaged();
    }

    static Error damaged() {
        return Error("a message between ranks is damaged", "ranks run different builds, or a bug",
                     "use one build on all ranks", ExitCode::internal);
    }

  private:
    template <class T>
    void take(T& value) {
        if constexpr (ByteList<T>) {
            using Element = typename T::value_type;
            std::uint64_t length = 0;
            take(length);
            if (rest_.size() / sizeof(Element) < length) throw damaged();
            value.resize(length);
            copy_to(value.data(), length);
        } else {
            if (rest_.size() < sizeof(T)) throw damaged();
            copy_to(&value, 1);
        }
    }

    template <class T>
    void copy_to(T* values, std::size_t count) {
        static_assert(std::is_trivially_copyable_v<T>);
        if (count > 0) std::memcpy(values, rest_.data(), count * sizeof(T));
        rest_ = rest_.subspan(count * sizeof(T));
    }

    std::span<const std::byte> rest_;
};

/// A message that a function packs or unpacks, const or not.
template <class T, class Message>
concept SameMessage = std::is_same_v<std::remove_const_t<T>, Message>;

}  // namespace tessera::docking
