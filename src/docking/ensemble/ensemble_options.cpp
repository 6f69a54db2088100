#include "docking/ensemble/ensemble_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

constexpr int last_model = 100'000;

/// A whole number from 1 on, or 0 if the text is none.
int number_of(std::string_view text) {
    int value = 0;
    const char* const end = text.data() + text.size();
    const auto [next, status] = std::from_chars(text.data(), end, value);
    return status == std::errc{} && next == end && value >= 1 && value <= last_model ? value : 0;
}

void require_count(const char* option, int count) {
    if (count < 1 || count > most_conformers)
        throw Error(fmt::format("{} {} is out of range", option, count), "nothing was computed",
                    fmt::format("choose between 1 and {}", most_conformers));
}

void refuse_both(const std::string& option, const std::string& other) {
    throw Error(option + " cannot be combined with " + other,
                "a partner has either conformers from files or conformers along its normal modes",
                "give one of them");
}

/// `files`: what is given of the conformers of a partner in files.
void check_partner(const std::string& partner, const std::string& models,
                   const std::vector<std::string>& files, int conformers) {
    const std::string option = "--" + partner + "-models";
    if (!models.empty()) parse_models(option, models);
    if (conformers > 1 && !models.empty()) refuse_both("--" + partner + "-conformers", option);
    if (conformers > 1 && !files.empty())
        refuse_both("--" + partner + "-conformers", "--add-" + partner);
}

}  // namespace

ModelChoice parse_models(const std::string& option, const std::string& text) {
    if (text == "all") return {true, {}};
    ModelChoice choice;
    const auto refuse = [&] {
        throw Error(option + " '" + io::one_line(text, 60) + "' is not understood",
                    "it names the models of a file that are docked",
                    "write all, or numbers and ranges such as 1,3-5");
    };
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view item = std::string_view(text).substr(begin, end - begin);
        const std::size_t dash = std::min(item.find('-'), item.size());
        const int first = number_of(item.substr(0, dash));
        const int last = dash == item.size() ? first : number_of(item.substr(dash + 1));
        if (first == 0 || last < first || last - first >= most_conformers) refuse();
        for (int place = first; place <= last; ++place)
            if (std::ranges::find(choice.places, place) == choice.places.end())
                choice.places.push_back(place);
        begin = end + 1;
    }
    return choice;
}

void validate(const EnsembleOptions& options) {
    require_count("--conformers", options.conformers);
    require_count("--receptor-conformers", options.receptor_conformers);
    require_count("--ligand-conformers", options.ligand_conformers);
    if (!(options.rmsd >= 0.01 && options.rmsd <= 10))
        throw Error(fmt::format("--conformer-rmsd {} is out of range", options.rmsd),
                    "nothing was computed", "choose between 0.01 and 10");
    if (options.rmsd != EnsembleOptions{}.rmsd && !options.has_modes())
        throw Error("--conformer-rmsd is given without --conformers",
                    "no conformer is made along normal modes", "add --conformers 5");
    check_partner("receptor", options.receptor_models, options.receptor_files,
                  options.receptor_conformers);
    check_partner("ligand", options.ligand_models, options.ligand_files, options.ligand_conformers);
    if (options.conformers == 1) return;
    if (options.receptor_conformers > 1) refuse_both("--conformers", "--receptor-conformers");
    if (options.ligand_conformers > 1) refuse_both("--conformers", "--ligand-conformers");
    EnsembleOptions files = options;
    files.conformers = 1;
    if (files.is_set())
        throw Error("--conformers cannot be combined with conformers from files",
                    "it takes the partner with fewer atoms, whichever that is",
                    "say which partner: --receptor-conformers N or --ligand-conformers N");
}

}  // namespace tessera::docking
