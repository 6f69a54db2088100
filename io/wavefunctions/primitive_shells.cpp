#include "io/wavefunctions/primitive_shells.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

#include "io/wavefunctions/basis_checks.hpp"
#include "io/wavefunctions/cartesian_order.hpp"

namespace tessera::io {
namespace {

constexpr const char* write_it_again = "write the file again";

// Primitive types 1 to 56 as powers of x, y, z. d and g are in Molden's order, but f is not. h runs
// from zzzzz to xxxxx.
std::vector<CartesianPowers> primitive_types() {
    static constexpr std::array<CartesianPowers, 10> f{{{3, 0, 0},
                                                        {0, 3, 0},
                                                        {0, 0, 3},
                                                        {2, 1, 0},
                                                        {2, 0, 1},
                                                        {0, 2, 1},
                                                        {1, 2, 0},
                                                        {1, 0, 2},
                                                        {0, 1, 2},
                                                        {1, 1, 1}}};
    std::vector<CartesianPowers> types;
    for (int l = 0; l <= highest_l; ++l) {
        const auto order = l == 5 ? gaussian_cartesian_order(l) : cartesian_order(l);
        if (l == 3)
            types.insert(types.end(), f.begin(), f.end());
        else
            types.insert(types.end(), order.begin(), order.end());
    }
    return types;
}

// The normalisation factor of x^i y^j z^k exp(-a r^2).
double primitive_norm(const CartesianPowers& powers, double a) {
    double square = std::pow(2 * a / std::numbers::pi, 1.5);
    for (const int power : powers)
        for (int n = 1; n <= power; ++n) square *= 4 * a / (2 * n - 1);
    return std::sqrt(square);
}

}  // namespace

std::vector<PrimitivePlace> add_primitive_shells(const TextScanner& scanner,
                                                 const PrimitiveList& primitives,
                                                 Wavefunction& frame) {
    const std::vector<CartesianPowers> known = primitive_types();
    std::map<std::tuple<int, double, int>, std::size_t> first_of_shell;
    std::vector<PrimitivePlace> places;
    std::size_t functions = 0;
    for (std::size_t p = 0; p < primitives.centers.size(); ++p) {
        const int type = primitives.types[p], center = primitives.centers[p];
        const double exponent = primitives.exponents[p];
        if (type < 1 || type > static_cast<int>(known.size()))
            scanner.fail("unknown primitive type " + std::to_string(type),
                         "1 (s) to 56 (h) are read");
        if (center < 1 || center > static_cast<int>(frame.nuclei.size()))
            scanner.fail("a primitive belongs to nucleus " + std::to_string(center),
                         write_it_again);
        check_primitive(scanner, exponent);
        const CartesianPowers& powers = known[static_cast<std::size_t>(type - 1)];
        const int l = powers[0] + powers[1] + powers[2];
        const auto [shell, is_new] = first_of_shell.try_emplace({center, exponent, l}, functions);
        const std::vector<CartesianPowers> order = cartesian_order(l);
        if (is_new) {
            frame.shells.push_back({center - 1, l, false, {exponent}, {1.0}});
            functions += order.size();
        }
        const auto place = std::find(order.begin(), order.end(), powers) - order.begin();
        places.push_back({shell->second + static_cast<std::size_t>(place),
                          1 / primitive_norm(powers, exponent)});
    }
    return places;
}

std::vector<double> read_primitive_coefficients(TextScanner& scanner,
                                                const std::vector<PrimitivePlace>& places,
                                                std::size_t functions, std::size_t number) {
    std::vector<double> coefficients(functions, 0.0);
    for (const PrimitivePlace& place : places) {
        scanner.skip_empty_lines();
        double value = 0;
        if (!scanner.number(value))
            scanner.fail("a coefficient of orbital " + std::to_string(number) +
                             " is missing or not a number",
                         write_it_again);
        coefficients[place.function] += place.factor * value;
    }
    return coefficients;
}

}  // namespace tessera::io
