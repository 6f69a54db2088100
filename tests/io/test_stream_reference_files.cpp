// The published parameter files: text and TOML of every case say the same.
#include <gtest/gtest.h>

#include "io/stream_texts.hpp"
#include "io/streams/stream_parameters.hpp"
#include "support/python_json.hpp"
#include "support/shared_data.hpp"

namespace {

using namespace tessera::io;
namespace fs = std::filesystem;

/// What the application's flags -f and -y say.
ModelChoices choices_of(const nlohmann::json& reference) {
    ModelChoices choices;
    choices.model = reference.at("model") == "classic" ? Model::classic : Model::model2018;
    choices.turnoff = Turnoff::gaussian;
    choices.profile = Profile::hernquist;
    for (const std::string flag : reference.at("flags")) {
        if (flag == "-f") choices.turnoff = Turnoff::newby2011;
        if (flag == "-y") choices.profile = Profile::broken_power_law;
    }
    return choices;
}

TEST(StreamReferenceFiles, TextAndTomlOfEveryCaseGiveTheSameModel) {
    const fs::path folder = tessera::test::shared_data("likelihood");
    if (!fs::exists(folder)) GTEST_SKIP() << "reference data missing: " << folder;
    int pairs = 0, cases = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (!fs::exists(entry.path() / "case.json")) continue;
        SCOPED_TRACE(entry.path().filename());
        const auto reference = tessera::test::parsed(entry.path() / "case.json");
        const ModelChoices choices = choices_of(reference);
        const StreamModel toml =
            read_stream_parameters((entry.path() / "parameters.toml").string(), choices);
        EXPECT_EQ(toml.wedge, reference.at("wedge"));
        EXPECT_EQ(toml.streams.size(), reference.at("streams").size());
        EXPECT_EQ(toml.areas.size(), reference.at("area").size());
        ++cases;
        const fs::path text = entry.path() / "parameters.txt";
        if (!fs::exists(text)) continue;  // written in Lua
        ModelChoices flags = choices;
        flags.model.reset();  // the layout tells it
        tessera::test::expect_same(read_stream_parameters(text.string(), flags), toml);
        ++pairs;
    }
    EXPECT_GE(pairs, 8);
    EXPECT_GE(cases, 18);
}

}  // namespace
