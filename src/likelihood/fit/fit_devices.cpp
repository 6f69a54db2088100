#include "likelihood/fit/fit_devices.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "engine/tile_records.hpp"

namespace tessera::likelihood {

namespace {

constexpr const char* unknown = "devices that were not written down";

/// These kinds of devices evaluated the batches from `first` to the first batch of the next
/// attempt.
struct Attempt {
    std::int64_t first = 0;
    std::string kinds;
};

std::vector<Attempt> read_attempts(const std::string& path, io::JournalKey key) {
    std::vector<Attempt> attempts;
    io::read_journal(path, key, [&](io::Record record, bool) {
        Attempt attempt;
        if (record.size() < sizeof(attempt.first))
            throw Error("cannot use the journal '" + path + "'", "a record of it is damaged",
                        "start over with --force", ExitCode::resources);
        std::memcpy(&attempt.first, record.data(), sizeof(attempt.first));
        const io::Record text = record.subspan(sizeof(attempt.first));
        attempt.kinds =
            kept_name(std::string(reinterpret_cast<const char*>(text.data()), text.size()));
        attempts.push_back(std::move(attempt));
    });
    return attempts;
}

}  // namespace

FitDevices::FitDevices(const std::string& path, io::JournalKey key, std::int64_t resumed,
                       const std::string& kinds)
    : kinds_(kept_name(kinds)), of_batch_(static_cast<std::size_t>(resumed), unknown) {
    for (const Attempt& attempt : read_attempts(path, key)) {
        const std::int64_t first = std::clamp<std::int64_t>(attempt.first, 0, resumed);
        std::fill(of_batch_.begin() + first, of_batch_.end(), attempt.kinds);
    }
    io::JournalWriter writer(path, key);
    const std::array pieces{std::as_bytes(std::span(&resumed, 1)),
                            std::as_bytes(std::span(kinds_))};
    writer.append(pieces);
    writer.close(true);
}

std::string FitDevices::resumed_devices() const {
    std::map<std::string, std::int64_t> counts;
    for (const std::string& kinds : of_batch_) ++counts[kinds];
    return counts_text(counts);
}

bool FitDevices::differ() const {
    return std::ranges::any_of(of_batch_,
                               [&](const std::string& kinds) { return kinds != kinds_; });
}

}  // namespace tessera::likelihood
