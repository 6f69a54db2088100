#include "docking/result/partner_atoms.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <vector>

#include "core/error.hpp"
#include "io/temporary_folder.hpp"
#include "synthetic_result.hpp"

namespace tessera::docking {
namespace {

Partners some_partners() {
    return {testing::synthetic_partner("A", 5), testing::synthetic_partner("long chain", 3)};
}

/// What a file that was written gives back.
std::optional<Partners> read_back(const Partners& partners) {
    const test::TemporaryFolder folder;
    auto file = io::h5::File::create(folder / "out.h5");
    auto docking = file.root().group("docking");
    write_partners(docking, partners);
    file.close();
    const auto stored = io::h5::File::open(folder / "out.h5");
    return read_partners(stored.root().open_group("docking"));
}

void expect_same(const io::Structure& a, const io::Structure& b) {
    ASSERT_EQ(a.atoms.size(), b.atoms.size());
    for (std::size_t i = 0; i < a.atoms.size(); ++i) {
        const io::AtomRecord &x = a.atoms[i], &y = b.atoms[i];
        EXPECT_EQ(x.name, y.name);
        EXPECT_EQ(x.residue, y.residue);
        EXPECT_EQ(x.variant, y.variant);
        EXPECT_EQ(x.chain, y.chain);
        EXPECT_EQ(x.element, y.element);
        EXPECT_EQ(x.residue_number, y.residue_number);
        EXPECT_EQ(x.insertion_code, y.insertion_code);
        EXPECT_EQ(x.segment, y.segment);
        EXPECT_EQ(x.residue_index, y.residue_index);
        EXPECT_EQ(x.b_factor, y.b_factor);
        EXPECT_EQ(x.position.x, y.position.x);
        EXPECT_EQ(x.position.y, y.position.y);
        EXPECT_EQ(x.position.z, y.position.z);
    }
}

TEST(PartnerAtoms, AreReadBackWithTheSameBits) {
    const Partners partners = some_partners();
    const auto read = read_back(partners);
    ASSERT_TRUE(read);
    expect_same(read->receptor, partners.receptor);
    expect_same(read->ligand, partners.ligand);
}

TEST(PartnerAtoms, ResultsOfEarlierVersionsHaveNone) {
    const test::TemporaryFolder folder;
    auto file = io::h5::File::create(folder / "out.h5");
    EXPECT_FALSE(read_partners(file.root().group("docking")));
}

TEST(PartnerAtoms, NamesThatAreNotPlainTextAreNotStored) {
    for (const std::string& odd :
         {std::string("\x1b[2J"), std::string("\xc3\xa9"), std::string(65, 'A')}) {
        Partners partners = some_partners();
        partners.ligand.atoms[2].chain = odd;
        EXPECT_FALSE(read_back(partners)) << odd;
    }
    Partners partners = some_partners();
    partners.receptor.atoms[2].insertion_code = '\n';
    EXPECT_FALSE(read_back(partners));
}

TEST(PartnerAtoms, PartsThatDoNotFitAreRefused) {
    struct Change {
        const char* name;
        std::function<void(Partners&)> damage;
    };
    const std::vector<Change> changes = {
        {"no atoms", [](Partners& p) { p.ligand.atoms.clear(); }},
        {"far away", [](Partners& p) { p.ligand.atoms[0].position.x = 1.1e5; }},
        {"no number",
         [](Partners& p) {
             p.ligand.atoms[0].position.y = std::numeric_limits<double>::quiet_NaN();
         }},
        {"no factor",
         [](Partners& p) { p.ligand.atoms[1].b_factor = std::numeric_limits<double>::infinity(); }},
        {"a step of two", [](Partners& p) { p.ligand.atoms.back().residue_index += 2; }},
        {"backwards", [](Partners& p) { p.ligand.atoms.back().segment = 0; }},
        {"from one", [](Partners& p) {
             for (auto& atom : p.ligand.atoms) atom.segment += 1;
         }}};
    for (const Change& change : changes) {
        Partners partners = some_partners();
        change.damage(partners);
        EXPECT_THROW(read_back(partners), Error) << change.name;
    }
}

TEST(PartnerAtoms, APartnerAloneIsRefused) {
    const test::TemporaryFolder folder;
    auto file = io::h5::File::create(folder / "out.h5");
    auto docking = file.root().group("docking");
    docking.group("receptor");
    EXPECT_THROW(read_partners(docking), Error);
}

}  // namespace
}  // namespace tessera::docking
