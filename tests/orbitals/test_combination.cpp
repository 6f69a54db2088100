// The grammar of --combine: what expressions mean after they are multiplied out, and refusals.
#include "orbitals/selection/combination.hpp"

#include <gtest/gtest.h>

#include <random>

#include "core/error.hpp"
#include "orbitals/selection/combination_parser.hpp"

namespace {

using namespace tessera;
using namespace tessera::orbitals;

std::string refusal(const std::string& text) {
    try {
        parse_combinations({text});
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

void expect_refused(const std::string& text, const std::string& words) {
    const std::string line = refusal(text);
    EXPECT_NE(line.find(words), std::string::npos) << text << ": " << line;
}

TEST(Combination, OfDensities) {
    const Combination c =
        parse_combinations({"f_plus = density(anion) - 2*(density - 0.5*spin_density(3))/4"})[0];
    EXPECT_EQ(c.name, "f_plus");
    EXPECT_EQ(c.expression, "density(anion) - 2*(density - 0.5*spin_density(3))/4");
    ASSERT_EQ(c.densities.size(), 3U);
    EXPECT_EQ(c.densities[0].source, "anion");
    EXPECT_EQ(c.densities[0].factor, 1);
    EXPECT_EQ(c.densities[1].source, "");
    EXPECT_EQ(c.densities[1].factor, -0.5);
    EXPECT_EQ(c.densities[1].kind, DensityTerm::Kind::all);
    EXPECT_EQ(c.densities[2].source, "3");
    EXPECT_EQ(c.densities[2].factor, 0.25);
    EXPECT_EQ(c.densities[2].kind, DensityTerm::Kind::spin);
    EXPECT_FALSE(c.of_orbitals());
    EXPECT_EQ(sources_of(c), (std::vector<std::string>{"anion", "", "3"}));
}

TEST(Combination, OfTransitionDensities) {
    const Combination c = parse_combinations({"transition_density - transition_density(b)"})[0];
    ASSERT_EQ(c.densities.size(), 2U);
    EXPECT_EQ(c.densities[0].kind, DensityTerm::Kind::transition);
    EXPECT_EQ(c.densities[1].kind, DensityTerm::Kind::transition);
    EXPECT_EQ(c.densities[1].source, "b");
    EXPECT_EQ(c.densities[1].factor, -1);
}

TEST(Combination, OfOrbitals) {
    const Combination c = parse_combinations({"-.7*orbital( b , LUMO+1 )+1e-1*orbital(12a)"})[0];
    EXPECT_EQ(c.name, "combination");
    ASSERT_TRUE(c.of_orbitals());
    ASSERT_EQ(c.orbitals.size(), 2U);
    EXPECT_EQ(c.orbitals[0].factor, -0.7);
    EXPECT_EQ(c.orbitals[0].source, "b");
    EXPECT_EQ(c.orbitals[0].orbital.kind, OrbitalRequest::Kind::lumo);
    EXPECT_EQ(c.orbitals[0].orbital.first, 1);
    EXPECT_EQ(c.orbitals[1].factor, 0.1);
    EXPECT_EQ(c.orbitals[1].orbital.first, 12);
    EXPECT_EQ(c.orbitals[1].orbital.spin, io::Spin::alpha);
    EXPECT_STREQ(c.units(), "bohr^-3/2");
}

TEST(Combination, ProductsOfOrbitalsAreDensities) {
    const Combination c =
        parse_combinations({"t = 3*(orbital(HOMO)-orbital(1))*orbital(LUMO) + density"})[0];
    EXPECT_FALSE(c.of_orbitals());
    ASSERT_EQ(c.products.size(), 1U);
    EXPECT_EQ(c.products[0].first.size(), 2U);
    EXPECT_EQ(c.products[0].first[0].factor, 3);
    EXPECT_EQ(c.products[0].first[1].factor, -3);
    EXPECT_EQ(c.products[0].second.size(), 1U);
    EXPECT_EQ(c.densities.size(), 1U);
    EXPECT_STREQ(c.units(), "bohr^-3");
}

TEST(Combination, SeveralHaveNames) {
    const auto all = parse_combinations({"density", "b=density", "density"});
    EXPECT_EQ(all[0].name, "combination");
    EXPECT_EQ(all[1].name, "b");
    EXPECT_EQ(all[2].name, "combination_3");
}

TEST(Combination, RefusesWhatHasNoMeaning) {
    expect_refused("3", "it is a number");
    expect_refused("density + 1", "different kinds");
    expect_refused("density + orbital(HOMO)", "different kinds");
    expect_refused("density*density", "multiplies a density");
    expect_refused("orbital(1)*orbital(2)*orbital(3)", "multiplies a density");
    expect_refused("density/density", "divides");
    expect_refused("density/0", "or by 0");
    expect_refused("1e300*1e300*density", "too large");
    expect_refused("1e31*density", "too large");  // infinite in single precision
    expect_refused("density/1e-31", "too large");
    expect_refused("(1e16*orbital(1))*(1e16*orbital(2))", "too large");
    expect_refused("1e400*density", "is not expected at character 1");
    expect_refused("(density", "it ends too early");
    expect_refused("", "it ends too early");
    expect_refused("f =", "it ends too early");
    expect_refused("density)", "')' is not expected at character 8");
    expect_refused("density(a", "it ends too early");
    expect_refused("density(a,b)", "a density has one file");
    expect_refused("density()", "is not expected");
    expect_refused("laplacian(a)", "'laplacian' where density");
    expect_refused("orbital", "an orbital is written");
    expect_refused("orbital(a,HOMO,2)", "an orbital is written");
    expect_refused("orbital(occupied)", "more than one orbital");
    expect_refused("orbital(1:3)", "more than one orbital");
    expect_refused("orbital(pi)", "'pi' is not an orbital");
    expect_refused("density(0)", "not the number of a frame");
    expect_refused("density(1x)", "not the number of a frame");
    expect_refused("density(a-b)", "is neither a name");
    expect_refused("a b c", "'a' where density");
    expect_refused("density density", "'density' is not expected at character 9");
    expect_refused(std::string(200, '(') + "density" + std::string(200, ')'), "too deep");
    expect_refused(std::string(5000, '('), "more than 4096 characters");
}

TEST(Combination, RefusesNames) {
    expect_refused("1f = density", "'1f' is not a name");
    expect_refused("../f = density", "is not a name");
    expect_refused(" = density", "'' is not a name");
    for (const char* name : {"density", "Spin_Density", "homo", "LUMO", "all", "elf", "esp",
                             "gradient", "shape", "frames"})
        expect_refused(std::string(name) + " = density", "is taken");
    EXPECT_THROW(parse_combinations({"f=density", "F=density"}), Error);
    EXPECT_THROW(parse_named_files({"a=x", "A=y"}), Error);
    EXPECT_THROW(parse_named_files({"a="}), Error);
    EXPECT_THROW(parse_named_files({"file.molden"}), Error);
    EXPECT_THROW(parse_named_files({"a/b=file.molden"}), Error);
    EXPECT_EQ(parse_named_files({"a=x=y"})[0].path, "x=y");
}

TEST(Combination, AnyTextIsReadOrRefused) {
    const std::vector<std::string> pieces{"density", "orbital", "(",  ")", ",", "HOMO",
                                          "+",       "-",       "*",  "/", "2", ".",
                                          "a",       " ",       "1e", "=", "\n"};
    std::mt19937 random(3);
    int accepted = 0;
    for (int n = 0; n < 20000; ++n) {
        std::string text;
        for (unsigned i = 0; i < 1 + random() % 9; ++i) text += pieces[random() % pieces.size()];
        try {
            const Combination c = parse_expression(text);
            EXPECT_FALSE(sources_of(c).empty()) << text;
            ++accepted;
        } catch (const Error&) {
        }
    }
    EXPECT_GT(accepted, 50);
}

}  // namespace
