#include <gtest/gtest.h>

#include "core/error.hpp"
#include "io/streams/fit_settings.hpp"

namespace tessera::io {

namespace {

FitSettings shared_settings(const std::string& text) {
    return parse_fit_settings({"a.toml", text, "parameter file"});
}

void expect_told(const std::string& text, const std::string& words) {
    std::string message = "no error";
    try {
        shared_settings(text);
    } catch (const Error& error) {
        message = error.what();
    }
    EXPECT_NE(message.find(words), std::string::npos) << message;
}

}  // namespace

TEST(SharedSettings, AnEntryNamesParametersOfAStream) {
    const auto shared = shared_settings(R"([fit.shared]
sagittarius = { stream = 2, parameters = ["sigma", "theta", "phi"] }
"gd-1" = { stream = 1, parameters = ["sigma"] }
)")
                            .shared;
    ASSERT_EQ(shared.size(), 4u);
    EXPECT_EQ(shared[0].parameter, "stream1.sigma");  // toml++ sorts the keys
    EXPECT_EQ(shared[0].name, "gd-1.sigma");
    EXPECT_EQ(shared[2].parameter, "stream2.theta");
    EXPECT_EQ(shared[2].name, "sagittarius.theta");
    EXPECT_EQ(shared[2].place, "a.toml:2");
}

TEST(SharedSettings, TheOptionReplacesAnEntry) {
    auto shared =
        shared_settings("[fit.shared]\nsgr = { stream = 1, parameters = [\"sigma\"] }\n").shared;
    share_everywhere({"stream1.sigma", "stream1.epsilon"}, shared);
    ASSERT_EQ(shared.size(), 2u);
    EXPECT_EQ(shared[0].name, "stream1.sigma");
    EXPECT_NO_THROW(validate(shared, "a.toml"));
}

TEST(SharedSettings, WhatIsWrongIsToldWithItsLine) {
    const auto entry = [](const std::string& text) { return "[fit.shared]\n" + text + "\n"; };
    expect_told("[fit]\nshared = 3\n", "a.toml:2' ('shared' in fit is not a table)");
    for (const char* bad :
         {"sgr = 1", "sgr = { stream = 0, parameters = [\"sigma\"] }", "sgr = { stream = 1 }",
          "sgr = { stream = 1, parameters = [] }", "sgr = { stream = 1, parameters = [3] }",
          "sgr = { stream = 1.5, parameters = [\"sigma\"] }",
          "sgr = { stream = 1, parameters = [\"sigma\"], free = 1 }"})
        expect_told(entry(bad), "a.toml:2' ('sgr' in fit.shared does not say");
    expect_told(entry("sgr = { stream = 1, parameters = [\"q\"] }"),
                "cannot share stream1.q, 'a.toml:2' (it is not a parameter of a stream)");
    expect_told(entry("sgr = { stream = 1, parameters = [\"theta\"] }"), "phi is not shared");
    for (const char* bad : {"background", "wedge2", "stream2", "\"a.b\"", "\"a b\"", "\"\""})
        expect_told(entry(std::string(bad) + " = { stream = 1, parameters = [\"sigma\"] }"),
                    "a stream cannot be called");
    expect_told(entry("a = { stream = 1, parameters = [\"sigma\"] }\n"
                      "b = { stream = 1, parameters = [\"sigma\"] }"),
                "it is shared twice");
    EXPECT_NO_THROW(shared_settings(entry("stream1 = { stream = 1, parameters = [\"sigma\"] }")));
}

}  // namespace tessera::io
