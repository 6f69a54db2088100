// Stars in CSV, TSV and ECSV tables, and without a header.
#include <gtest/gtest.h>

#include <numbers>
#include <regex>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "io/streams/star_file.hpp"

namespace tessera::io {

namespace {

std::vector<Star> read(const std::string& text) {
    return parse_stars({"stars", text, "star file"});
}

std::string message(const std::string& text) {
    try {
        read(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

/// The two stars that most tables of these tests have.
void expect_two(const std::string& text) {
    const std::vector<Star> stars = read(text);
    ASSERT_EQ(stars.size(), 2u) << text;
    EXPECT_EQ(stars[0].l, 120.5) << text;
    EXPECT_EQ(stars[0].b, -45.5) << text;
    EXPECT_EQ(stars[0].r, 23.5) << text;
    EXPECT_EQ(stars[1].l, 0.1) << text;
    EXPECT_EQ(stars[1].b, 0.3333333333333333) << text;
    EXPECT_EQ(stars[1].r, 45.1) << text;
}

// Written by astropy 8.0.2: Table.write("blank.ecsv").
constexpr const char* ecsv = R"(# %ECSV 1.0
# ---
# datatype:
# - {name: id, datatype: string}
# - {name: l, unit: deg, datatype: float64}
# - {name: b, unit: deg, datatype: float64}
# - {name: r, unit: kpc, datatype: float64, description: 'heliocentric distance: from g0, {with} "M" = 4.2, which is a rather long description
#     that YAML wraps over more lines than one'}
# meta: !!omap
# - comments: ['- {name: l}', x]
# - survey: {datatype: zzz, name: b}
# schema: astropy-2.0
id l b r
"a b" 120.5 -45.5 23.5
d,e 0.1 0.3333333333333333 45.1
)";

// The same with Table.write("comma.ecsv", delimiter=",").
constexpr const char* ecsv_with_commas = R"(# %ECSV 1.0
# ---
# datatype:
# - {name: id, datatype: string}
# - {name: l, unit: deg, datatype: float64}
# - {name: b, unit: deg, datatype: float64}
# - {name: r, unit: kpc, datatype: float64}
# delimiter: ','
# schema: astropy-2.0
id,l,b,r
a b,120.5,-45.5,23.5
"d,e",0.1,0.3333333333333333,45.1
)";

// A QTable with a column pos of SkyCoord in the galactic frame, shortened in its meta.
constexpr const char* sky_ecsv = R"(# %ECSV 1.0
# ---
# datatype:
# - {name: n, datatype: int64}
# - {name: pos.l, unit: deg, datatype: float64}
# - {name: pos.b, unit: deg, datatype: float64}
# - {name: pos.distance, unit: pc, datatype: float64}
# meta: !!omap
# - __serialized_columns__:
#     pos:
#       __class__: astropy.coordinates.sky_coordinate.SkyCoord
#       frame: galactic
# schema: astropy-2.0
n pos.l pos.b pos.distance
1 120.5 -45.5 23500.0
3 0.1 0.3333333333333333 45100.0
)";

// Block style, as other writers of YAML have it.
constexpr const char* block_ecsv = R"(# %ECSV 0.9
# ---
# datatype:
#   - name: l
#     unit: deg
#     datatype: float64
#   - name: "b"
#     datatype: float64
#   - datatype: float64
#     name: 'r'
l b r
120.5 -45.5 23.5
0.1 0.3333333333333333 45.1
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

}  // namespace

TEST(StarTable, NamedColumnsAreFoundInAnyOrder) {
    expect_two("l,b,r\n120.5,-45.5,23.5\n0.1,0.3333333333333333,45.1\n");
    expect_two("id\tR\tB\tL\nx y\t23.5\t-45.5\t120.5\r\n\t45.1\t0.3333333333333333\t0.1");
    expect_two("# of a survey\nGLON GLAT distance\n120.5 -45.5 23.5\n# later\n\n"
               "0.1 0.3333333333333333 45.1\n");
    expect_two("# l b r\n# a comment, as TOPCAT and astropy write it\n120.5 -45.5 23.5\n"
               " 0.1  0.3333333333333333  45.1 \n");
    expect_two("wedge,file,star,l_degree,b_degree,r_kpc\n82,\"a \"\"b\"\", c\",1,120.5,-45.5,23.5\n"
               "82,s,2,0.1,0.3333333333333333,45.1\n");
    expect_two("\"l\"; \"b\" ;\"r\"\n\"120.5\";-45.5; 23.5\n0.1;0.3333333333333333;45.1\n");
}

TEST(StarTable, WithoutAHeaderTheColumnsAreLBR) {
    expect_two("120.5 -45.5 23.5\n0.1 0.3333333333333333 45.1\n");
    expect_two("120.5,-45.5,23.5\n0.1,0.3333333333333333,45.1");
    expect_two("# stars of a stripe\n\n120.5\t-45.5\t23.5\n0.1\t0.3333333333333333\t45.1\n");
}

TEST(StarTable, EcsvOfAstropyIsRead) {
    expect_two(ecsv);
    expect_two(ecsv_with_commas);
    expect_two(sky_ecsv);
    expect_two(block_ecsv);
}

TEST(StarTable, UnitsOfEcsvAreConverted) {
    std::string text = replaced(replaced(ecsv, "l, unit: deg", "l, unit: rad"), "kpc", "Mpc");
    text.resize(text.find("\"a b\""));
    const auto stars = read(text + "x 1 1 1\n");
    EXPECT_DOUBLE_EQ(stars.back().l, 180 / std::numbers::pi);
    EXPECT_DOUBLE_EQ(stars.back().b, 1);
    EXPECT_DOUBLE_EQ(stars.back().r, 1000);
}

TEST(StarTable, EveryDamageIsNamed) {
    const std::pair<std::string, std::string> cases[] = {
        {"ra,dec,g\n1,2,3\n", "stars:1.*columns .ra, dec, g. is l.*name the columns"},
        {"l,b\n1,2\n", "stars:1.*columns .l, b. is r, distance or r_kpc.*name the columns"},
        {"l b dist\n1 2 3\n", "columns .l, b, dist. is r, distance or r_kpc"},
        {"l,b,r\n1,2,3\n1,2,1e300\n", "stars:3.*distance r is 1e.300 kpc"},
        {"l,b,b,r\n1,2,3,4\n", "two columns have the name b"},
        {"l,b,r\n", "no stars"},
        {"l,b,r\n1,2\n", "stars:2.*has 2 fields, not 3"},
        {"l,b,r\n1,2,3\n1,2,3,4\n", "stars:3.*has 4 fields, not 3"},
        {"l,b,r\n1,2,\n", "stars:2.*r is '', not a finite"},
        {"l,b,r\n1,nan,3\n", "b is 'nan'"},
        {"l,b,r\n1,2,-3\n", "stars:2.*distance r is not positive"},
        {"l,b,r\n1,200,3\n", "not an angle of the sky"},
        {"1 2 3 4\n", "4 fields and no names"},
        {"1 2 3\n1 2\n", "stars:2.*2 fields, not 3"},
        {"1 2 x\n", "r is 'x'"},
        {"# only\n# comments\n", "number of stars"},
        {replaced(ecsv, "kpc", "mag"), "unit of r is 'mag'"},
        {replaced(ecsv, "l, unit: deg", "l, unit: hourangle"), "unit of l is 'hourangle'"},
        {replaced(ecsv, "id l b r", "id b l r"), "names of the columns does not agree"},
        {replaced(ecsv, "datatype:\n", "datatapes:\n"), "describes no columns"},
        {replaced(ecsv_with_commas, "','", "'|'"), "neither a blank nor a comma"},
        {replaced(ecsv, "120.5", "\"\""), "l is ''"},
        {std::string(ecsv).substr(0, 60), "describes no columns|does not agree|none of its"},
        {std::string(ecsv).substr(0, std::string(ecsv).find("\"a b\"")), "no stars"},
    };
    for (const auto& [text, words] : cases) {
        const std::string line = message(text);
        EXPECT_TRUE(std::regex_search(line, std::regex(words))) << text << " gives " << line;
        EXPECT_TRUE(
            std::regex_match(line, std::regex("cannot read star file '[^\n]+ \\(.+\\): .+")))
            << line;
    }
}

}  // namespace tessera::io
