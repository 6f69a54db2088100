// Variable domains of made-up sequences. Their frameworks are consensus sequences, their CDRs are
// arbitrary; the numbers follow IMGT's rules by hand.
#include "docking/antibody/antibody.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/error.hpp"
#include "docking/antibody/variable_domain.hpp"
#include "docking/setup/choose_weights.hpp"

namespace tessera::docking {
namespace {

/// Framework and CDRs in turn: FR1 CDR1 FR2 CDR2 FR3 CDR3 FR4.
struct Domain {
    std::array<std::string, 4> framework;
    std::array<std::string, 3> cdr;

    std::string text() const {
        return framework[0] + cdr[0] + framework[1] + cdr[1] + framework[2] + cdr[2] + framework[3];
    }
    /// The first letter of a CDR.
    std::size_t begin(int which) const {
        std::size_t place = framework[0].size();
        for (int i = 0; i < which; ++i) place += cdr[i].size() + framework[i + 1].size();
        return place;
    }
};

const Domain heavy{{"QVQLVESGGGLVQPGGSLRLSCAAS", "MGWVRQAPGKGLEWVSA",
                    "YYADSVKGRFTISRDNSKNTLYLQMNSLRAEDTAVYYC", "WGQGTLVTVSS"},
                   {"GFTDRNPA", "INPDGRST", "AKDRHPNWESFDY"}};
const Domain kappa{{"DIQMTQSPSSLSASVGDRVTITCRAS", "LAWYQQKPGKAPKLLIY",
                    "NLQSGVPSRFSGSGSGTDFTLTISSLQPEDFATYYC", "FGQGTKVEIK"},
                   {"QDIPNY", "DAT", "QQHNRWPLT"}};
const Domain lambda{{"QSVLTQPPSVSGAPGQRVTISCSGS", "VSWYQQLPGTAPKLLIY",
                     "NRPSGVPDRFSGSKSGTSASLAITGLQAEDEADYYC", "FGGGTKLTVL"},
                    {"SSDIGKNH", "DNH", "AAWDNGQKRVV"}};
const std::string constant_domain =
    "ASTKGPSVFPLAPSSKSTSGGTAALGCLVKDYFPEPVTVSWNSGALTSGVHTFPAVLQSSGLYSLSSVVTVPSSSLGTQTYICNVNHKPSNTK"
    "VDKKVEP";

std::vector<VariableDomain> domains_of(const std::string& sequence) {
    return find_variable_domains(sequence, load_antibody_profiles());
}

void expect_domain(const VariableDomain& found, const Domain& domain, std::size_t offset,
                   const std::string& kind) {
    EXPECT_EQ(found.kind, kind);
    EXPECT_EQ(found.begin, offset);
    ASSERT_EQ(found.positions.size(), domain.text().size());
    for (std::size_t i = 0; i < found.positions.size(); ++i) {
        int wanted = -1;
        for (int c = 0; c < 3; ++c)
            if (i >= domain.begin(c) && i < domain.begin(c) + domain.cdr[c].size()) wanted = c;
        EXPECT_EQ(cdr_of(found.positions[i]), wanted) << kind << ", letter " << i;
    }
}

TEST(VariableDomain, EachClassIsFoundWithItsCdrs) {
    for (const auto& [domain, kind] :
         {std::pair(heavy, "heavy"), std::pair(kappa, "kappa"), std::pair(lambda, "lambda")}) {
        const auto found = domains_of(domain.text());
        ASSERT_EQ(found.size(), 1U) << kind;
        expect_domain(found[0], domain, 0, kind);
        EXPECT_GT(found[0].score, 100) << kind;
    }
}

TEST(VariableDomain, ConservedResiduesHaveTheNumbersOfImgt) {
    const auto heavy_domain = domains_of(heavy.text()).at(0);
    const auto at = [&](std::size_t letter) { return heavy_domain.positions.at(letter); };
    EXPECT_EQ(at(0), 1);
    EXPECT_EQ(at(8), 9);
    EXPECT_EQ(at(9), 11) << "heavy chains have no position 10";
    EXPECT_EQ(at(21), 23) << "the first cysteine";
    EXPECT_EQ(at(heavy.begin(1) - 15), 41) << "the tryptophan";
    EXPECT_EQ(at(heavy.begin(2) - 1), 104) << "the second cysteine";
    EXPECT_EQ(at(heavy.begin(2) + heavy.cdr[2].size()), 118) << "the tryptophan of the J segment";
    const auto light_domain = domains_of(kappa.text()).at(0);
    EXPECT_EQ(light_domain.positions.at(22), 23);
    EXPECT_EQ(light_domain.positions.at(kappa.begin(2) - 1), 104);
}

TEST(VariableDomain, CdrsOfAnyLength) {
    Domain domain = heavy;
    for (const char* third : {"AR", "ARGDY", "ARDGYYCSSTSCYTGGWYFDLAKNWRSTPYYGMDV"}) {
        domain.cdr[2] = third;
        const auto found = domains_of(domain.text());
        ASSERT_EQ(found.size(), 1U) << third;
        expect_domain(found[0], domain, 0, "heavy");
    }
    domain = kappa;
    domain.cdr[0] = "QSLLNSGNQKNY";
    expect_domain(domains_of(domain.text()).at(0), domain, 0, "kappa");
}

TEST(VariableDomain, SeveralInOneChainAndOtherDomainsAround) {
    const std::string before = "MKTAYIAKQR", linker = "GGGGSGGGGSGGGGS";
    const auto found = domains_of(before + heavy.text() + linker + kappa.text() + constant_domain);
    ASSERT_EQ(found.size(), 2U);
    expect_domain(found[0], heavy, before.size(), "heavy");
    expect_domain(found[1], kappa, before.size() + heavy.text().size() + linker.size(), "kappa");
}

TEST(VariableDomain, MissingResiduesAndMutations) {
    Domain domain = heavy;
    domain.framework[0].erase(0, 3);
    domain.framework[2].replace(5, 1, "W");
    domain.framework[2].replace(20, 2, "PP");
    domain.framework[3].erase(8);
    expect_domain(domains_of(domain.text()).at(0), domain, 0, "heavy");
    EXPECT_EQ(domains_of(domain.text()).at(0).positions.front(), 4);
}

TEST(VariableDomain, OtherSequencesHaveNone) {
    EXPECT_TRUE(domains_of(constant_domain).empty());
    EXPECT_TRUE(domains_of("").empty());
    EXPECT_TRUE(domains_of(std::string(300, 'X')).empty());
    std::string reversed = heavy.text() + kappa.text();
    reversed.assign(reversed.rbegin(), reversed.rend());
    EXPECT_TRUE(domains_of(reversed).empty());
}

TEST(AntibodyProfile, MalformedTablesAreRefused) {
    const auto refused = [](const std::string& text) {
        try {
            parse_antibody_profiles({"p.csv", text, "table", ""});
        } catch (const Error& error) {
            return std::string(error.what()).find("p.csv") != std::string::npos;
        }
        return false;
    };
    EXPECT_TRUE(refused("class,position,gap\n"));
    EXPECT_TRUE(refused("class,position,gap,A\nheavy,1,0.3\n"));
    EXPECT_TRUE(refused("class,position,gap,A\nheavy,30,0.3,1\n")) << "in a CDR";
    EXPECT_TRUE(refused("class,position,gap,A\nheavy,129,0.3,1\n"));
    EXPECT_TRUE(refused("class,position,gap,A\nheavy,1,0.3,1\n")) << "most positions are missing";
}

const std::string three_letters(char letter) {
    static const std::string letters = "ACDEFGHIKLMNPQRSTVWY";
    static const std::vector<std::string> names{"ALA", "CYS", "ASP", "GLU", "PHE", "GLY", "HIS",
                                                "ILE", "LYS", "LEU", "MET", "ASN", "PRO", "GLN",
                                                "ARG", "SER", "THR", "VAL", "TRP", "TYR"};
    return names[letters.find(letter)];
}

/// A chain of C-alphas in a straight line, 3.8 A apart, numbered from 101.
void add_chain(io::Structure& structure, const std::string& name, const std::string& sequence,
               double y) {
    for (std::size_t i = 0; i < sequence.size(); ++i) {
        io::AtomRecord atom;
        atom.name = "CA";
        atom.residue = three_letters(sequence[i]);
        atom.chain = name;
        atom.residue_number = 101 + static_cast<int>(i);
        atom.residue_index = static_cast<int>(structure.atoms.size());
        atom.element = "C";
        atom.position = {3.8 * static_cast<double>(i), y, 0};
        structure.atoms.push_back(atom);
    }
}

TEST(Antibody, ResiduesFarFromTheCdrsAreMasked) {
    io::Structure structure;
    add_chain(structure, "H", heavy.text() + constant_domain, 0);
    add_chain(structure, "P", std::string(40, 'A'), 100);
    const Antibody found = recognise_antibody("ligand", structure, AntibodyMode::automatic);
    ASSERT_EQ(found.domains.size(), 1U);
    EXPECT_EQ(describe(found.domains), "antibody: ligand H heavy, CDRs 126-133 151-158 197-209");
    ASSERT_EQ(found.masked.size(), structure.atoms.size());
    for (std::size_t i = 0; i < found.masked.size(); ++i) {
        const int number = structure.atoms[i].residue_number;
        bool near = structure.atoms[i].chain == "P";  // a chain without variable domain
        for (const auto& [first, last] : {std::pair(126, 133), {151, 158}, {197, 209}})
            near = near ||
                   (number >= first - 2 && number <= last + 2);  // 7.6 A, the next is at 11.4 A
        EXPECT_EQ(found.masked[i], !near) << structure.atoms[i].chain << number;
        const bool in_cdr = structure.atoms[i].chain == "H" &&
                            ((number >= 126 && number <= 133) || (number >= 151 && number <= 158) ||
                             (number >= 197 && number <= 209));
        EXPECT_EQ(found.in_cdr.at(i), in_cdr) << structure.atoms[i].chain << number;
    }
}

TEST(Antibody, MissingResiduesKeepTheirPlace) {
    io::Structure structure;
    add_chain(structure, "H", heavy.text(), 0);
    // Five residues just before CDR 2, as in loops without density.
    std::erase_if(structure.atoms, [](const io::AtomRecord& atom) {
        return atom.residue_number >= 143 && atom.residue_number <= 147;
    });
    const Antibody found = recognise_antibody("receptor", structure, AntibodyMode::automatic);
    EXPECT_EQ(describe(found.domains), "antibody: receptor H heavy, CDRs 126-133 151-158 197-209");
}

TEST(Antibody, FormsAndNames) {
    io::Structure fab, nanobody, other;
    add_chain(fab, "H", heavy.text(), 0);
    add_chain(fab, "L", lambda.text(), 30);
    add_chain(nanobody, "A", heavy.text(), 0);
    add_chain(other, "A", constant_domain, 0);
    const auto count = [](const io::Structure& structure, const char* mode) {
        return recognise_antibody("receptor", structure, antibody_mode_named(mode)).domains.size();
    };
    EXPECT_EQ(count(fab, "auto"), 2U);
    EXPECT_EQ(count(fab, "heavy-light"), 2U);
    EXPECT_EQ(count(fab, "nanobody"), 0U);
    EXPECT_EQ(count(nanobody, "nanobody"), 1U);
    EXPECT_EQ(count(nanobody, "heavy-light"), 0U);
    EXPECT_EQ(count(nanobody, "off"), 0U);
    for (const char* mode : {"auto", "heavy-light", "nanobody"}) EXPECT_EQ(count(other, mode), 0U);
    EXPECT_THROW(antibody_mode_named("Auto"), Error);
}

TEST(Antibody, ComplexesOfAntibodiesGetTheirOwnWeights) {
    io::Structure fab, other;
    add_chain(fab, "H", heavy.text(), 0);
    add_chain(other, "A", constant_domain, 0);
    const auto weights = [](const char* name) {
        return load_rescoring_weights(name, {"N"}).table.sha256;
    };
    ASSERT_NE(weights("general"), weights("antibody"));
    const auto chosen = [](const char* asked, const io::Structure& receptor,
                           const io::Structure& ligand,
                           AntibodyMode mode = AntibodyMode::automatic) {
        auto found = recognise_antibody("receptor", receptor, mode).domains;
        for (auto& domain : recognise_antibody("ligand", ligand, mode).domains)
            found.push_back(domain);
        return choose_weights(asked, receptor, ligand, found, {"N"});
    };
    EXPECT_EQ(chosen("", other, other).weights.table.sha256, weights("general"));
    EXPECT_EQ(chosen("", other, other).message, "");
    EXPECT_EQ(chosen("", fab, other).weights.table.sha256, weights("antibody"));
    EXPECT_THAT(chosen("", fab, other).message, testing::StartsWith("the receptor has a variable"));
    EXPECT_THAT(chosen("", other, fab).message, testing::StartsWith("the ligand has a variable"));
    EXPECT_EQ(chosen("", fab, other, AntibodyMode::off).weights.table.sha256, weights("general"));
    EXPECT_EQ(chosen("general", fab, other).weights.table.sha256, weights("general"));
    EXPECT_EQ(chosen("antibody", other, other).weights.table.sha256, weights("antibody"));
    EXPECT_EQ(chosen("antibody", other, other).message, "");
}

}  // namespace
}  // namespace tessera::docking
