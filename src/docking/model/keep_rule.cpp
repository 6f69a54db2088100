#include "docking/model/keep_rule.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

constexpr std::size_t longest_name = 5;  // of the chemical component dictionary

/// A word and the partners that it is for.
struct Word {
    std::string text;
    bool receptor = true, ligand = true;
};

[[noreturn]] void refuse(const char* option, const std::string& text, const std::string& why) {
    throw Error(std::string(option) + " '" + io::one_line(text, 60) + "' cannot be used", why,
                "write names of residues such as HEM,ZN, also as receptor=HEM,ligand=none (see "
                "tessera dock --help)");
}

std::vector<Word> words_of(const std::string& text) {
    std::vector<Word> words;
    std::string word;
    for (const char c : text + ",") {
        if (c != ',' && c != ';' && c != ' ') {
            word += c;
            continue;
        }
        if (word.empty()) continue;
        Word one;
        for (const std::string_view partner : {"receptor=", "ligand="}) {
            if (!word.starts_with(partner)) continue;
            word.erase(0, partner.size());
            one.receptor = partner == "receptor=";
            one.ligand = !one.receptor;
        }
        one.text = std::exchange(word, {});
        words.push_back(std::move(one));
    }
    return words;
}

/// The name of a residue in upper case.
std::string residue_name(const char* option, const std::string& word, const std::string& text) {
    std::string name;
    for (const unsigned char c : word) name += static_cast<char>(std::toupper(c));
    const bool is_name = !name.empty() && name.size() <= longest_name &&
                         std::ranges::all_of(name, [](unsigned char c) {
                             return c < 128 && (std::isalnum(c) || c == '+' || c == '-');
                         });
    if (!is_name) refuse(option, text, "'" + io::one_line(word, 20) + "' is no name of a residue");
    return name;
}

KeepRule keep_of(const std::vector<std::string>& words, const std::string& text) {
    KeepRule rule;
    if (words.empty()) return rule;
    rule.automatic = false;
    const bool none = std::ranges::count(words, "none") > 0;
    if (none && words.size() > 1) refuse("--keep", text, "'none' stands beside other words");
    for (const std::string& word : words) {
        if (word == "auto")
            rule.automatic = true;
        else if (word == "all")
            rule.all = true;
        else if (word == "nucleic")
            rule.nucleic = true;
        else if (!none)
            rule.names.insert(residue_name("--keep", word, text));
    }
    return rule;
}

}  // namespace

KeepRules parse_keep(const std::string& keep, const std::string& drop) {
    std::array<std::vector<std::string>, 2> kept;
    for (const Word& word : words_of(keep)) {
        if (word.receptor) kept[0].push_back(word.text);
        if (word.ligand) kept[1].push_back(word.text);
    }
    KeepRules rules{keep_of(kept[0], keep), keep_of(kept[1], keep)};
    for (const Word& word : words_of(drop)) {
        const std::string name = residue_name("--drop", word.text, drop);
        if (word.receptor) rules.receptor.drop.insert(name);
        if (word.ligand) rules.ligand.drop.insert(name);
    }
    return rules;
}

}  // namespace tessera::docking
