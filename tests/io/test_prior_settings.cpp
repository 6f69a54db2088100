#include <gtest/gtest.h>

#include <random>

#include "core/error.hpp"
#include "io/streams/prior_settings.hpp"
#include "support/mutated_text.hpp"

namespace tessera::io {

namespace {

std::vector<PriorSetting> parsed(const std::string& text) {
    return parse_priors({"a.toml", text, "parameter file"});
}

void expect_told(const std::string& entry, const std::string& words) {
    try {
        parsed("[prior]\n\"stream1.r\" = " + entry + "\n");
        ADD_FAILURE() << "no error: " << entry;
    } catch (const Error& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find(words), std::string::npos) << message;
        EXPECT_NE(message.find("stream1.r"), std::string::npos) << message;
        EXPECT_NE(message.find("a.toml:2"), std::string::npos) << message;
    }
}

const std::string all = R"(wedge = 82
[prior]
"stream1.r" = { distribution = "normal", mean = 27, sd = 3 }
"stream1.sigma" = { distribution = "log-uniform", lower = 0.3, upper = 10 }
"background.q" = { distribution = "truncated-normal", mean = 0.6, sd = 0.1, lower = 0.3, upper = 1 }
"stream1.mu" = { distribution = "uniform", lower = 20, upper = 40 }
)";

}  // namespace

TEST(PriorSettings, ReadsAllDistributions) {
    const auto priors = parsed(all);
    ASSERT_EQ(priors.size(), 4u);  // in alphabetical order, as TOML's tables are
    EXPECT_EQ(priors[0].name, "background.q");
    EXPECT_EQ(priors[0].distribution, Distribution::truncated_normal);
    EXPECT_EQ(priors[0].mean, 0.6);
    EXPECT_EQ(priors[0].sd, 0.1);
    EXPECT_EQ(priors[0].lower, 0.3);
    EXPECT_EQ(priors[0].upper, 1);
    EXPECT_EQ(priors[1].distribution, Distribution::uniform);
    EXPECT_EQ(priors[2].distribution, Distribution::normal);
    EXPECT_EQ(priors[2].mean, 27);
    EXPECT_EQ(priors[3].distribution, Distribution::log_uniform);
    EXPECT_EQ(name_of(priors[3].distribution), "log-uniform");
    EXPECT_TRUE(parsed("wedge = 82").empty());
}

TEST(PriorSettings, TellsWhatIsWrong) {
    expect_told("3", "not a table");
    expect_told("{ mean = 1, sd = 2 }", "no 'distribution'");
    expect_told("{ distribution = \"nromal\", mean = 1, sd = 2 }", "did you mean 'normal'?");
    expect_told("{ distribution = 1 }", "there is no distribution");
    expect_told("{ distribution = \"normal\", mean = 1 }", "no 'sd'");
    expect_told("{ distribution = \"normal\", mean = 1, sd = 0 }", "sd is not above 0");
    expect_told("{ distribution = \"normal\", mean = nan, sd = 1 }", "not a finite number");
    expect_told("{ distribution = \"normal\", mean = 1, sd = 1, lower = 0 }",
                "a normal prior has no 'lower'");
    expect_told("{ distribution = \"uniform\", lower = 2, upper = 2 }", "not below its upper one");
    expect_told("{ distribution = \"log-uniform\", lower = 0, upper = 2 }", "down to 0");
    EXPECT_THROW(parsed("prior = 3"), Error);
}

TEST(PriorSettings, DamagedTextsEndInErrors) {
    std::mt19937 random(3);
    for (int i = 0; i < 2000; ++i) {
        try {
            parsed(test::mutated(all, random));
        } catch (const Error&) {
        }
    }
}

}  // namespace tessera::io
