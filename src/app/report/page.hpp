// The page of a report: one HTML file that needs no other file and no network.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

#include "io/text/value_table.hpp"

namespace tessera::app {

/// Hands on the text of the page in pieces. `data` is embedded as JSON, and the scripts of
/// data/report draw it. Where the library of the 3-D viewer is not installed, the page says so in
/// its place. Throws Error if a data file is missing.
void write_page(const std::string& title, const nlohmann::ordered_json& data,
                const io::TextSink& sink);

/// What stands near the beginning of every report, by which --force recognises one.
inline constexpr std::string_view report_mark =
    "<meta name=\"generator\" content=\"tessera report\">";

}  // namespace tessera::app
