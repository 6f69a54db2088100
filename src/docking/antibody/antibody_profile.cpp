#include "docking/antibody/antibody_profile.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "io/files/data_files.hpp"
#include "io/text/csv_table.hpp"

namespace tessera::docking {
namespace {

constexpr double loop_gap = 0.05;       // a CDR may have any length
constexpr double unknown_score = -1.0;  // of a letter that no column has

AntibodyProfile empty_profile(const std::string& name) {
    AntibodyProfile profile{name, {}};
    for (int p = 1; p <= imgt_positions; ++p) {
        AntibodyProfile::Position& position = profile.positions[p];
        position.framework = cdr_of(p) < 0;
        position.gap = loop_gap;
        position.score.fill(position.framework ? unknown_score : 0.0);
    }
    return profile;
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
    throw Error("cannot read antibody profiles '" + path + "'", why,
                "make them with potentials/derive_antibody_profiles");
}

/// The column of each letter; the header names them after class, position and gap.
std::vector<int> letters_of(const io::CsvRow& header, const std::string& path) {
    std::vector<int> letters;
    for (std::size_t c = 3; c < header.fields.size(); ++c) {
        const std::string& name = header.fields[c];
        if (name.size() != 1 || name[0] < 'A' || name[0] > 'Z')
            refuse(path, "the header has a column '" + name + "'");
        letters.push_back(name[0] - 'A');
    }
    if (letters.empty()) refuse(path, "the header names no letters");
    return letters;
}

}  // namespace

int cdr_of(int position) {
    for (int cdr = 0; cdr < 3; ++cdr)
        if (position >= cdr_ranges[cdr][0] && position <= cdr_ranges[cdr][1]) return cdr;
    return -1;
}

std::vector<AntibodyProfile> parse_antibody_profiles(const io::TextSource& source) {
    const std::vector<io::CsvRow> rows = io::parse_csv_table(source);
    const std::vector<int> letters = letters_of(rows.front(), source.path);
    std::vector<AntibodyProfile> profiles;
    std::size_t framework = 0;
    for (std::size_t r = 1; r < rows.size(); ++r) {
        const io::CsvRow& row = rows[r];
        if (row.fields.size() != letters.size() + 3)
            refuse(source.path, "line " + std::to_string(row.line) + " has too few fields");
        if (profiles.empty() || profiles.back().name != row.fields[0])
            profiles.push_back(empty_profile(row.fields[0]));
        const double number = io::csv_number(row, 1, source.path);
        if (!(number >= 1 && number <= imgt_positions) || cdr_of(static_cast<int>(number)) >= 0)
            refuse(source.path, "line " + std::to_string(row.line) + " has no framework position");
        AntibodyProfile::Position& position =
            profiles.back().positions[static_cast<std::size_t>(number)];
        position.gap = io::csv_number(row, 2, source.path);
        for (std::size_t i = 0; i < letters.size(); ++i)
            position.score[letters[i]] = io::csv_number(row, i + 3, source.path);
        ++framework;
    }
    constexpr std::size_t framework_positions = imgt_positions - 12 - 10 - 13;
    if (profiles.empty() || framework != profiles.size() * framework_positions)
        refuse(source.path, "framework positions are missing");
    return profiles;
}

std::vector<AntibodyProfile> load_antibody_profiles() {
    return parse_antibody_profiles(io::read_csv_text(io::data_file("antibody/profiles.csv")));
}

}  // namespace tessera::docking
