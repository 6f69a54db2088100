// Observables in parameter files and their columns in star files.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/error.hpp"
#include "io/streams/star_file.hpp"
#include "io/streams/stream_parameters.hpp"
#include "io/temporary_folder.hpp"
#include "support/message_of.hpp"

namespace tessera::io {

namespace {

constexpr const char* parameters = R"(wedge = 82
model = "classic"
background = { q = 0.6, r0 = 12 }
[[observable]]
name = "pm_l"
value = "pm l*cosb"
error = "pml_error"
[[observable]]
name = "v"
value = "rv"
correlation = { pm_l = "c" }
simulated = { error = 2.5, growth = 1.5, share = 0.25 }
[[population]]
pm_l = { mean = 1, dispersion = 3 }
v = { mean = -10.25, slope = 0.5, curvature = 0.001, dispersion = 120 }
[[population]]
epsilon = -0.75
pm_l = { mean = -2, dispersion = 5 }
v = { mean = 0, dispersion = 40 }
[[stream]]
epsilon = -1
mu = 30
r = 20
theta = 1
phi = 1
sigma = 2
pm_l = { mean = -4, slope = 0.1, dispersion = 0.2 }
v = { mean = 100, dispersion = 0.1 }
[[area]]
r = { min = 16, max = 22, steps = 4 }
mu = { min = 0, max = 50, steps = 4 }
nu = { min = -1, max = 1, steps = 2 }
)";

StreamModel model_of(const std::string& text) {
    return parse_stream_parameters({"wedge.toml", text, "parameter file"});
}

std::vector<Star> stars_of(const std::string& text) {
    return parse_stars({"stars.csv", text, "star file"}, model_of(parameters).observables);
}

TEST(Observables, AParameterFileIsReadAndWritten) {
    const StreamModel model = model_of(parameters);
    ASSERT_EQ(model.observables.size(), 2u);
    EXPECT_EQ(model.observables[0].value, "pm l*cosb");
    EXPECT_EQ(model.observables[1].error, "");
    EXPECT_EQ(model.observables[1].correlations, std::vector<std::string>{"c"});
    EXPECT_EQ(model.observables[1].simulated_share, 0.25);
    ASSERT_EQ(model.background.populations.size(), 2u);
    EXPECT_EQ(model.background.populations[1].epsilon, -0.75);
    EXPECT_EQ(model.background.populations[0].observables[1].curvature, 0.001);
    EXPECT_EQ(model.streams[0].observables[0].slope, 0.1);
    const std::string text = to_toml(model);
    EXPECT_EQ(to_toml(model_of(text)), text);
    for (const char* part : {"curvature = 0.001", "correlation = { pm_l = \"c\" }", "share = 0.25"})
        EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(Observables, ValuesMayBeMissing) {
    const auto stars = stars_of("c,rv,l,b,r,pm l*cosb,pml_error,note\n"
                                "0.5,80,1,2,3,-4.5,0.25,x\n"
                                ",,1,2,3,,,\n"
                                "nan,-20,1,2,3,NaN,null,y\n");
    ASSERT_EQ(stars.size(), 3u);
    EXPECT_EQ(stars[0].observed, (std::vector<double>{-4.5, 80, 0.25, 0, 0.5}));
    EXPECT_TRUE(std::isnan(stars[1].observed[0]) && std::isnan(stars[1].observed[1]));
    EXPECT_TRUE(std::isnan(stars[2].observed[0]));
    EXPECT_EQ(stars[2].observed[1], -20);
}

TEST(Observables, AValueNeedsItsErrorAndCorrelation) {
    for (const char* star :
         {"0.5,80,1,2,3,-4.5,,x", "0.5,80,1,2,3,-4.5,-0.1,x", ",80,1,2,3,-4.5,0.1,x",
          "1.5,80,1,2,3,-4.5,0.1,x", "0,fast,1,2,3,1,1,"})
        EXPECT_THROW(stars_of(std::string("c,rv,l,b,r,pm l*cosb,pml_error,note\n") + star + "\n"),
                     Error)
            << star;
}

TEST(Observables, ValuesThatWouldOverflowAreRefusedByLineAndColumn) {
    const auto refusal = [](const std::string& star) {
        return test::message_of([&] {
            stars_of("c,rv,l,b,r,pm l*cosb,pml_error\n0,80,1,2,3,-4.5,0.5\n" + star + "\n");
        });
    };
    EXPECT_NE(refusal("0,80,1,2,3,-1e300,0.5").find("stars.csv:3"), std::string::npos);
    EXPECT_NE(refusal("0,80,1,2,3,-1e300,0.5").find("pm l*cosb is -1e+300"), std::string::npos);
    EXPECT_NE(refusal("0,80,1,2,3,-4.5,1e300").find("pml_error is 1e+300"), std::string::npos);
    EXPECT_NE(refusal("0,1e31,1,2,3,-4.5,0.5").find("rv is 1e+31"), std::string::npos);
    EXPECT_EQ(refusal("0,1e29,1,2,3,-1e29,1e29"), "no error");
}

TEST(Observables, ATableWithoutTheirColumnsIsRefused) {
    for (const char* text : {"l,b,r,rv,c,pml_error\n1,2,3,4,0,1\n", "1 2 3\n", "1\n1 2 3\n"})
        EXPECT_THROW(stars_of(text), Error) << text;
}

TEST(Observables, AWrittenTableIsReadBack) {
    const test::TemporaryFolder folder;
    const std::vector<Observable> observables = model_of(parameters).observables;
    const double none = std::nan("");
    const std::vector<Star> stars{{10.123456789012345, -20, 30, {1.0 / 3, none, 0.1, none, 0}},
                                  {11, 21, 31, {-2, 4, 0.2, 0.5, 0.25}}};
    const std::string path = folder / "stars.csv";
    StarFileWriter file(path, 2, observables);
    file.add(stars, std::vector{0, 1});
    file.commit();
    EXPECT_TRUE(is_written_star_file(path));
    const std::vector<Star> back = read_star_file(path, observables);
    ASSERT_EQ(back.size(), 2u);
    EXPECT_EQ(back[0].l, stars[0].l);
    EXPECT_EQ(back[0].observed[0], 1.0 / 3);
    EXPECT_TRUE(std::isnan(back[0].observed[1]));
    EXPECT_EQ(back[1].observed, (std::vector<double>{-2, 4, 0.2, 0, 0.25}));
    EXPECT_EQ(read_star_file(path).size(), 2u);  // a model without observables reads it, too
}

}  // namespace

}  // namespace tessera::io
