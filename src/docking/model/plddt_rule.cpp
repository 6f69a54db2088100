#include "docking/model/plddt_rule.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

constexpr double lowest = 1, highest = 100;
constexpr const char* what_to_write =
    "write auto, off, a number such as 70, or one for each partner: receptor=70,ligand=off";

PlddtRule parse_value(const std::string& value, PlddtRule::Kind kind_of_number) {
    if (value == "auto") return {};
    if (value == "off") return {PlddtRule::Kind::off, default_plddt};
    PlddtRule rule{kind_of_number, 0};
    const char* const end = value.data() + value.size();
    const auto [next, status] = std::from_chars(value.data(), end, rule.threshold);
    if (status != std::errc{} || next != end)
        throw Error("--plddt '" + io::one_line(value, 40) + "' is not understood",
                    "it says which residues of predicted models are left out", what_to_write);
    if (!(rule.threshold >= lowest && rule.threshold <= highest))
        throw Error("--plddt " + io::one_line(value, 40) + " is out of range",
                    "pLDDT goes from 0 to 100", "choose between 1 and 100, or write off");
    return rule;
}

}  // namespace

PlddtRules parse_plddt(const std::string& text) {
    if (text.find('=') == std::string::npos) {
        const PlddtRule both = parse_value(text, PlddtRule::Kind::given);
        return {both, both};
    }
    PlddtRules rules;
    bool has_receptor = false, has_ligand = false;
    std::string items = text;
    for (char& c : items)
        if (c == ';' || c == ',') c = ' ';
    std::istringstream fields(items);
    for (std::string item; fields >> item;) {
        const std::size_t equals = std::min(item.find('='), item.size());
        const std::string partner = item.substr(0, equals);
        bool& has = partner == "receptor" ? has_receptor : has_ligand;
        if ((partner != "receptor" && partner != "ligand") || has || equals == item.size())
            throw Error("--plddt '" + io::one_line(text, 60) + "' is not understood",
                        "each partner may be named once", what_to_write);
        has = true;
        (partner == "receptor" ? rules.receptor : rules.ligand) =
            parse_value(item.substr(equals + 1), PlddtRule::Kind::forced);
    }
    return rules;
}

}  // namespace tessera::docking
