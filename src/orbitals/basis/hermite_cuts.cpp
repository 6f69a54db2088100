#include "orbitals/basis/hermite_cuts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tessera::orbitals {

namespace {

using kernels::hermite_count;
using kernels::highest_hermite;

/// For each degree, a bound of what the terms of this and of higher degrees add to the potential.
using Tails = std::array<double, highest_hermite + 2>;

std::vector<double> all_largest() {
    std::vector<double> largest;
    for (int degree = 0; degree <= highest_hermite; ++degree)
        for (int t = degree; t >= 0; --t)
            for (int u = degree - t; u >= 0; --u)
                largest.push_back(largest_hermite(t, u, degree - t - u));
    return largest;
}

Tails tails_of(const HermiteTerms& terms, const std::vector<double>& largest) {
    Tails tails{};
    for (int degree = terms.product.degree; degree >= 0; --degree) {
        double sum = tails[static_cast<std::size_t>(degree) + 1];
        const int first = degree == 0 ? 0 : hermite_count(degree - 1);
        for (auto i = static_cast<std::size_t>(first);
             i < static_cast<std::size_t>(hermite_count(degree)); ++i)
            sum += std::abs(terms.coefficients[i]) * largest[i];
        tails[static_cast<std::size_t>(degree)] = sum;
    }
    return tails;
}

/// The degree that is left if a product may lose terms of up to `share`, and what it loses.
struct Cut {
    int degree = 0;
    double loss = 0;
};
Cut cut_of(const Tails& tails, int degree, double share) {
    Cut cut{degree, 0};
    while (cut.degree >= 0 && tails[static_cast<std::size_t>(cut.degree)] <= share) {
        cut.loss = tails[static_cast<std::size_t>(cut.degree)];
        --cut.degree;
    }
    return cut;
}

double all_losses(const std::vector<HermiteTerms>& products, const std::vector<Tails>& tails,
                  double share) {
    double sum = 0;
    for (std::size_t i = 0; i < products.size(); ++i)
        sum += cut_of(tails[i], products[i].product.degree, share).loss;
    return sum;
}

/// The largest share, up to a factor, with which all losses stay below the tolerance.
double choose_share(const std::vector<HermiteTerms>& products, const std::vector<Tails>& tails,
                    double tolerance) {
    if (!(tolerance > 0)) return 0;
    double low = tolerance / (static_cast<double>(products.size()) + 1), high = tolerance;
    for (int step = 0; step < 12; ++step) {
        const double middle = std::sqrt(low * high);
        (all_losses(products, tails, middle) <= tolerance ? low : high) = middle;
    }
    return low;
}

}  // namespace

double largest_hermite(int t, int u, int v) {
    const auto of_axis = [](int n) {
        return std::exp2(n) * std::tgamma(0.5 * (n + 1)) / std::sqrt(std::numbers::pi);
    };
    const int degree = t + u + v;
    return of_axis(t) * of_axis(u) * of_axis(v) / ((degree + 1) * std::exp2(0.5 * degree));
}

double cut_terms(std::vector<HermiteTerms>& products, double tolerance) {
    const std::vector<double> largest = all_largest();
    std::vector<Tails> tails;
    tails.reserve(products.size());
    for (const HermiteTerms& terms : products) tails.push_back(tails_of(terms, largest));
    const double share = choose_share(products, tails, tolerance);
    double lost = 0;
    for (std::size_t i = 0; i < products.size(); ++i) {
        const Cut cut = cut_of(tails[i], products[i].product.degree, share);
        products[i].product.degree = cut.degree;
        lost += cut.loss;
    }
    return lost;
}

void pack_products(const std::vector<HermiteTerms>& products, kernels::PotentialProblem& problem) {
    for (int degree = 0; degree <= highest_hermite; ++degree)
        for (const HermiteTerms& terms : products) {
            if (terms.product.degree != degree) continue;
            kernels::HermiteProduct product = terms.product;
            product.first = problem.coefficients.size();
            problem.products.push_back(product);
            problem.coefficients.insert(problem.coefficients.end(), terms.coefficients.begin(),
                                        terms.coefficients.begin() + hermite_count(degree));
        }
}

}  // namespace tessera::orbitals
