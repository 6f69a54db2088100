#include "docking/pairs/pairs_progress.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "io/files/file_name.hpp"
#include "io/files/input_file.hpp"
#include "io/files/whole_file.hpp"

namespace tessera::docking {

namespace fs = std::filesystem;

namespace {

constexpr const char* note_name = "pairs";

/// When the file was last written. Nothing if there is no file.
std::optional<fs::file_time_type> written(const fs::path& path) {
    std::error_code missing;
    const fs::file_time_type time = fs::last_write_time(path, missing);
    if (missing) return std::nullopt;
    return time;
}

bool is_note(const nlohmann::json& json) {
    return json.is_object() && json.contains("pairs") && json["pairs"].is_number_integer() &&
           json.contains("done_before") && json["done_before"].is_number_integer() &&
           json.contains("to_do") && json["to_do"].is_array() &&
           std::ranges::all_of(json["to_do"], [](const auto& name) {
               return name.is_string() &&
                      io::why_no_file_name(name.template get<std::string>()).empty();
           });
}

}  // namespace

void note_pairs(const io::PartialFolder& folder, const PairSource& pairs,
                const std::vector<PairRow>& rows) {
    nlohmann::json json = {{"pairs", pairs.size()},
                           {"done_before", count(rows).done},
                           {"to_do", nlohmann::json::array()}};
    for (std::size_t i = 0; i < pairs.size(); ++i)
        if (rows[i].status == PairRow::Status::unfinished) json["to_do"].push_back(pairs.name(i));
    io::WholeFile file(folder.file(note_name));
    file.write(json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    file.commit();
}

std::optional<PairsProgress> read_pairs_progress(const std::string& folder) {
    const fs::path note = fs::path(folder) / note_name;
    constexpr std::size_t most_bytes = std::size_t{256} << 20;  // a million names of 200 bytes
    const auto json = nlohmann::json::parse(io::beginning_of(note, most_bytes), nullptr, false);
    const auto begun = written(note);
    if (!begun || !is_note(json)) return std::nullopt;
    PairsProgress progress{json["pairs"].get<std::int64_t>(),
                           json["done_before"].get<std::int64_t>(), std::nullopt};
    std::optional<fs::file_time_type> newest;
    for (const auto& name : json["to_do"]) {
        // With --force an old file may still be there.
        const auto time = written(fs::path(folder) / ".." / (name.get<std::string>() + ".h5"));
        if (!time || *time < *begun) continue;
        ++progress.done;
        newest = std::max(newest.value_or(*time), *time);
    }
    if (newest)
        progress.quiet_seconds =
            std::chrono::duration<double>(fs::file_time_type::clock::now() - *newest).count();
    return progress;
}

}  // namespace tessera::docking
