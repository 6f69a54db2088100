#include "docking/setup/call_options.hpp"

#include <gtest/gtest.h>

#include <map>

#include "io/text/option_file.hpp"

namespace tessera::docking {
namespace {

using Values = std::vector<std::string>;

std::map<std::string, Values> config_of(const std::string& json) {
    std::map<std::string, Values> options;
    for (const io::FileOption& option :
         io::parse_option_file({"run.toml", config_of_options(json), "options"}))
        options[option.name] = option.values;
    return options;
}

TEST(CallOptions, AreThoseOfTheCommandWithAllDefaults) {
    auto options = config_of(R"({"receptor": "r.pdb", "ligand": "l \"2\".pdb", "rotations": 240,
                                 "coefficients": "vdw,balanced", "rim": 0.1, "spacing": 1.1,
                                 "ligand_chains": ["A", "B"], "seed": 9007199254740993})");
    EXPECT_EQ(options["ligand"], Values{"l \"2\".pdb"});
    EXPECT_EQ(options["coefficients"], Values{"vdw,balanced"});
    EXPECT_EQ(options["ligand-chains"], (Values{"A", "B"}));
    EXPECT_EQ(options["rim"], Values{"0.1"});
    EXPECT_EQ(options["spacing"], Values{"1.1"});
    EXPECT_EQ(options["seed"], Values{"9007199254740993"});
    EXPECT_EQ(options["repulsion"], Values{"30"}) << "below 20000 rotations";
    EXPECT_EQ(options["refine"], Values{"0"});
    EXPECT_EQ(options["keep"], Values{"auto"});
    for (const char* absent : {"cluster-minimum-size", "restraints-pull", "membrane", "symmetry",
                               "receptor-chains", "reference"})
        EXPECT_FALSE(options.contains(absent)) << absent;
}

TEST(CallOptions, HaveSymmetryRestraintsAndMembranesWhereTheyAreGiven) {
    auto ring = config_of(R"({"receptor": "r.pdb", "symmetry": "c3", "axes": 48,
                              "membrane": "-15,15", "membrane_tilt": 12.5})");
    EXPECT_EQ(ring["symmetry"], Values{"C3"});
    EXPECT_EQ(ring["axes"], Values{"48"});
    EXPECT_EQ(ring["ligand"], Values{"r.pdb"}) << "the command takes the receptor twice";
    EXPECT_EQ(ring["membrane"], Values{"-15,15"});
    EXPECT_EQ(ring["membrane-tilt"], Values{"12.5"});
    auto restrained = config_of(R"({"receptor": "r.pdb", "ligand": "l.pdb", "refine": 5,
                                    "restraints": ["a.tbl", "b.csv"], "restraints_weight": 2,
                                    "repack": 7})");
    EXPECT_EQ(restrained["repack"], Values{"7"});
    EXPECT_EQ(restrained["restraints"], (Values{"a.tbl", "b.csv"}));
    EXPECT_EQ(restrained["restraints-weight"], Values{"2"});
    EXPECT_TRUE(restrained.contains("restraints-pull"));
}

TEST(CallOptions, SayWhyThereIsNoCommand) {
    const auto why = [](const std::string& more) {
        return why_no_command(
            input_of_options(R"({"receptor": "r.pdb", "ligand": "l.pdb")" + more + "}"));
    };
    EXPECT_EQ(why(""), "");
    EXPECT_EQ(why(R"(, "ligand_text": "data_x")"), "only the memory of a process held the ligand");
    EXPECT_EQ(why(R"(, "receptor_text": "data_x", "reference_text": "data_x")"),
              "only the memory of a process held the receptor and reference");
    EXPECT_EQ(why(R"(, "cluster_minimum_size": 3)"), "the command has no option for its clusters");
}

}  // namespace
}  // namespace tessera::docking
