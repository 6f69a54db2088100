// Natural transition orbitals: pairs that make up the transition density and are orthonormal. Those
// of PySCF are compared in tests/regression/transition_orbitals.py.
#include "orbitals/basis/natural_transition_orbitals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <tuple>

#include "fchk_molecule.hpp"
#include "folded_value.hpp"
#include "io/temporary_folder.hpp"
#include "orbitals/tiles/prepare.hpp"
#include "support/message_of.hpp"

namespace {

using namespace tessera;
using io::Wavefunction;
using orbitals::Matrix;
using orbitals::take_natural_transition_orbitals;
using test::expect_part;
using test::fchk_functions;
using test::message_of;
using test::molecule;
using test::orthonormal;
using test::overlap;

constexpr std::size_t square = fchk_functions * fchk_functions;

std::vector<double> random_numbers(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-0.3, 0.3);
    std::vector<double> numbers(count);
    for (double& one : numbers) one = uniform(random);
    return numbers;
}

/// The molecule with transition densities to `states` states, [state][spin][function][function].
std::string with_transitions(const std::vector<double>& values, int states) {
    return molecule(orthonormal())
        .scalar("Number of g2e trans dens", states)
        .array("G to E trans densities", values)
        .text();
}

/// The sum over pairs of the singular value times hole times electron at two points. `sum` are the
/// squares of all singular values.
double transition_at(const Wavefunction& frame, double sum, Vec3 hole, Vec3 electron) {
    double total = 0;
    for (std::size_t k = 0; k < frame.orbitals.size(); k += 2)
        total += std::sqrt(frame.orbitals[k + 1].occupation * sum) *
                 test::folded_value(frame, static_cast<int>(k), hole) *
                 test::folded_value(frame, static_cast<int>(k) + 1, electron);
    return total;
}

// The checkpoint's functions are in Gaussian's order. Its second state is not a product of occupied
// and empty orbitals.
TEST(NaturalTransitionOrbitals, MakeTheTransitionDensityOfTheMatrix) {
    std::vector<double> values = random_numbers(3 * square, 5);
    const std::vector<double> last(values.end() - square, values.end());
    values.insert(values.end(), last.begin(), last.end());  // beta as alpha
    Wavefunction frame = io::read_fchk({"in.fchk", with_transitions(values, 2)}, {{}, "2"});
    std::vector<std::string> told;
    take_natural_transition_orbitals(frame, told);
    ASSERT_EQ(told.size(), 1u);
    expect_part(told[0], "natural transition orbitals of state 2, 20 pairs");
    ASSERT_EQ(frame.orbitals.size(), 2 * fchk_functions);
    double weights = 0;
    for (std::size_t a = 0; a < frame.orbitals.size(); ++a) {
        const auto& orbital = frame.orbitals[a];
        EXPECT_EQ(orbital.symmetry, a % 2 == 0 ? "hole" : "electron");
        EXPECT_EQ(orbital.occupation > 0, a % 2 == 1);
        EXPECT_EQ(std::abs(orbital.occupation), frame.orbitals[a / 2 * 2 + 1].occupation);
        EXPECT_LE(std::abs(orbital.occupation),
                  a < 2 ? 1 : std::abs(frame.orbitals[a - 2].occupation));
        weights += std::max(orbital.occupation, 0.0);
        for (std::size_t b = a % 2; b <= a; b += 2)
            EXPECT_NEAR(overlap(frame, a, b), a == b ? 1 : 0, 1e-10);
    }
    EXPECT_NEAR(weights, 1, 1e-12);
    const double* const t = values.data() + 2 * square;
    const Wavefunction unit = test::functions_of_file();
    std::vector<double> s(square), ts(square, 0.0);
    for (std::size_t i = 0; i < fchk_functions; ++i)
        for (std::size_t j = 0; j < fchk_functions; ++j)
            s[i * fchk_functions + j] = overlap(unit, i, j);
    for (std::size_t i = 0; i < fchk_functions; ++i)
        for (std::size_t k = 0; k < fchk_functions; ++k)
            for (std::size_t j = 0; j < fchk_functions; ++j)
                ts[i * fchk_functions + j] += t[i * fchk_functions + k] * s[k * fchk_functions + j];
    double sum = 0;  // of the squares of singular values: the trace of T S T^T S
    for (std::size_t i = 0; i < fchk_functions; ++i)
        for (std::size_t j = 0; j < fchk_functions; ++j)
            for (std::size_t k = 0; k < fchk_functions; ++k)
                sum += ts[i * fchk_functions + j] * t[k * fchk_functions + j] *
                       s[k * fchk_functions + i];
    const Vec3 p{0.3, -0.4, 0.9}, q{1.2, 0.8, -0.7};
    double forth = 0, back = 0;
    for (std::size_t i = 0; i < fchk_functions; ++i)
        for (std::size_t j = 0; j < fchk_functions; ++j) {
            const auto at = [&](std::size_t a, Vec3 r) {
                return test::folded_value(unit, static_cast<int>(a), r);
            };
            forth += t[i * fchk_functions + j] * at(i, p) * at(j, q);
            back += t[i * fchk_functions + j] * at(i, q) * at(j, p);
        }
    const double found = transition_at(frame, sum, p, q);
    EXPECT_GT(std::abs(forth - back), 1e-3);
    EXPECT_LT(std::min(std::abs(found - forth), std::abs(found - back)), 1e-11);
}

/// Orbital 0 is occupied. T takes it to orbital 7, written in either order of rows and columns.
TEST(NaturalTransitionOrbitals, TheHoleIsTheOccupiedOrbital) {
    const std::vector<double> c = orthonormal();
    for (const bool turned : {false, true}) {
        std::vector<double> t;
        for (std::size_t i = 0; i < fchk_functions; ++i)
            for (std::size_t j = 0; j < fchk_functions; ++j)
                t.push_back(-0.5 * c[(turned ? 7 : 0) * fchk_functions + i] *
                            c[(turned ? 0 : 7) * fchk_functions + j]);
        std::vector<double> values = t;
        for (const double x : t) values.push_back(-x);  // beta of a triplet
        Wavefunction frame = io::read_fchk({"in.fchk", with_transitions(values, 1)}, {{}, "1"});
        const Wavefunction plain = frame;
        std::vector<std::string> told;
        take_natural_transition_orbitals(frame, told);
        ASSERT_EQ(frame.orbitals.size(), 2u);
        EXPECT_NEAR(frame.orbitals[1].occupation, 1, 1e-12);
        expect_part(told[0], "add up to 0.25");
        const Vec3 r{0.4, 0.5, -0.3};
        for (const auto& [orbital, number] : {std::pair{0, 0}, std::pair{1, 7}})
            EXPECT_NEAR(std::abs(test::folded_value(frame, orbital, r)),
                        std::abs(test::folded_value(plain, number, r)), 1e-11);
    }
}

// Two occupied and three empty orbitals: the singular values of [[3, 0, 0], [0, 4, 0]] / 5 turned.
TEST(NaturalTransitionOrbitals, AreThoseOfAGivenMatrix) {
    const test::TemporaryFolder folder;
    Wavefunction plain = test::functions_of_file();
    plain.orbitals.resize(5);
    for (std::size_t i = 0; i < 5; ++i) plain.orbitals[i].occupation = i < 2 ? 2 : 0;
    const double c = std::cos(0.3), s = std::sin(0.3);
    const Matrix given{2, 3, {0.6 * c, -0.8 * s, 0, 0.6 * s, 0.8 * c, 0}};
    Matrix all = orbitals::zeros(5, 5);
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 3; ++j) all.row(i)[2 + j] = given.row(i)[j];
    for (const Matrix& matrix : {given, all, orbitals::transposed(all)}) {
        Wavefunction frame = plain;
        std::vector<std::string> told;
        take_natural_transition_orbitals(frame, {"the matrix", {matrix}}, told);
        ASSERT_EQ(frame.orbitals.size(), 4u);
        EXPECT_NEAR(frame.orbitals[1].occupation, 0.64, 1e-14);
        EXPECT_NEAR(frame.orbitals[3].occupation, 0.36, 1e-14);
        expect_part(told[0], "2 pairs, weights 0.6400, 0.3600, participation ratio 1.855");
        const auto is = [&](std::size_t orbital, std::vector<double> wanted) {
            wanted.resize(fchk_functions, 0.0);
            const auto& found = frame.orbitals[orbital].coefficients;
            const double sign = found[0] * wanted[0] + found[3] * wanted[3] < 0 ? -1 : 1;
            for (std::size_t i = 0; i < fchk_functions; ++i)
                EXPECT_NEAR(found[i], sign * wanted[i], 1e-14) << orbital;
        };
        is(0, {-s, c});
        is(1, {0, 0, 0, 1});
        is(2, {c, s});
        EXPECT_NEAR(std::abs(frame.orbitals[3].coefficients[2]), 1, 1e-14);
    }
    const auto refused = [&](const std::vector<Matrix>& matrices) {
        Wavefunction frame = plain;
        std::vector<std::string> told;
        return message_of([&] {
            take_natural_transition_orbitals(frame, {"the matrix", matrices}, told);
        });
    };
    expect_part(refused({{3, 2, std::vector<double>(6, 1.0)}}), "give 5 x 5 numbers, or 2 x 3");
    expect_part(refused({given, given}), "give one matrix");
    expect_part(refused({orbitals::zeros(2, 3)}), "has no pair");
    expect_part(refused({{2, 3, std::vector<double>(6, NAN)}}), "has no pair");
}

/// rdm.1e_transition [state][state][orbital][orbital] of three states, of both spins together.
TEST(NaturalTransitionOrbitals, AreOfTrexioToo) {
    const test::TemporaryFolder folder;
    const std::filesystem::path from(TESSERA_SOURCE_DIR
                                     "/tests/orbitals/references/formats/oh_spherical.trexio");
    const std::string path = folder / "oh.trexio";
    std::filesystem::copy(from, path);
    const Wavefunction plain = io::read_wavefunctions(path).at(0);
    const std::size_t m = plain.orbitals.size(), states = 3;
    ASSERT_GE(m, 4u);
    std::vector<double> d(states * states * m * m, 0.0);
    d[2 * m * m + 1 * m + 3] = 0.8;                // from 0 to 2
    d[(1 * states + 0) * m * m + 0 * m + 2] = -3;  // from 1 to 0
    d[(1 * states + 2) * m * m + 3 * m + 2] = 5;   // not from state 0
    std::ofstream file(std::filesystem::path(path) / "rdm.txt");
    for (const auto& [axis, length] : {std::pair{0, states}, {1, states}, {2, m}, {3, m}})
        file << "dims_rdm_1e_transition " << axis << " " << length << "\n";
    file << "rdm_1e_transition\n";
    for (const double value : d) file << value << "\n";
    file.close();
    for (const auto& [state, one, other] : {std::tuple{"2", 1, 3}, {"1", 0, 2}}) {
        Wavefunction frame = io::read_wavefunctions(path, {{}, state}).at(0);
        std::vector<std::string> told;
        take_natural_transition_orbitals(frame, told);
        ASSERT_EQ(frame.orbitals.size(), 2u);
        EXPECT_EQ(frame.orbitals[1].occupation, 1);
        const Vec3 r{0.3, 0.4, -0.5};
        std::vector<double> found, wanted;
        for (const int k : {0, 1}) found.push_back(std::abs(test::folded_value(frame, k, r)));
        for (const int k : {one, other})
            wanted.push_back(std::abs(test::folded_value(plain, k, r)));
        std::ranges::sort(found);
        std::ranges::sort(wanted);
        for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(found[k], wanted[k], 1e-12);
    }
    const auto said = [&](const std::string& state) {
        return message_of([&] { io::read_wavefunctions(path, {{}, state}); });
    };
    expect_part(said("3"), "from state 0 to states 1 to 2");
    std::ofstream(std::filesystem::path(path) / "rdm.txt")
        << "dims_rdm_1e_transition 0 3\nrdm_1e_transition\n1\n2\n3\n";
    expect_part(said("1"), "has no matrices");
    std::filesystem::remove(std::filesystem::path(path) / "rdm.txt");
    expect_part(said("1"), "it has none");
}

std::string refused_state(const std::string& text, const std::string& option) {
    const test::TemporaryFolder folder;
    std::ofstream(folder / "a.fchk") << text;
    orbitals::OrbitalInput input;
    input.paths = {folder / "a.fchk"};
    input.transition_orbitals = option;
    std::vector<std::string> messages;
    return message_of([&] { orbitals::read_frames(input, messages); });
}

TEST(NaturalTransitionOrbitals, AreOfStatesThatTheFileHas) {
    const std::vector<double> values = random_numbers(4 * square, 7);
    const std::string text = with_transitions(values, 2);
    EXPECT_EQ(refused_state(text, "2"), "no error");
    expect_part(refused_state(text, "3"), "it has states 1 to 2");
    expect_part(refused_state(text, "0"), "it has states 1 to 2");
    expect_part(refused_state(molecule(orthonormal()).text(), "1"), "it has none");
    expect_part(refused_state(with_transitions(values, 3), "1"), "not 3 pairs of matrices of 20");
    expect_part(refused_state(
                    text + "Excited state NLR                          I                2\n", "1"),
                "left and right");
    std::vector<double> few = orthonormal();
    few.resize(3 * fchk_functions);
    expect_part(refused_state(molecule(few)
                                  .scalar("Number of g2e trans dens", 2)
                                  .array("G to E trans densities", values)
                                  .text(),
                              "1"),
                "not all orbitals");
    std::ifstream molden(TESSERA_SOURCE_DIR "/examples/water.molden");
    expect_part(refused_state({std::istreambuf_iterator<char>(molden), {}}, "1"),
                "has no transition densities");
}

TEST(NaturalTransitionOrbitals, TablesAreChecked) {
    const test::TemporaryFolder folder;
    const std::string reference = TESSERA_SOURCE_DIR "/tests/orbitals/references/transitions/";
    const auto said = [&](const std::string& molden, const std::string& table) {
        std::ofstream(folder / "t.txt") << table;
        orbitals::OrbitalInput input;
        input.paths = {reference + molden};
        input.transition_orbitals = folder / "t.txt";
        std::vector<std::string> messages;
        return message_of([&] { orbitals::read_frames(input, messages); });
    };
    std::string row = "0,0 0 0.5,0 0 0 0\n", five;
    for (int i = 0; i < 5; ++i) five += row;
    EXPECT_EQ(said("water.molden", "# occupied x empty\n" + five), "no error");
    expect_part(said("water.molden", row + "0 0 0 x 0 0 0 0\n"), "line 2 has 'x'");
    expect_part(said("water.molden", row + "0 0 0 0\n"), "line 2 has 4 numbers, not 8");
    expect_part(said("water.molden", row), "give 13 x 13 numbers, or 5 x 8");
    expect_part(said("oh.molden", five), "give both matrices");
    expect_part(said("oh.molden", five + five), "11 alpha orbitals, 5 of them occupied");
}

}  // namespace
