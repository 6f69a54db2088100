// The reference cases of ../shared/data/likelihood: model, stars and the application's numbers.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "io/streams/stream_model.hpp"

namespace tessera::test {

/// TESSERA_SHARED_DIR, or the folder beside the sources.
inline std::filesystem::path likelihood_folder() {
    const char* const given = std::getenv("TESSERA_SHARED_DIR");
    const std::filesystem::path shared = given ? given : TESSERA_SOURCE_DIR "/../shared";
    return shared / "data" / "likelihood";
}

inline nlohmann::json read_json(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::string text(std::istreambuf_iterator<char>(file), {});
    // Python writes NaN, which JSON has not.
    for (auto at = text.find("NaN"); at != std::string::npos; at = text.find("NaN"))
        text.replace(at, 3, "null");
    return nlohmann::json::parse(text);
}

/// A number that the file may hold as text, for its digits.
inline double number(const nlohmann::json& json) {
    return json.is_string() ? std::stod(json.get<std::string>()) : json.get<double>();
}

inline io::Cells cells(const nlohmann::json& area, const std::string& name) {
    return {area.at(name + "_min"), area.at(name + "_max"), area.at(name + "_steps")};
}

inline io::StreamModel model_of(const nlohmann::json& json) {
    io::StreamModel model;
    model.wedge = json.at("wedge");
    model.convolve = json.at("convolve");
    model.model = json.at("model") == "head" ? io::Model::model2018 : io::Model::classic;
    model.turnoff = json.at("modfit") ? io::Turnoff::newby2011 : io::Turnoff::gaussian;
    const nlohmann::json& b = json.at("background");
    io::Background& to = model.background;
    to.profile =
        json.at("broken_power_law") ? io::Profile::broken_power_law : io::Profile::hernquist;
    to.epsilon = b.value("epsilon", 0.0);
    to.q = b.at("q");
    to.r0 = b.value("r0", 12.0);
    to.alpha = b.value("alpha", 1.0);
    to.delta = b.value("delta", 1.0);
    to.a = b.value("a", 0.0);
    to.b = b.value("b", 0.0);
    to.c = b.value("c", 0.0);
    for (const nlohmann::json& s : json.at("streams"))
        model.streams.push_back(
            {s.at("epsilon"), s.at("mu"), s.at("r"), s.at("theta"), s.at("phi"), s.at("sigma")});
    for (const nlohmann::json& area : json.at("area"))
        model.areas.push_back({cells(area, "r"), cells(area, "mu"), cells(area, "nu")});
    return model;
}

inline std::vector<io::Star> read_case_stars(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::size_t count = 0;
    file >> count;
    std::vector<io::Star> stars(count);
    for (io::Star& star : stars) file >> star.l >> star.b >> star.r;
    return stars;
}

}  // namespace tessera::test
