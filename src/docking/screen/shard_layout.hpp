// How the pairs of a screening are cut into shards, and how shards are cut into parts.
#pragma once

#include <cstddef>
#include <string>

namespace tessera::docking {

/// Part `number`, from 1, of `of` parts of a screening, each of which is a run of its own.
struct ScreenPart {
    std::size_t number = 1, of = 1;

    bool is_whole() const { return of == 1; }
    std::string text() const { return std::to_string(number) + "/" + std::to_string(of); }
    bool operator==(const ScreenPart&) const = default;
};

/// Reads "3/8". Throws Error for anything else.
ScreenPart parse_part(const std::string& text);

/// The numbers from `first` to before `last`.
struct NumberRange {
    std::size_t first = 0, last = 0;

    std::size_t size() const { return last - first; }
    bool operator==(const NumberRange&) const = default;
};

/// Shard s holds the pairs from s * pairs_per_shard to before (s + 1) * pairs_per_shard. A part has
/// whole shards, so that a shard has the same content whatever the number of parts.
class ShardLayout {
  public:
    /// `pairs`: of the whole screening. Throws Error if there are fewer shards than parts.
    ShardLayout(std::size_t pairs, std::size_t pairs_per_shard, const ScreenPart& part);

    /// The shards of the part.
    const NumberRange& shards() const { return shards_; }
    /// The pairs of the part.
    NumberRange pairs() const {
        return {pairs_of(shards_.first).first, pairs_of(shards_.last - 1).last};
    }
    NumberRange pairs_of(std::size_t shard) const;
    std::size_t shard_of(std::size_t pair) const { return pair / pairs_per_shard_; }
    std::size_t pairs_per_shard() const { return pairs_per_shard_; }
    std::size_t all_pairs() const { return pairs_; }

  private:
    std::size_t pairs_, pairs_per_shard_;
    NumberRange shards_;
};

/// FOLDER/poses/shard-000012.h5
std::string shard_path(const std::string& folder, std::size_t shard);
/// FOLDER/summary/shard-000012.parquet
std::string summary_path(const std::string& folder, std::size_t shard);

}  // namespace tessera::docking
