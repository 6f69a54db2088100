// The page of a report: one HTML file that needs no other file and no network.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace tessera::app {

/// The text of the page. `data` is embedded as JSON, and the scripts of data/report draw it. Where
/// the library of the 3-D viewer is not installed, the page says so in its place. Throws Error if a
/// data file is missing.
std::string report_page(const std::string& title, const nlohmann::ordered_json& data);

/// What stands near the beginning of every report, by which --force recognises one.
inline constexpr std::string_view report_mark =
    "<meta name=\"generator\" content=\"tessera report\">";

}  // namespace tessera::app
