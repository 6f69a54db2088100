// Conformers from files, and the options that name them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/error.hpp"
#include "docking/ensemble/ensemble_options.hpp"
#include "docking/ensemble/model_conformers.hpp"
#include "docking/setup/dock_input.hpp"
#include "random_chain.hpp"

namespace tessera::docking {
namespace {

template <class Work>
std::string refusal(const Work& work) {
    try {
        work();
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
        return error.what();
    }
    return "accepted";
}

TEST(Ensembles, ModelsAreNumbersAndRanges) {
    EXPECT_TRUE(parse_models("--ligand-models", "all").all);
    EXPECT_EQ(parse_models("--ligand-models", "3").places, std::vector<int>{3});
    EXPECT_EQ(parse_models("--ligand-models", "5,1-3,2").places, (std::vector<int>{5, 1, 2, 3}));
    for (const char* text : {"", "0", "3-1", "1,,2", "a", "1-", "-2", "1-500"})
        EXPECT_NE(refusal([&] {
                      parse_models("--ligand-models", text);
                  }).find("--ligand-models '" + std::string(text) + "' is not understood"),
                  std::string::npos)
            << text;
}

TEST(Ensembles, OptionsThatExcludeEachOtherAreRefused) {
    const auto refused = [](auto change) {
        DockInput input;
        change(input);
        return refusal([&] { validate(input); });
    };
    EXPECT_EQ(refused([](DockInput& i) { i.ensemble.conformers = 5; }), "accepted");
    const auto says = [&](const char* words, auto change) {
        EXPECT_NE(refused(change).find(words), std::string::npos) << refused(change);
    };
    says("--conformers 0 is out of range", [](DockInput& i) { i.ensemble.conformers = 0; });
    says("--conformer-rmsd is given without --conformers",
         [](DockInput& i) { i.ensemble.rmsd = 2; });
    says("--conformers cannot be combined with --ligand-conformers", [](DockInput& i) {
        i.ensemble.conformers = 3;
        i.ensemble.ligand_conformers = 3;
    });
    says("--ligand-conformers cannot be combined with --ligand-models", [](DockInput& i) {
        i.ensemble.ligand_conformers = 3;
        i.ensemble.ligand_models = "all";
    });
    says("--conformers cannot be combined with conformers from files", [](DockInput& i) {
        i.ensemble.conformers = 3;
        i.ensemble.receptor_files = {"b.pdb"};
    });
    says("--symmetry cannot be combined with conformers", [](DockInput& i) {
        i.ensemble.ligand_models = "all";
        i.symmetry.copies = 2;
    });
}

TEST(Ensembles, OptionsSurviveTheTextOfARun) {
    DockInput input;
    const std::string plain = to_json(input);
    EXPECT_EQ(plain.find("conformer"), std::string::npos);
    input.ensemble.ligand_models = "1,3";
    input.ensemble.receptor_conformers = 5;
    input.ensemble.rmsd = 1.5;
    input.ensemble.ligand_files = {"b.pdb", "c.pdb"};
    const DockInput read = input_from_json(to_json(input), "run.h5");
    EXPECT_EQ(to_json(read), to_json(input));
    EXPECT_EQ(read.ensemble.ligand_files.at(1), "c.pdb");
    EXPECT_FALSE(input_from_json(plain, "run.h5").ensemble.is_set());
}

TEST(Ensembles, OtherModelsAreSuperposedOnTheFirst) {
    const io::Structure first = testing::chain("A", 20, {}, 5);
    io::Structure moved = first;
    for (io::AtomRecord& atom : moved.atoms)  // a quarter turn about z, and a shift
        atom.position = Vec3{-atom.position.y, atom.position.x, atom.position.z} + Vec3{7, 8, 9};
    const auto positions = positions_in({"model 2", moved}, first, first, "ligand");
    for (std::size_t i = 0; i < positions.size(); ++i)
        EXPECT_NEAR(norm(positions[i] - first.atoms[i].position), 0, 1e-9);
}

TEST(Ensembles, ModelsOfOtherAtomsAreRefused) {
    const io::Structure first = testing::chain("A", 20, {}, 5);
    io::Structure fewer = first, more = first, other = first;
    fewer.atoms.erase(fewer.atoms.begin() + 6);
    more.atoms.push_back(first.atoms.back());
    more.atoms.back().name = "CG";
    other.atoms[11].variant = "TRP";
    const auto why = [&](const io::Structure& model) {
        return refusal([&] { positions_in({"model 2 of 'x'", model}, first, first, "ligand"); });
    };
    EXPECT_NE(why(fewer).find("it lacks the atom CA of"), std::string::npos);
    EXPECT_NE(why(fewer).find("A 2"), std::string::npos);
    EXPECT_NE(why(more).find("it has 101 heavy atoms, and the first conformer has 100"),
              std::string::npos);
    EXPECT_NE(why(other).find("--ligand-models"), std::string::npos);
}

}  // namespace
}  // namespace tessera::docking
