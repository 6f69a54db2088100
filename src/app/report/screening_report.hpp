// What the page of a folder of tessera screen shows.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace tessera::app {

/// The best pairs, a histogram and a map of the scores, and the pairs that failed, from the table
/// of the folder. The page has a bounded size whatever the size of the screening. Throws Error if
/// the table cannot be used.
nlohmann::ordered_json screening_report(const std::string& folder);

}  // namespace tessera::app
