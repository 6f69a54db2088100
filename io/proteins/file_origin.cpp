#include "io/proteins/file_origin.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "io/proteins/atom_fields.hpp"

namespace tessera::io {

namespace {

/// What to look for, in upper case, and the name of the program.
constexpr std::array<std::pair<std::string_view, const char*>, 13> predictors{
    {{"ALPHAFOLD", "AlphaFold"},
     {"COLABFOLD", "ColabFold"},
     {"ESMFOLD", "ESMFold"},
     {"OPENFOLD", "OpenFold"},
     {"OMEGAFOLD", "OmegaFold"},
     {"HELIXFOLD", "HelixFold"},
     {"PROTENIX", "Protenix"},
     {"CHAI-1", "Chai-1"},
     {"BOLTZ-1", "Boltz"},
     {"BOLTZ-2", "Boltz"},
     {"BOLTZ1", "Boltz"},
     {"BOLTZ2", "Boltz"},
     {"PLDDT", "pLDDT"}}};

constexpr std::array<std::string_view, 6> experiments{"DIFFRACTION", "NMR",        "ELECTRON",
                                                      "MICROSCOPY",  "SCATTERING", "EPR"};

/// "AF-P01308-F1", with or without more behind it.
bool is_database_name(const std::string& text) {
    const std::size_t fragment = text.find("-F", 3);
    return text.starts_with("AF-") && fragment != std::string::npos && fragment + 2 < text.size() &&
           std::isdigit(static_cast<unsigned char>(text[fragment + 2]));
}

double number_in(std::string_view field) {
    field = trimmed_field(field);
    double value = 0;
    std::from_chars(field.data(), field.data() + field.size(), value);
    return value;
}

std::string_view from_column(std::string_view line, std::size_t first, std::size_t count) {
    return line.size() < first ? std::string_view() : line.substr(first - 1, count);
}

bool is_crystal_record(std::string_view line) {
    return is_crystal_cell(number_in(from_column(line, 7, 9)), number_in(from_column(line, 16, 9)),
                           number_in(from_column(line, 25, 9)));
}

/// "REMARK   2 RESOLUTION.    1.90 ANGSTROMS."
bool gives_resolution(const std::string& line) {
    const std::size_t word = line.find("RESOLUTION.");
    return word != std::string::npos && number_in(std::string_view(line).substr(word + 11)) > 0;
}

}  // namespace

std::string predictor_in(std::string_view text) {
    const std::string upper = upper_case(text);
    for (const auto& [words, name] : predictors)
        if (upper.find(words) != std::string::npos) return name;
    return is_database_name(upper) ? "AlphaFold" : "";
}

bool names_experiment(std::string_view method) {
    const std::string upper = upper_case(method);
    return std::ranges::any_of(
        experiments, [&](std::string_view word) { return upper.find(word) != std::string::npos; });
}

bool is_crystal_cell(double a, double b, double c) { return a > 2 && b > 2 && c > 2; }

void note_pdb_header(std::string_view line, FileOrigin& origin) {
    const std::string record = upper_case(trimmed_field(line.substr(0, 6)));
    const auto note = [&](const std::string& what, const std::string& predictor) {
        if (origin.prediction.empty() && !predictor.empty())
            origin.prediction = what + " names " + predictor;
    };
    const auto note_experiment = [&](const std::string& what) {
        if (origin.experiment.empty()) origin.experiment = what;
    };
    if (record == "EXPDTA" && names_experiment(line)) note_experiment(record);
    if (record == "CRYST1" && is_crystal_record(line)) note_experiment(record);
    if (record == "REMARK") {
        // Remarks of experiments name AlphaFold where it gave the starting model.
        const std::string upper = upper_case(line);
        if (trimmed_field(from_column(line, 8, 3)) == "2" && gives_resolution(upper))
            note_experiment("REMARK 2");
        if (upper.find("PLDDT") != std::string::npos) note(record, "pLDDT");
    }
    for (const char* named : {"HEADER", "TITLE", "COMPND", "EXPDTA"})
        if (record == named) note(record, predictor_in(trimmed_field(from_column(line, 11, 70))));
}

}  // namespace tessera::io
