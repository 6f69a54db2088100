#include "docking/result/partner_atoms.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/hdf5/result_values.hpp"

namespace tessera::docking {

namespace {

using io::AtomRecord;
using io::h5::Group;
using Texts = std::vector<std::string>;

constexpr std::size_t longest_text = 64;
constexpr double farthest = 1e5;  // Angstrom; structure files have the same limit

/// The texts of an atom. A dataset of each name holds their places in the list of all texts.
constexpr std::array<std::pair<const char*, std::string AtomRecord::*>, 5> text_columns = {
    {{"name", &AtomRecord::name},
     {"residue_name", &AtomRecord::residue},
     {"residue_variant", &AtomRecord::variant},
     {"chain", &AtomRecord::chain},
     {"element", &AtomRecord::element}}};

constexpr std::array<std::pair<const char*, int AtomRecord::*>, 3> whole_columns = {
    {{"residue_number", &AtomRecord::residue_number},
     {"residue_index", &AtomRecord::residue_index},
     {"segment", &AtomRecord::segment}}};

bool is_plain(char c) { return c >= ' ' && c <= '~'; }

bool is_plain(const std::string& text) {
    return text.size() <= longest_text &&
           std::ranges::all_of(text, [](char c) { return is_plain(c); });
}

bool is_plain(const io::Structure& structure) {
    return std::ranges::all_of(structure.atoms, [](const AtomRecord& atom) {
        return is_plain(atom.insertion_code) &&
               std::ranges::all_of(
                   text_columns, [&](const auto& column) { return is_plain(atom.*column.second); });
    });
}

io::h5::DatasetOptions packed(const char* units = "") {
    io::h5::DatasetOptions options;
    options.units = units;
    options.deflate = 6;
    return options;
}

template <class T, class Value>
void write_column(Group& group, const char* name, const io::Structure& structure,
                  const Value& value) {
    std::vector<T> values;
    values.reserve(structure.atoms.size());
    for (const AtomRecord& atom : structure.atoms) values.push_back(static_cast<T>(value(atom)));
    group.write(name, values, packed());
}

void write_texts(Group& group, const io::Structure& structure) {
    std::map<std::string, std::int32_t> places;
    for (const auto& column : text_columns)
        for (const AtomRecord& atom : structure.atoms) places.emplace(atom.*column.second, 0);
    Texts texts;
    texts.reserve(places.size());
    for (auto& [text, place] : places) {
        place = static_cast<std::int32_t>(texts.size());
        texts.push_back(text);
    }
    group.write_strings("texts", texts);
    for (const auto& column : text_columns)
        write_column<std::int32_t>(group, column.first, structure, [&](const AtomRecord& atom) {
            return places.at(atom.*column.second);
        });
}

void write_atoms(Group group, const io::Structure& structure) {
    write_texts(group, structure);
    for (const auto& column : whole_columns)
        write_column<std::int32_t>(group, column.first, structure,
                                   [&](const AtomRecord& atom) { return atom.*column.second; });
    write_column<std::int8_t>(group, "insertion_code", structure,
                              [](const AtomRecord& atom) { return atom.insertion_code; });
    if (std::ranges::any_of(structure.atoms, &AtomRecord::hetero))
        write_column<std::int8_t>(group, "hetero", structure,
                                  [](const AtomRecord& atom) { return atom.hetero; });
    if (std::ranges::any_of(structure.atoms, &AtomRecord::nucleic))
        write_column<std::int8_t>(group, "nucleic", structure,
                                  [](const AtomRecord& atom) { return atom.nucleic; });
    std::vector<double> b_factors, positions;
    b_factors.reserve(structure.atoms.size());
    for (const AtomRecord& atom : structure.atoms) {
        b_factors.push_back(atom.b_factor);
        positions.insert(positions.end(), {atom.position.x, atom.position.y, atom.position.z});
    }
    group.write("b_factor", b_factors, packed("angstrom^2"));
    group.write("position", positions, {structure.atoms.size(), 3}, packed("angstrom"));
}

}  // namespace

void write_partners(Group& docking, const Partners& partners) {
    if (!is_plain(partners.receptor) || !is_plain(partners.ligand)) return;
    write_atoms(docking.group("receptor/atoms"), partners.receptor);
    write_atoms(docking.group("ligand/atoms"), partners.ligand);
}

void require_plain_names(const Partners& partners) {
    if (!is_plain(partners.receptor) || !is_plain(partners.ligand))
        throw Error("conformers of these partners cannot be docked",
                    "the result must hold their atoms, and a name has other characters than text",
                    "repair the names of atoms, residues and chains");
}

namespace {

[[noreturn]] void refuse(const Group& group, const std::string& name, const std::string& why) {
    group.refuse("'" + group.name() + "/" + name + "'", why);
}

/// Residues and segments are numbered from 0, in the order of the atoms.
void require_steps(const Group& group, const std::string& name,
                   const std::vector<std::int32_t>& numbers) {
    std::int32_t before = -1;
    for (const std::int32_t number : numbers) {
        const bool steps = number == before + 1 || (number == before && before >= 0);
        if (!steps) refuse(group, name, "it does not count from 0 in steps of 1");
        before = number;
    }
}

Texts read_texts(const Group& group) {
    Texts texts = io::read_shaped_texts(group, "texts", io::length_of(group, "texts"));
    for (const std::string& text : texts)
        if (!is_plain(text))
            refuse(group, "texts", "a text is too long or has characters that no name has");
    return texts;
}

void read_text_columns(const Group& group, std::vector<AtomRecord>& atoms) {
    const Texts texts = read_texts(group);
    for (const auto& [name, member] : text_columns) {
        const auto places = io::read_within<std::int32_t>(
            group, name, {atoms.size()}, 0, static_cast<std::int32_t>(texts.size()) - 1);
        for (std::size_t i = 0; i < atoms.size(); ++i) atoms[i].*member = texts[places[i]];
    }
}

void read_whole_columns(const Group& group, std::vector<AtomRecord>& atoms) {
    for (const auto& [name, member] : whole_columns) {
        const auto values = io::read_shaped<std::int32_t>(group, name, {atoms.size()});
        if (member != &AtomRecord::residue_number) require_steps(group, name, values);
        for (std::size_t i = 0; i < atoms.size(); ++i) atoms[i].*member = values[i];
    }
}

/// Molecules that were kept beside the protein follow it. Files without any lack the dataset.
void read_hetero(const Group& group, std::vector<AtomRecord>& atoms) {
    if (!group.contains("hetero")) return;
    const auto flags = io::read_within<std::int8_t>(group, "hetero", {atoms.size()}, 0, 1);
    if (!std::ranges::is_sorted(flags) || flags.front() != 0)
        refuse(group, "hetero", "atoms of the protein do not come first");
    for (std::size_t i = 0; i < atoms.size(); ++i) atoms[i].hetero = flags[i] != 0;
}

/// Files without nucleotides lack the dataset.
void read_nucleic(const Group& group, std::vector<AtomRecord>& atoms) {
    if (!group.contains("nucleic")) return;
    const auto flags = io::read_within<std::int8_t>(group, "nucleic", {atoms.size()}, 0, 1);
    for (std::size_t i = 0; i < atoms.size(); ++i) atoms[i].nucleic = flags[i] != 0;
}

io::Structure read_atoms(const Group& group) {
    const io::h5::Shape stored = group.open_dataset("position").shape();
    const std::uint64_t count = stored.empty() ? 0 : stored[0];
    if (count == 0) refuse(group, "position", "it has no atoms");
    const auto positions = io::read_finite(group, "position", {count, 3});
    if (std::ranges::any_of(positions, [](double x) { return x < -farthest || x > farthest; }))
        refuse(group, "position", "an atom is farther than 10^5 A away");
    const auto b_factors = io::read_finite(group, "b_factor", {count});
    const auto codes = io::read_within<std::int8_t>(group, "insertion_code", {count}, ' ', '~');
    io::Structure structure;
    structure.atoms.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        AtomRecord& atom = structure.atoms[i];
        atom.position = {positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
        atom.b_factor = b_factors[i];
        atom.insertion_code = static_cast<char>(codes[i]);
    }
    read_hetero(group, structure.atoms);
    read_nucleic(group, structure.atoms);
    read_whole_columns(group, structure.atoms);
    read_text_columns(group, structure.atoms);
    return structure;
}

}  // namespace

std::optional<Partners> read_partners(const Group& docking) {
    if (!docking.contains("receptor") && !docking.contains("ligand")) return std::nullopt;
    return Partners{read_atoms(docking.open_group("receptor/atoms")),
                    read_atoms(docking.open_group("ligand/atoms"))};
}

}  // namespace tessera::docking
