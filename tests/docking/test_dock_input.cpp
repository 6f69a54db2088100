#include "docking/setup/dock_input.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "docking/setup/call_options.hpp"

namespace tessera::docking {
namespace {

DockInput good_input() {
    DockInput input;
    input.receptor_path = "r.pdb";
    input.ligand_path = "l.pdb";
    input.pair_scale = 0.5;
    return input;
}

using Change = std::function<void(DockInput&)>;

TEST(DockInput, DefaultsAreValid) { EXPECT_NO_THROW(validate(good_input())); }

TEST(DockInput, ValuesOutOfRangeAreNamedByTheirOption) {
    const double nan = std::nan(""), infinite = std::numeric_limits<double>::infinity();
    const std::vector<std::pair<std::string, Change>> cases{
        {"--rotations", [](auto& i) { i.rotations = 23; }},
        {"--rotations", [](auto& i) { i.rotations = 10'000'001; }},
        {"--spacing", [](auto& i) { i.spacing = 0.19; }},
        {"--spacing", [=](auto& i) { i.spacing = nan; }},
        {"--grid", [](auto& i) { i.grid = -2; }},
        {"--grid", [](auto& i) { i.grid = 1026; }},
        {"--grid 81 is odd", [](auto& i) { i.grid = 81; }},
        {"--terms", [](auto& i) { i.energy.eigen_terms = 0; }},
        {"--terms", [](auto& i) { i.energy.eigen_terms = 19; }},
        {"--poses-per-rotation", [](auto& i) { i.poses_per_rotation = 65; }},
        {"--exclusion", [=](auto& i) { i.exclusion = nan; }},
        {"--poses", [](auto& i) { i.poses = 0; }},
        {"--clusters", [](auto& i) { i.clustering.clusters = 0; }},
        {"--clustered-poses", [](auto& i) { i.clustering.poses = 100'001; }},
        {"--cluster-radius", [=](auto& i) { i.clustering.radius = infinite; }},
        {"--pair-scale", [=](auto& i) { i.pair_scale = nan; }},
        {"--surface-core-scale", [](auto& i) { i.energy.surface_core_scale = -1; }},
        {"--buried-core-scale", [=](auto& i) { i.energy.buried_core_scale = nan; }},
        {"--surface-rim-scale", [=](auto& i) { i.energy.surface_rim_scale = nan; }},
        {"--buried-rim-scale", [=](auto& i) { i.energy.buried_rim_scale = infinite; }},
        {"--rim", [=](auto& i) { i.energy.rim = nan; }},
        {"--buried-ligand-weight", [=](auto& i) { i.energy.buried_ligand_weight = nan; }},
        {"--repulsion", [=](auto& i) { i.energy.repulsion = infinite; }},
        {"--attraction-cutoff", [](auto& i) { i.energy.attraction_cutoff = 0; }},
        {"--pair-cutoff", [=](auto& i) { i.energy.pair_cutoff = nan; }},
        {"--born-radius", [](auto& i) { i.energy.born_radius = 0; }},
        {"--electrostatics-cutoff", [](auto& i) { i.energy.electrostatics_cutoff = 61; }},
        {"--plddt", [](auto& i) { i.plddt = "0.7"; }},
        {"--keep", [](auto& i) { i.keep = "none,HEM"; }},
        {"--drop", [](auto& i) { i.drop = "receptor=*"; }},
        {"--repack", [](auto& i) { i.consensus.repack = -1; }},
        {"--repack", [](auto& i) { i.consensus.repack = 5, i.consensus.refine = 0; }},
        {"--repack", [](auto& i) { i.consensus.repack = 5, i.ensemble.conformers = 2; }},
        {"--restraints-required", [](auto& i) { i.restraints.required = "some"; }},
        {"--restraints-tolerance", [](auto& i) { i.restraints.tolerance = -1; }},
        {"--restraints-weight", [=](auto& i) { i.restraints.weight = nan; }},
        {"--restraints-pull", [=](auto& i) { i.restraints.pull = -1; }},
        {"--restraints-closeness", [=](auto& i) { i.restraints.closeness = -1; }},
        {"--rescoring",
         [](auto& i) {
             i.consensus.refine = 0;
             i.consensus.rescoring = "x";
         }},
        {"--reference", [](auto& i) { i.reference_ligand_chains = {"B"}; }}};
    for (const auto& [words, change] : cases) {
        DockInput input = good_input();
        change(input);
        try {
            validate(input);
            ADD_FAILURE() << "accepted a wrong " << words;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    }
}

TEST(DockInput, RotationsDoNotMatterBesideARotationFile) {
    DockInput input = good_input();
    input.rotations = 1;
    input.rotation_file = "my.rot";
    EXPECT_NO_THROW(validate(input));
}

/// Runs are compared by this text: whatever changes the result must change it.
TEST(DockInput, EveryOptionChangesTheJson) {
    const std::vector<Change> changes{[](auto& i) { i.receptor_path = "x"; },
                                      [](auto& i) { i.ligand_path = "x"; },
                                      [](auto& i) { i.receptor_chains = {"A"}; },
                                      [](auto& i) { i.ligand_chains = {"A"}; },
                                      [](auto& i) { i.reference_path = "x"; },
                                      [](auto& i) { i.reference_receptor_chains = {"A"}; },
                                      [](auto& i) { i.reference_ligand_chains = {"A"}; },
                                      [](auto& i) { i.rotations = 3600; },
                                      [](auto& i) { i.rotation_file = "x"; },
                                      [](auto& i) { i.seed = 1; },
                                      [](auto& i) { i.spacing = 1.2; },
                                      [](auto& i) { i.grid = 96; },
                                      [](auto& i) { i.sets.pop_back(); },
                                      [](auto& i) { i.sets[0].name = "x"; },
                                      [](auto& i) { i.sets[1].weights[3] = 0.123; },
                                      [](auto& i) { i.energy.surface_core_scale += 0.01; },
                                      [](auto& i) { i.energy.buried_core_scale += 0.01; },
                                      [](auto& i) { i.energy.surface_rim_scale += 0.01; },
                                      [](auto& i) { i.energy.buried_rim_scale += 0.01; },
                                      [](auto& i) { i.energy.repulsion += 1; },
                                      [](auto& i) { i.energy.rim += 0.01; },
                                      [](auto& i) { i.energy.buried_ligand_weight += 1; },
                                      [](auto& i) { i.energy.attraction_cutoff += 0.1; },
                                      [](auto& i) { i.energy.pair_cutoff += 0.1; },
                                      [](auto& i) { i.energy.born_radius += 0.1; },
                                      [](auto& i) { i.energy.electrostatics_cutoff += 0.1; },
                                      [](auto& i) { i.energy.eigen_terms += 1; },
                                      [](auto& i) { i.pair_potential = "x"; },
                                      [](auto& i) { i.pair_scale = 0.7; },
                                      [](auto& i) { i.atom_types = "x"; },
                                      [](auto& i) { i.block_path = "x"; },
                                      [](auto& i) { i.attract_path = "x"; },
                                      [](auto& i) { i.antibody = "off"; },
                                      [](auto& i) { i.consensus.repack = 10; },
                                      [](auto& i) { i.keep = "all"; },
                                      [](auto& i) { i.drop = "HEM"; },
                                      [](auto& i) { i.poses_per_rotation = 3; },
                                      [](auto& i) { i.exclusion = 5; },
                                      [](auto& i) { i.poses = 100; },
                                      [](auto& i) { i.clustering.poses = 10; },
                                      [](auto& i) { i.clustering.radius = 5; },
                                      [](auto& i) { i.clustering.clusters = 3; },
                                      [](auto& i) { i.clustering.minimum_size = 3; },
                                      [](auto& i) { i.clustering.interface_cutoff = 8; },
                                      [](auto& i) { i.consensus.refine = 10; },
                                      [](auto& i) { i.consensus.duplicate_radius = 3; },
                                      [](auto& i) { i.consensus.rescoring = "x"; }};
    const std::string before = to_json(good_input());
    for (std::size_t c = 0; c < changes.size(); ++c) {
        DockInput input = good_input();
        changes[c](input);
        EXPECT_NE(to_json(input), before) << "change " << c;
    }
    EXPECT_EQ(nlohmann::json::parse(before).size(), changes.size() - 4);
}

TEST(DockInput, IsReadAsItWasWritten) {
    DockInput input = good_input();
    input.receptor_chains = {"A", "B"};
    input.consensus.repack = 30;
    input.sets[1].weights[3] = 0.1;  // no binary fraction
    input.seed = ~std::uint64_t{0};
    input.energy.rim = 1.0 / 3;
    input.clustering.clusters = 3;
    input.consensus.rescoring = "w.csv";
    EXPECT_EQ(to_json(input_from_json(to_json(input), "r.h5")), to_json(input));
}

TEST(DockInput, RefusesATextThatLacksAnOption) {
    auto json = nlohmann::json::parse(to_json(good_input()));
    json.erase("exclusion");
    for (const std::string& text : {json.dump(), std::string("not JSON"), std::string("[]")}) {
        try {
            input_from_json(text, "r.h5");
            ADD_FAILURE() << "accepted " << text;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("'r.h5'"), std::string::npos) << error.what();
        }
    }
}

TEST(DockInput, AntibodyIsInTheJsonOnlyIfItIsOn) {
    DockInput input = good_input();
    EXPECT_EQ(input_from_json(to_json(input), "run.h5").antibody, "auto") << "the default";
    input.antibody = "off";
    EXPECT_EQ(to_json(input).find("antibody"), std::string::npos);
    EXPECT_EQ(input_from_json(to_json(input), "run.h5").antibody, "off") << "as in older results";
    input.antibody = "nanobody";
    EXPECT_EQ(input_from_json(to_json(input), "run.h5").antibody, "nanobody");
    input.antibody = "camel";
    EXPECT_THROW(validate(input), Error);
}

TEST(DockInput, PlddtIsInTheJsonOnlyIfItIsNotTheDefault) {
    DockInput input = good_input();
    EXPECT_EQ(to_json(input).find("plddt"), std::string::npos);
    EXPECT_EQ(input_from_json(to_json(input), "run.h5").plddt, "auto");
    input.plddt = "receptor=50,ligand=off";
    EXPECT_EQ(input_from_json(to_json(input), "run.h5").plddt, input.plddt);
}

TEST(DockInput, ResultsThatSayNothingOfMoleculesKeptNone) {
    DockInput input = good_input();
    input.keep = "none";
    EXPECT_EQ(to_json(input).find("keep"), std::string::npos);
    EXPECT_EQ(input_from_json(to_json(input), "run.h5").keep, "none");
    input.keep = "receptor=HEM,ligand=all";
    input.drop = "ZN";
    EXPECT_EQ(input_from_json(to_json(input), "run.h5").keep, input.keep);
    EXPECT_EQ(input_from_json(to_json(input), "run.h5").drop, "ZN");
    EXPECT_EQ(input_from_json(to_json(good_input()), "run.h5").keep, "auto");
    const std::string files = R"({"receptor": "r.pdb", "ligand": "l.pdb", )";
    EXPECT_EQ(input_of_options(files + R"("keep": "HEM", "drop": "CA"})").keep, "HEM");
}

TEST(DockInput, PlddtMayBeANumberInPython) {
    const std::string files = R"({"receptor": "r.pdb", "ligand": "l.pdb", "plddt": )";
    EXPECT_EQ(input_of_options(files + "62.5}").plddt, "62.5");
    EXPECT_EQ(input_of_options(files + "\"off\"}").plddt, "off");
    EXPECT_THROW(input_of_options(files + "true}"), Error);
    EXPECT_THROW(input_of_options(files + "0}"), Error);
}

TEST(DockInput, RestraintsAreInTheJsonOnlyIfTheyAreGiven) {
    DockInput input = good_input();
    input.restraints.weight = 7;
    EXPECT_EQ(to_json(input).find("restraints"), std::string::npos);
    EXPECT_EQ(input.poses_searched(), 4);
    input.restraints = {{"a.tbl", "b.csv"}, "50%", 1.5, 3, 9, 2};
    const RestraintOptions back = input_from_json(to_json(input), "run.h5").restraints;
    EXPECT_EQ(back.files, input.restraints.files);
    EXPECT_EQ(back.required, "50%");
    EXPECT_EQ(back.tolerance, 1.5);
    EXPECT_EQ(back.weight, 3);
    EXPECT_EQ(back.pull, 9);
    EXPECT_EQ(back.closeness, 2);
    EXPECT_EQ(input.poses_searched(), restrained_poses);
    EXPECT_EQ(input_files(input), (std::vector<std::string>{"r.pdb", "l.pdb", "a.tbl", "b.csv"}));
    for (const Change& change : {Change([](auto& i) { i.restraints.required = "60%"; }),
                                 Change([](auto& i) { i.restraints.tolerance = 1; }),
                                 Change([](auto& i) { i.restraints.weight = 1; }),
                                 Change([](auto& i) { i.restraints.pull = 1; }),
                                 Change([](auto& i) { i.restraints.files.pop_back(); })}) {
        DockInput other = input;
        change(other);
        EXPECT_NE(to_json(other), to_json(input));
    }
    input.restraints.required = "0";
    EXPECT_THROW(validate(input), Error);
}

TEST(DockInput, ResultsOfEarlierVersionsWereRefinedWithoutRestraints) {
    DockInput input = good_input();
    input.restraints.files = {"a.tbl"};
    auto json = nlohmann::json::parse(to_json(input));
    json.erase("restraints_pull");
    json.erase("restraints_closeness");
    const RestraintOptions back = input_from_json(json.dump(), "run.h5").restraints;
    EXPECT_EQ(back.pull, 0);
    EXPECT_EQ(back.closeness, 0);
}

TEST(DockInput, EachRestraintWeighsOneUnlessAWeightIsGiven) {
    DockInput input = good_input();
    input.restraints.files = {"a.tbl"};
    EXPECT_EQ(to_json(input).find("restraints_weight"), std::string::npos);
    EXPECT_EQ(input_from_json(to_json(input), "run.h5").restraints.weight_of(45), 45);
    input.restraints.weight = 4;
    EXPECT_EQ(input_from_json(to_json(input), "run.h5").restraints.weight_of(45), 4);
}

TEST(DockInput, JsonSurvivesFileNamesThatAreNotText) {
    DockInput input = good_input();
    input.ligand_path = "caf\xe9.pdb";
    EXPECT_NO_THROW(nlohmann::json::parse(to_json(input)));
}

TEST(DockInput, InputFilesAreThoseGiven) {
    DockInput input = good_input();
    input.attract_path = "a.list";
    EXPECT_EQ(input_files(input), (std::vector<std::string>{"r.pdb", "l.pdb", "a.list"}));
}

}  // namespace
}  // namespace tessera::docking
