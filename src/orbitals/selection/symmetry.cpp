#include "orbitals/selection/symmetry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <map>

#include "core/error.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/selection/text_lists.hpp"

namespace tessera::orbitals {

namespace {

using io::Spin;
using io::Wavefunction;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

const char* suffix_of(Spin spin) { return spin == Spin::alpha ? "a" : "b"; }

/// "2b1u". Irreps a and b would look like spins, and irreps that are numbers like larger numbers:
/// "2.a", "2.3".
std::string name_of(int number, const std::string& irrep) {
    const bool apart = irrep == "a" || irrep == "b" || is_digit(irrep.front());
    std::string name = fmt::format("{}{}{}", number, apart ? "." : "", irrep);
    std::ranges::replace_if(
        name, [](char c) { return c < ' ' || c > '~' || c == '/' || c == '\\'; }, '_');
    return name;
}

/// The labels of a file, and the orbitals of each irrep and spin in order of energy.
class Irreps {
  public:
    explicit Irreps(const Wavefunction& wavefunction) {
        const auto& orbitals = wavefunction.orbitals;
        for (std::size_t i = 0; i < orbitals.size(); ++i) {
            labels_.push_back(symmetry_label(orbitals[i].symmetry));
            if (labels_[i].irrep.empty()) continue;
            Members& members = irreps_[labels_[i].irrep];
            members.of_spin[orbitals[i].spin].push_back(static_cast<int>(i));
            members.numbered = members.numbered || labels_[i].number;
        }
        for (auto& [irrep, members] : irreps_)
            for (auto& [spin, all] : members.of_spin)
                std::ranges::stable_sort(
                    all, {}, [&](int i) { return orbitals[static_cast<std::size_t>(i)].energy; });
    }

    bool has(const std::string& irrep) const { return irreps_.contains(irrep); }
    std::size_t count() const { return irreps_.size(); }
    const SymmetryLabel& label(std::size_t orbital) const { return labels_[orbital]; }

    /// All orbitals of one spin to which the label belongs.
    std::vector<int> find(const SymmetryLabel& label, Spin spin) const {
        const Members& members = irreps_.at(label.irrep);
        const auto of_spin = members.of_spin.find(spin);
        if (of_spin == members.of_spin.end()) return {};
        const std::vector<int>& all = of_spin->second;
        const auto number = static_cast<std::size_t>(*label.number);
        if (!members.numbered)
            return number <= all.size() ? std::vector{all[number - 1]} : std::vector<int>{};
        std::vector<int> found;
        std::ranges::copy_if(all, std::back_inserter(found), [&](int i) {
            return labels_[static_cast<std::size_t>(i)].number == label.number;
        });
        return found;
    }

    /// The number by which find() finds an orbital.
    std::optional<int> number_of(std::size_t orbital, Spin spin) const {
        const SymmetryLabel& label = labels_[orbital];
        const Members& members = irreps_.at(label.irrep);
        if (members.numbered) return label.number;
        const auto& all = members.of_spin.at(spin);
        return static_cast<int>(std::ranges::find(all, static_cast<int>(orbital)) - all.begin()) +
               1;
    }

    /// What the file has instead of a label that is not there.
    std::string instead_of(const SymmetryLabel& label) const {
        if (irreps_.empty()) return "its orbitals have no symmetry labels";
        constexpr std::size_t most = 12;
        std::vector<std::string> names;
        if (!has(label.irrep)) {
            for (const auto& [irrep, members] : irreps_) names.push_back(io::one_line(irrep, 20));
            return "it has the irreps " + listed(names, most);
        }
        const Members& members = irreps_.at(label.irrep);
        for (const auto& [spin, all] : members.of_spin)
            for (const int i : all) {
                const auto number = number_of(static_cast<std::size_t>(i), spin);
                if (number) names.push_back(name_of(*number, label.irrep));
            }
        std::ranges::stable_sort(
            names, {}, [](const std::string& name) { return *symmetry_label(name).number; });
        names.erase(std::ranges::unique(names).begin(), names.end());
        return "of this irrep it has " + listed(names, most);
    }

  private:
    struct Members {
        std::map<Spin, std::vector<int>> of_spin;
        bool numbered = false;  ///< whether the file numbers any of them
    };

    static std::string listed(const std::vector<std::string>& names, std::size_t most) {
        const std::vector<std::string> shown(
            names.begin(),
            names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size())));
        return fmt::format("{}{}", fmt::join(shown, ", "),
                           names.size() > most ? fmt::format(" and {} more", names.size() - most)
                                               : "");
    }

    std::vector<SymmetryLabel> labels_;  ///< [orbital]
    std::map<std::string, Members> irreps_;
};

/// The readings of a request: its last letter belongs to the irrep, or is a spin.
struct Reading {
    SymmetryLabel label;
    std::optional<Spin> spin;
};

std::vector<Reading> readings_of(const SymmetryLabel& label) {
    std::vector<Reading> readings{{label, {}}};
    const char last = label.irrep.back();
    if (label.irrep.size() > 1 && (last == 'a' || last == 'b'))
        readings.push_back({{label.number, label.irrep.substr(0, label.irrep.size() - 1)},
                            last == 'a' ? Spin::alpha : Spin::beta});
    return readings;
}

}  // namespace

SymmetryLabel symmetry_label(std::string_view text) {
    std::string all;
    for (const char c : lower_case(std::string(text)))
        if (c != ' ' && c != '\t') all += c;
    int number = 0;
    const auto [end, code] = std::from_chars(all.data(), all.data() + all.size(), number);
    const auto digits = static_cast<std::size_t>(end - all.data());
    if (code != std::errc() || !is_digit(all.front())) return {{}, all};
    const bool dotted = digits < all.size() && all[digits] == '.';
    return {number, all.substr(digits + (dotted ? 1 : 0))};
}

bool names_symmetry(std::string_view text) {
    const SymmetryLabel label = symmetry_label(text);
    if (!label.number || label.irrep.empty() || label.irrep.find(':') != std::string::npos)
        return false;
    return std::ranges::all_of(label.irrep, is_digit) ||
           std::ranges::any_of(label.irrep,
                               [](unsigned char c) { return std::isalpha(c) || c > 127; });
}

SymmetryMatch find_by_symmetry(const Wavefunction& wavefunction, const std::string& text,
                               const char* option) {
    const SymmetryLabel asked = symmetry_label(text);
    const Irreps irreps(wavefunction);
    const std::string where = " in '" + io::one_line(wavefunction.path) + "'";
    SymmetryLabel wanted = asked;
    for (const Reading& reading : readings_of(asked)) {
        if (!irreps.has(reading.label.irrep)) continue;
        wanted = reading.label;
        const std::string name = name_of(*wanted.number, wanted.irrep);
        std::vector<std::pair<int, Spin>> found;
        for (const Spin spin : {Spin::alpha, Spin::beta})
            if (!reading.spin || spin == *reading.spin)
                for (const int i : irreps.find(wanted, spin)) found.emplace_back(i, spin);
        if (found.empty()) continue;
        if (found.size() == 1)
            return {name + (reading.spin ? suffix_of(*reading.spin) : ""), found[0].first};
        const bool two_spins = found.size() == 2 && found[0].second != found[1].second;
        std::vector<std::string> choices;
        for (const auto& [i, spin] : found)
            choices.push_back(two_spins ? name + suffix_of(spin) : std::to_string(i + 1));
        throw Error(
            fmt::format("{}: '{}' names several orbitals{}", option, io::one_line(text), where),
            two_spins ? "there is an alpha and a beta one"
                      : fmt::format("{} have this label", found.size()),
            "choose " + fmt::format("{}", fmt::join(choices, " or ")));
    }
    throw Error(fmt::format("{}: there is no orbital '{}'{}", option, io::one_line(text), where),
                irreps.instead_of(wanted), "see the labels with --list");
}

bool has_symmetry(const Wavefunction& wavefunction) { return Irreps(wavefunction).count() > 1; }

std::vector<std::string> symmetry_names(const Wavefunction& wavefunction) {
    const auto& orbitals = wavefunction.orbitals;
    std::vector<std::string> names(orbitals.size());
    const Irreps irreps(wavefunction);
    if (irreps.count() < 2) return names;
    const bool unrestricted = std::ranges::any_of(
        orbitals, [](const auto& orbital) { return orbital.spin == Spin::beta; });
    for (std::size_t i = 0; i < orbitals.size(); ++i) {
        const std::string& irrep = irreps.label(i).irrep;
        if (irrep.empty()) continue;
        const auto number = irreps.number_of(i, orbitals[i].spin);
        if (!number || irreps.find({number, irrep}, orbitals[i].spin).size() != 1) continue;
        names[i] = name_of(*number, irrep) + (unrestricted ? suffix_of(orbitals[i].spin) : "");
    }
    return names;
}

}  // namespace tessera::orbitals
