// Geometry and nodes against the intermediate numbers of the reference cases (long double).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "likelihood/model/radial_nodes.hpp"
#include "likelihood/model/wedge_geometry.hpp"
#include "reference_case.hpp"

namespace tessera::likelihood {
namespace {

using test::number;

/// The application's rule with its iteration in long double, as the program that wrote the
/// intermediate numbers has it: 1 - z^2 near the ends costs the application up to 1e-12 of its
/// weights in double.
QuadratureRule milkyway_rule_in_long_double(int n) {
    QuadratureRule rule = milkyway_rule(n);
    for (int i = 1; i <= (n + 1) / 2; ++i) {
        long double z = std::cos(std::numbers::pi_v<long double> * (i - 0.25L) / (n + 0.5L));
        long double step = 1, slope = 0;
        while (std::abs(step) > 3.0e-11L) {
            long double p = 1, before = 0;
            for (int j = 1; j <= n; ++j) {
                const long double next = ((2 * j - 1) * z * p - (j - 1) * before) / j;
                before = p;
                p = next;
            }
            slope = n * (z * p - before) / (z * z - 1);
            step = p / slope;
            z -= step;
        }
        const double weight = static_cast<double>(2 / ((1 - z * z) * slope * slope));
        const auto low = static_cast<std::size_t>(i - 1), high = rule.nodes.size() - 1 - low;
        EXPECT_NEAR(rule.weights[low], weight, 2e-12 * weight);
        rule.weights[low] = rule.weights[high] = weight;
    }
    return rule;
}

void expect_close(double found, const nlohmann::json& expected, const char* what) {
    const double value = number(expected);
    EXPECT_NEAR(found, value, 1e-13 * std::abs(value)) << what;
}

class Intermediates : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        const auto folder = test::likelihood_folder() / GetParam();
        if (!std::filesystem::exists(folder / "intermediates.json"))
            GTEST_SKIP() << "reference data missing: " << folder;
        model = test::model_of(test::read_json(folder / "case.json"));
        numbers = test::read_json(folder / "intermediates.json");
    }

    io::StreamModel model;
    nlohmann::json numbers;
};

TEST_P(Intermediates, StreamsAgreeTo1em13) {
    for (std::size_t s = 0; s < model.streams.size(); ++s) {
        const StreamCylinder found = cylinder(model.streams[s], model.wedge);
        const nlohmann::json& axis = numbers["stream_direction_a"][s];
        const nlohmann::json& centre = numbers["stream_centre_c_kpc"][s];
        expect_close(found.axis.x, axis[0], "axis x");
        expect_close(found.axis.y, axis[1], "axis y");
        expect_close(found.axis.z, axis[2], "axis z");
        expect_close(found.centre.x, centre[0], "centre x");
        expect_close(found.centre.y, centre[1], "centre y");
        expect_close(found.centre.z, centre[2], "centre z");
        expect_close(found.inverse_two_sigma2, numbers["inv_2sigma2"][s], "1 / (2 sigma^2)");
    }
}

TEST_P(Intermediates, CellsAgreeTo1em13) {
    const io::Area& area = model.areas[0];
    const LineOfSight line(model, milkyway_rule_in_long_double(model.convolve));
    const RadialNodes nodes = area_nodes(area, line);
    const auto convolve = static_cast<std::size_t>(model.convolve);
    for (const nlohmann::json& cell : numbers["cells"]) {
        const int nu = cell["nu_index"], mu = cell["mu_index"];
        const Direction found =
            direction(model.wedge, cell_centre(area.mu, mu), cell_centre(area.nu, nu));
        expect_close(found.l, cell["l_deg"], "l");
        expect_close(found.b, cell["b_deg"], "b");
        expect_close(nu_weight(area.nu, nu), cell["nu_factor"], "nu factor");
        const double r = number(cell["r_mid_kpc"]);
        expect_close(magnitude_at(r), cell["g_mid"], "magnitude");

        const std::size_t first = cell["r_index"].get<std::size_t>() * convolve;
        const std::size_t last = first + convolve - 1;
        expect_close(nodes.radius[first], cell["conv_r_first"], "first node");
        expect_close(nodes.radius[last], cell["conv_r_last"], "last node");
        const double factor = number(cell["r_volume_factor"]) * number(cell["eff_over_r3"]);
        expect_close(nodes.weight[first] / factor, cell["conv_weight_first"], "first weight");
        expect_close(nodes.weight[first + convolve / 2] / factor, cell["conv_weight_mid"],
                     "middle weight");
        expect_close(nodes.weight[last] / factor, cell["conv_weight_last"], "last weight");
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, Intermediates,
                         testing::Values("classic-11-tiny", "classic-86-tiny-cut",
                                         "head-82-tiny-modfit"),
                         [](const auto& info) {
                             std::string name = info.param;
                             for (char& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

}  // namespace
}  // namespace tessera::likelihood
