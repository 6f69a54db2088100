#include "docking/screen/screen_description.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const std::vector<ScreenPartner>& partners) {
    Json list = Json::array();
    for (const ScreenPartner& partner : partners)
        list.push_back(
            {{"name", partner.name}, {"file", partner.path}, {"chains", partner.chains}});
    return list;
}

std::vector<ScreenPartner> partners_of(const Json& list) {
    std::vector<ScreenPartner> partners;
    for (const Json& one : list)
        partners.push_back({one.at("name").get<std::string>(), 0, one.at("file").get<std::string>(),
                            one.at("chains").get<std::vector<std::string>>()});
    return partners;
}

bool same_partners(const std::vector<ScreenPartner>& a, const std::vector<ScreenPartner>& b) {
    return std::ranges::equal(a, b, [](const ScreenPartner& one, const ScreenPartner& other) {
        return one.name == other.name && one.chains == other.chains;
    });
}

ScreenDescription description_of(const Json& json) {
    ScreenDescription description;
    description.version = json.at("version").get<std::string>();
    description.revision = json.at("git_revision").get<std::string>();
    description.options = json.at("options").dump();
    description.pairs_per_shard = json.at("pairs_per_shard").get<std::size_t>();
    description.part = parse_part(json.at("part").get<std::string>());
    description.receptors = partners_of(json.at("receptors"));
    description.ligands = partners_of(json.at("ligands"));
    return description;
}

}  // namespace

std::string ScreenDescription::difference(const ScreenDescription& other) const {
    if (version != other.version || revision != other.revision)
        return "another build of the program has docked it";
    if (Json::parse(options) != Json::parse(other.options))
        return "it was docked with other options";
    if (pairs_per_shard != other.pairs_per_shard) return "its --pairs-per-shard is another one";
    if (part.of != other.part.of) return "the number of parts is another one";
    if (!same_partners(receptors, other.receptors)) return "its list of receptors is another one";
    if (!same_partners(ligands, other.ligands)) return "its list of ligands is another one";
    return "";
}

std::string description_path(const std::string& folder) {
    return (std::filesystem::path(folder) / "screen.json").string();
}

std::string to_json(const ScreenDescription& description) {
    const Json json{{"program", "tessera screen"},
                    {"version", description.version},
                    {"git_revision", description.revision},
                    {"options", Json::parse(description.options)},
                    {"pairs_per_shard", description.pairs_per_shard},
                    {"part", description.part.text()},
                    {"receptors", json_of(description.receptors)},
                    {"ligands", json_of(description.ligands)}};
    return json.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

std::optional<ScreenDescription> read_description(const std::string& folder) {
    const std::string path = description_path(folder);
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return std::nullopt;
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    const auto refuse = [&](const std::string& why) {
        return Error("cannot use '" + path + "'", "it does not describe a screening: " + why,
                     "give an unchanged folder of tessera screen, or start over with --force");
    };
    try {
        ScreenDescription description = description_of(Json::parse(text.str()));
        if (description.pairs_per_shard < 1 || description.pairs_per_shard > 1'000'000)
            throw refuse("its pairs_per_shard is not a number from 1 to 1000000");
        return description;
    } catch (const nlohmann::json::exception& error) {
        throw refuse(io::one_line(error.what(), 120));
    }
}

}  // namespace tessera::docking
