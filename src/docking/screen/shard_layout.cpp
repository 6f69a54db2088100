#include "docking/screen/shard_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/error.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

/// The number from `begin` to `end`; 0 if it is none.
std::size_t whole_number(const char* begin, const char* end) {
    std::size_t number = 0;
    const auto parsed = std::from_chars(begin, end, number);
    return parsed.ec == std::errc{} && parsed.ptr == end ? number : 0;
}

}  // namespace

ScreenPart parse_part(const std::string& text) {
    const std::size_t slash = std::min(text.find('/'), text.size());
    const char* const end = text.data() + text.size();
    const ScreenPart part{whole_number(text.data(), text.data() + slash),
                          slash == text.size() ? 0 : whole_number(text.data() + slash + 1, end)};
    if (part.number == 0 || part.number > part.of)
        throw Error("cannot use --part '" + io::one_line(text, 40) + "'",
                    "it is not the number of a part and the number of parts",
                    "write it as 3/8, with a number from 1 to 8 before the slash");
    return part;
}

ShardLayout::ShardLayout(std::size_t pairs, std::size_t pairs_per_shard, const ScreenPart& part)
    : pairs_(pairs), pairs_per_shard_(pairs_per_shard) {
    const std::size_t shards = (pairs + pairs_per_shard - 1) / pairs_per_shard;
    if (shards < part.of)
        throw Error(fmt::format("cannot screen in {}", io::counted(part.of, "part")),
                    fmt::format("{} make{} {} of up to {}", io::counted(pairs, "pair"),
                                pairs == 1 ? "s" : "", io::counted(shards, "shard"),
                                pairs_per_shard),
                    "choose fewer parts, or a lower --pairs-per-shard");
    const auto boundary = [&](std::size_t number) {
        return shards / part.of * number + shards % part.of * number / part.of;
    };
    shards_ = {boundary(part.number - 1), boundary(part.number)};
}

NumberRange ShardLayout::pairs_of(std::size_t shard) const {
    return {shard * pairs_per_shard_, std::min(pairs_, (shard + 1) * pairs_per_shard_)};
}

std::string shard_path(const std::string& folder, std::size_t shard) {
    return fmt::format("{}/poses/shard-{:06}.h5", folder, shard);
}

std::string summary_path(const std::string& folder, std::size_t shard) {
    return fmt::format("{}/summary/shard-{:06}.parquet", folder, shard);
}

}  // namespace tessera::docking
