#include "io/proteins/pdb_writer.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "io/files/whole_file.hpp"
#include "io/text/fixed_point.hpp"

namespace tessera::io {
namespace {

std::string problem(const std::string& path) { return "cannot write '" + path + "'"; }

// Decimal if it fits `width` columns, otherwise base 36 from A000.. (hybrid-36; Grosse-Kunstleve).
void add_hybrid36(std::string& text, long value, std::size_t width, const std::string& path) {
    const std::size_t begin = text.size();
    append_whole(text, value);
    const std::size_t length = text.size() - begin;
    if (length <= width) {
        text.insert(begin, width - length, ' ');
        return;
    }
    const std::string decimal = text.substr(begin);
    text.resize(begin);
    long decimals = 1;
    long rest = 1;
    for (std::size_t i = 0; i < width; ++i) decimals *= 10;
    for (std::size_t i = 1; i < width; ++i) rest *= 36;
    long code = value - decimals + 10 * rest;
    if (value < 0 || code >= 36 * rest)
        throw Error(problem(path),
                    decimal + " does not fit into " + std::to_string(width) + " columns",
                    "renumber the structure");
    std::string digits(width, '0');
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, code /= 36)
        *digit = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[code % 36];
    text += digits;
}

// The correctly rounded digits, as "%*.*f" of printf gives them.
void add_fixed(std::string& text, double value, std::size_t width, int decimals,
               const std::string& path) {
    const std::size_t begin = text.size();
    append_fixed(text, value, decimals);
    const std::size_t length = text.size() - begin;
    if (length > width || !std::isfinite(value))
        throw Error(problem(path),
                    "the coordinate " + text.substr(begin, 40) +
                        " does not fit the PDB format's 8 columns",
                    "move the structure nearer to the origin");
    text.insert(begin, width - length, ' ');
}

void add_right_aligned(std::string& text, const std::string& field, std::size_t width) {
    const std::size_t length = std::min(field.size(), width);
    text.append(width - length, ' ').append(field, 0, length);
}

// One-letter elements begin in column 14, so that " CA " is a carbon and "CA " is calcium.
void add_atom_name(std::string& text, const AtomRecord& atom) {
    const std::size_t end = text.size() + 4;
    if (atom.name.size() < 4 && atom.element.size() < 2) text += ' ';
    text.append(atom.name, 0, 4);
    text.resize(end, ' ');
}

// Columns 18 to 27 of ATOM and TER records.
void add_residue(std::string& text, const AtomRecord& atom, const std::string& chain,
                 const std::string& path) {
    add_right_aligned(text, atom.residue, 3);
    add_right_aligned(text, chain, 2);
    add_hybrid36(text, atom.residue_number, 4, path);
    text += atom.insertion_code;
}

void add_atom_line(std::string& text, const AtomRecord& atom, Vec3 at, long serial,
                   const std::string& chain, const std::string& path) {
    const double b_factor = std::clamp(atom.b_factor, -99.99, 999.99);
    text += atom.hetero ? "HETATM" : "ATOM  ";
    add_hybrid36(text, serial, 5, path);
    text += ' ';
    add_atom_name(text, atom);
    text += ' ';
    add_residue(text, atom, chain, path);
    text += "   ";
    for (const double x : {at.x, at.y, at.z}) add_fixed(text, x, 8, 3, path);
    text += "  1.00";
    add_fixed(text, b_factor == b_factor ? b_factor : 0.0, 6, 2, path);
    text.append(10, ' ');
    add_right_aligned(text, atom.element, 2);
    text += "  \n";
}

void add_ter_line(std::string& text, const AtomRecord& last, long serial, const std::string& chain,
                  const std::string& path) {
    const std::size_t end = text.size() + 80;
    text += "TER   ";
    add_hybrid36(text, serial, 5, path);
    text.append(6, ' ');
    add_residue(text, last, chain, path);
    text.resize(end, ' ');
    text += '\n';
}

// Free text as REMARK records, 80 columns wide, on as many lines as needed.
std::string remark_lines(const std::string& remark) {
    std::string text = remark;
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 32; }, ' ');
    std::string lines;
    constexpr std::size_t room = 69;
    for (std::size_t begin = 0; begin == 0 || begin < text.size(); begin += room)
        lines += "REMARK   6 " + text.substr(begin, room) + "\n";
    return lines;
}

bool ends_segment(const std::vector<AtomRecord>& atoms, std::size_t i) {
    return i + 1 == atoms.size() || atoms[i + 1].segment != atoms[i].segment ||
           atoms[i + 1].chain != atoms[i].chain;
}

void add_part(std::string& text, const ComplexPart& part, std::size_t index, const ChainPlan& plan,
              long& serial, const std::string& path) {
    const std::vector<AtomRecord>& atoms = part.structure->atoms;
    const std::string* chain = nullptr;
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        if (!chain) chain = &plan.names.at({index, atoms[i].chain});
        add_atom_line(text, atoms[i], part.position(i), serial++, *chain, path);
        if (!ends_segment(atoms, i)) continue;
        if (!atoms[i].hetero) add_ter_line(text, atoms[i], serial++, *chain, path);
        chain = nullptr;
    }
}

std::string atom_lines(const std::vector<ComplexPart>& parts, const ChainPlan& plan,
                       const std::string& path) {
    constexpr std::size_t line_bytes = 82;
    std::size_t atoms = 0;
    for (const ComplexPart& part : parts) atoms += part.structure->atoms.size() + 1;
    std::string lines;
    lines.reserve(atoms * line_bytes);
    long serial = 1;
    for (std::size_t p = 0; p < parts.size(); ++p) add_part(lines, parts[p], p, plan, serial, path);
    return lines;
}

std::string remark_lines(const std::vector<std::string>& remarks, const ChainPlan& plan) {
    std::string lines;
    for (const std::string& remark : remarks) lines += remark_lines(remark);
    for (const std::string& remark : plan.remarks) lines += remark_lines(remark);
    return lines;
}

void write_file(const std::string& path, const std::string& text) {
    WholeFile file(path);
    file.write(text);
    file.write("END" + std::string(77, ' ') + "\n");
    file.commit();
}

}  // namespace

void write_pdb(const std::string& path, const std::vector<std::string>& remarks,
               const std::vector<ComplexPart>& parts, const ChainRules& rules) {
    const ChainPlan plan = plan_chains(parts, rules, path);
    write_file(path, remark_lines(remarks, plan) + atom_lines(parts, plan, path));
}

void write_pdb_models(const std::string& path, std::vector<std::string> remarks,
                      const std::vector<ComplexModel>& models, const ChainRules& rules) {
    std::string text;
    ChainPlan plan;
    for (std::size_t m = 0; m < models.size(); ++m) {
        plan = plan_chains(models[m].parts, rules, path);
        for (const std::string& remark : models[m].remarks)
            remarks.push_back("model " + std::to_string(m + 1) + ": " + remark);
        std::string begin = "MODEL     ";
        add_hybrid36(begin, static_cast<long>(m + 1), 4, path);
        begin.resize(80, ' ');
        text += begin + "\n" + atom_lines(models[m].parts, plan, path) + "ENDMDL" +
                std::string(74, ' ') + "\n";
    }
    write_file(path, remark_lines(remarks, plan) + text);
}

}  // namespace tessera::io
