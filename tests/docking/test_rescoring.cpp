// Tables of rescoring weights: those that come with the program, and what is refused.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "docking/ace_molecules.hpp"
#include "docking/refinement/rescoring.hpp"

namespace tessera::docking {
namespace {

class Rescoring : public ::testing::Test {
  protected:
    void TearDown() override { std::filesystem::remove(path_); }

    const std::string& write(const std::string& text) {
        std::ofstream(path_) << text;
        return path_;
    }

    /// All terms, each with its place as weight.
    static std::string terms() {
        std::string text = "kind,first,second,weight\n";
        int place = 0;
        for (const char* name : kernels::refine_term_names)
            text += "refined," + std::string(name) + ",," + std::to_string(++place) + "\n";
        for (const char* name : term_names)
            text += "searched," + std::string(name) + ",," + std::to_string(++place) + "\n";
        return text;
    }

    void expect_refused(const std::string& text, const std::string& why) {
        try {
            load_rescoring_weights(write(text), {"A", "B"});
            ADD_FAILURE() << "accepted: " << why;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
        }
    }

    std::string path_ =
        ::testing::TempDir() + "tessera_" + std::to_string(getpid()) + "_rescoring.csv";
};

TEST_F(Rescoring, ReadsTermsAndContacts) {
    const auto weights =
        load_rescoring_weights(write(terms() + "contact_below_4.5,A,B,-0.5\ncontact_below_6,B,B,2\n"
                                               "contact_below_6,A,unheard_of,7\n"),
                               {"A", "B"});
    EXPECT_EQ(weights.refined[kernels::clash_term], 1);
    EXPECT_EQ(weights.refined[kernels::burial_term], 10);
    EXPECT_EQ(weights.searched, (std::array<double, term_count>{11, 12, 13, 14}));
    EXPECT_EQ(weights.contacts.types, 2);
    EXPECT_EQ(weights.contacts.shells[0], (std::vector<double>{0, -0.5, -0.5, 0}));
    EXPECT_EQ(weights.contacts.shells[1], (std::vector<double>{0, 0, 0, 2}));
}

TEST_F(Rescoring, StatisticalTermsNeedNoWeights) {
    EXPECT_FALSE(load_rescoring_weights(write(terms()), {}).has_statistical());
    const auto weights = load_rescoring_weights(
        write(terms() + "statistical,atoms_far,,0.5\nstatistical,residues_near,,-2\n"), {});
    EXPECT_TRUE(weights.has_statistical());
    EXPECT_EQ(weights.statistical, (StatisticalTerms{0, 0.5, -2, 0}));
    EXPECT_EQ(weighted(weights.statistical, {10, 4, 3, 7}), -4);
    expect_refused(terms() + "statistical,atoms,,1\n", "unknown term 'atoms'");
    EXPECT_EQ(weights.repacked, (std::array{1.0, 0.0, 0.0}));
    const RescoringWeights repacked =
        load_rescoring_weights(write(terms() + "repacked,binding,,0.02\n"), {});
    EXPECT_EQ(repacked.repacked, (std::array{1.0, 0.0, 0.02}));
    expect_refused(terms() + "repacked,clash,,1\n", "unknown term 'clash'");
}

TEST_F(Rescoring, TheShareOfCdrsNeedsNoWeight) {
    EXPECT_EQ(load_rescoring_weights(write(terms()), {}).cdr_share, 0);
    EXPECT_EQ(load_rescoring_weights(write(terms() + "antibody,cdr_share,,-4\n"), {}).cdr_share,
              -4);
    expect_refused(terms() + "antibody,share,,1\n", "unknown term 'share'");
}

TEST_F(Rescoring, WeightsThatAreAllZeroAreRefused) {
    std::string text = "kind,first,second,weight\n";
    for (const char* name : kernels::refine_term_names)
        text += "refined," + std::string(name) + ",,0\n";
    for (const char* name : term_names) text += "searched," + std::string(name) + ",,-0\n";
    expect_refused(text, "all its weights are 0");
    EXPECT_NO_THROW(load_rescoring_weights(write(text + "contact_below_6,B,B,2\n"), {"A", "B"}));
}

TEST_F(Rescoring, TypesStandInTheOrderAskedFor) {
    const std::string text = terms() + "contact_below_4.5,A,A,1\ncontact_below_4.5,A,B,2\n";
    const auto weights = load_rescoring_weights(write(text), {"B", "other", "A"});
    EXPECT_EQ(weights.contacts.shells[0], (std::vector<double>{0, 0, 2, 0, 0, 0, 2, 0, 1}));
}

TEST_F(Rescoring, ShippedTablesHaveEveryPairOfTypes) {
    for (const char* name : {"general", "antibody"}) {
        const auto weights = load_rescoring_weights(name, ace_type_names);
        EXPECT_EQ(weights.contacts.types, 18);
        for (const auto& shell : weights.contacts.shells)
            EXPECT_LE(std::count(shell.begin(), shell.end(), 0.0), 4) << "beyond what rounds to 0";
        EXPECT_EQ(std::count(weights.refined.begin(), weights.refined.end(), 0.0), 0);
        EXPECT_EQ(std::count(weights.searched.begin(), weights.searched.end(), 0.0), 0);
    }
}

TEST_F(Rescoring, RefusesWhatItCannotUnderstand) {
    expect_refused("kind,weight\nrefined,1\n", "the header is not kind");
    expect_refused(terms() + "refined,clash,,1\n", "line 16: it appears twice");
    expect_refused(terms() + "refined,clahs,,1\n", "unknown term 'clahs'");
    expect_refused(terms() + "contact_below_9,A,A,1\n", "unknown kind");
    expect_refused(terms() + "contact_below_6,A,1\n", "it does not have four fields");
    std::string lacking = terms();
    lacking.erase(lacking.find("searched,pair"));
    expect_refused(lacking, "no weight for the term 'searched,pair'");
}

}  // namespace
}  // namespace tessera::docking
