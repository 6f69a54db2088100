#include "orbitals/selection/combination.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "core/error.hpp"
#include "io/files/file_name.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/selection/combination_parser.hpp"
#include "orbitals/selection/density_field.hpp"

namespace tessera::orbitals {

namespace {

/// Whether --orbitals takes the text.
bool names_orbitals(const std::string& text) {
    try {
        return !parse_orbital_list(text).empty();
    } catch (const Error&) {
        return false;
    }
}

/// Names that other grids, surfaces or datasets of the result have.
bool is_taken(const std::string& name) {
    static const std::array<const char*, 8> others{"density",  "spin_density", "mean_density",
                                                   "gradient", "origin",       "spacing",
                                                   "shape",    "frames"};
    return std::ranges::count(others, io::without_capitals(name)) > 0 ||
           std::ranges::count(density_fields(), io::without_capitals(name), &DensityField::name) >
               0 ||
           names_orbitals(name);
}

/// Checks the name of a combination or a file.
void require_word(const std::string& option, const std::string& name) {
    constexpr std::size_t longest = 60;
    const auto may_stand = [](unsigned char c) { return c < 128 && (std::isalnum(c) || c == '_'); };
    if (name.empty() || name.size() > longest || !std::ranges::all_of(name, may_stand) ||
        std::isdigit(static_cast<unsigned char>(name[0])))
        throw Error(option + ": '" + io::one_line(name) + "' is not a name",
                    "a name begins with a letter, and has letters, digits and _",
                    "use for example anion or f_plus");
}

template <class Named>
void require_new(const std::string& option, const std::vector<Named>& known,
                 const std::string& name) {
    for (const Named& one : known)
        if (io::without_capitals(one.name) == io::without_capitals(name))
            throw Error(fmt::format("{}: the name {} is given twice", option, name),
                        "a name stands for one thing", "choose another name");
}

}  // namespace

bool is_frame_number(const std::string& source) {
    return !source.empty() && std::isdigit(static_cast<unsigned char>(source[0]));
}

double largest_factor(const Combination& combination) {
    const auto largest = [](const auto& terms) {
        double factor = 0;
        for (const auto& term : terms) factor = std::max(factor, std::abs(term.factor));
        return factor;
    };
    double factor = std::max(largest(combination.orbitals), largest(combination.densities));
    for (const ProductTerm& term : combination.products)
        factor =
            std::max(factor, std::abs(term.factor) * largest(term.first) * largest(term.second));
    return factor;
}

std::vector<std::string> sources_of(const Combination& combination) {
    std::vector<std::string> sources;
    const auto add = [&](const auto& terms) {
        for (const auto& term : terms)
            if (std::ranges::count(sources, term.source) == 0) sources.push_back(term.source);
    };
    add(combination.orbitals);
    add(combination.densities);
    for (const ProductTerm& product : combination.products) {
        add(product.first);
        add(product.second);
    }
    return sources;
}

std::vector<Combination> parse_combinations(const std::vector<std::string>& texts) {
    std::vector<Combination> combinations;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        std::string name = text.substr(0, equals == std::string::npos ? 0 : equals);
        std::erase(name, ' ');
        if (equals == std::string::npos)
            name = combinations.empty() ? "combination"
                                        : fmt::format("combination_{}", combinations.size() + 1);
        require_word("--combine", name);
        if (is_taken(name))
            throw Error("--combine: the name " + name + " is taken",
                        "it stands for another quantity of results", "choose another name");
        require_new("--combine", combinations, name);
        std::string expression = text.substr(equals == std::string::npos ? 0 : equals + 1);
        expression.erase(0, std::min(expression.find_first_not_of(' '), expression.size()));
        Combination combination = parse_expression(expression);
        combination.name = name;
        combinations.push_back(std::move(combination));
    }
    return combinations;
}

std::vector<NamedFile> parse_named_files(const std::vector<std::string>& texts) {
    std::vector<NamedFile> files;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals + 1 == text.size())
            throw Error("--with: '" + io::one_line(text) + "' is not a name and a file",
                        "it lacks '=' or the file", "use for example anion=anion.molden");
        NamedFile file{text.substr(0, equals), text.substr(equals + 1)};
        require_word("--with", file.name);
        require_new("--with", files, file.name);
        files.push_back(std::move(file));
    }
    return files;
}

}  // namespace tessera::orbitals
