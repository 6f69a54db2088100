#include "io/parquet/column_buffer.hpp"

#include <bit>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "io/parquet/bytes.hpp"

namespace tessera::io::parquet {

void LevelRuns::add(bool there) {
    if (length_ > 0 && there != there_) {
        close_run(closed_);
        length_ = 0;
    }
    there_ = there;
    ++length_;
}

/// The lowest bit of the length is 0 for a run. A level takes a whole byte.
void LevelRuns::close_run(std::string& bytes) const {
    append_varint(bytes, length_ << 1);
    bytes += static_cast<char>(there_);
}

std::string LevelRuns::bytes() const {
    std::string runs = closed_;
    if (length_ > 0) close_run(runs);
    std::string bytes;
    append_little_endian(bytes, static_cast<std::uint32_t>(runs.size()));
    return bytes + runs;
}

void ColumnBuffer::append(bool value) {
    if (bits_ % 8 == 0) values_ += '\0';
    if (value) values_.back() = static_cast<char>(values_.back() | 1 << bits_ % 8);
    ++bits_;
}

template <class Number>
void ColumnBuffer::append(Number value) {
    using Word = std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>;
    append_little_endian(values_, std::bit_cast<Word>(value));
}

void ColumnBuffer::append(const std::string& text) {
    append_little_endian(values_, static_cast<std::uint32_t>(text.size()));
    values_ += text;
}

void ColumnBuffer::add(const Value& value) {
    const bool there = !std::holds_alternative<std::monostate>(value);
    if (there ? value.index() != static_cast<std::size_t>(column_.type) : !column_.optional)
        throw Error("cannot write column '" + column_.name + "'",
                    there ? "a value has another type" : "a value is missing", "please report this",
                    ExitCode::internal);
    if (column_.optional) levels_.add(there);
    std::visit(
        [this](const auto& one) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(one)>, std::monostate>) append(one);
        },
        value);
}

std::string ColumnBuffer::take_page() {
    std::string page = column_.optional ? levels_.bytes() + values_ : std::move(values_);
    *this = ColumnBuffer(Column(column_));
    return page;
}

}  // namespace tessera::io::parquet
