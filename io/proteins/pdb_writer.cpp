#include "io/proteins/pdb_writer.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/error.hpp"
#include "io/files/whole_file.hpp"

namespace tessera::io {
namespace {

std::string problem(const std::string& path) { return "cannot write '" + path + "'"; }

// Decimal if it fits `width` columns, otherwise base 36 from A000.. (hybrid-36; Grosse-Kunstleve).
std::string hybrid36(long value, int width, const std::string& path) {
    const std::string decimal = std::to_string(value);
    if (static_cast<int>(decimal.size()) <= width)
        return std::string(static_cast<std::size_t>(width) - decimal.size(), ' ') + decimal;
    long decimals = 1;
    long rest = 1;
    for (int i = 0; i < width; ++i) decimals *= 10;
    for (int i = 1; i < width; ++i) rest *= 36;
    long code = value - decimals + 10 * rest;
    if (value < 0 || code >= 36 * rest)
        throw Error(problem(path),
                    decimal + " does not fit into " + std::to_string(width) + " columns",
                    "renumber the structure");
    std::string digits(static_cast<std::size_t>(width), '0');
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, code /= 36)
        *digit = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[code % 36];
    return digits;
}

// The correctly rounded digits, as "%*.*f" of printf gives them.
std::string fixed(double value, std::size_t width, int decimals, const std::string& path) {
    char text[400];  // the longest double has 309 digits
    const auto end =
        std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, decimals).ptr;
    const auto length = static_cast<std::size_t>(end - text);
    if (length > width || !std::isfinite(value))
        throw Error(problem(path),
                    "the coordinate " + std::string(text, std::min<std::size_t>(length, 40)) +
                        " does not fit the PDB format's 8 columns",
                    "move the structure nearer to the origin");
    return std::string(width - length, ' ').append(text, length);
}

std::string right_aligned(const std::string& text, std::size_t width) {
    const std::string cut = text.substr(0, width);
    return std::string(width - cut.size(), ' ') + cut;
}

// One-letter elements begin in column 14, so that " CA " is a carbon and "CA " is calcium.
std::string aligned_atom_name(const AtomRecord& atom) {
    std::string name = atom.name.substr(0, 4);
    if (name.size() < 4 && atom.element.size() < 2) name.insert(0, 1, ' ');
    name.resize(4, ' ');
    return name;
}

// Columns 18 to 27 of ATOM and TER records.
std::string residue_field(const AtomRecord& atom, const std::string& chain,
                          const std::string& path) {
    return right_aligned(atom.residue, 3) + right_aligned(chain, 2) +
           hybrid36(atom.residue_number, 4, path) + atom.insertion_code;
}

std::string atom_line(const AtomRecord& atom, Vec3 at, long serial, const std::string& chain,
                      const std::string& path) {
    const double b_factor = std::clamp(atom.b_factor, -99.99, 999.99);
    return "ATOM  " + hybrid36(serial, 5, path) + " " + aligned_atom_name(atom) + " " +
           residue_field(atom, chain, path) + "   " + fixed(at.x, 8, 3, path) +
           fixed(at.y, 8, 3, path) + fixed(at.z, 8, 3, path) + "  1.00" +
           fixed(b_factor == b_factor ? b_factor : 0.0, 6, 2, path) + std::string(10, ' ') +
           right_aligned(atom.element, 2) + "  \n";
}

std::string ter_line(const AtomRecord& last, long serial, const std::string& chain,
                     const std::string& path) {
    std::string line = "TER   " + hybrid36(serial, 5, path) + std::string(6, ' ') +
                       residue_field(last, chain, path);
    line.resize(80, ' ');
    return line + "\n";
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

std::string part_lines(const ComplexPart& part, std::size_t index, const ChainPlan& plan,
                       long& serial, const std::string& path) {
    const std::vector<AtomRecord>& atoms = part.structure->atoms;
    std::string lines;
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        const std::string& chain = plan.names.at({index, atoms[i].chain});
        lines += atom_line(atoms[i], part.position(i), serial++, chain, path);
        if (i + 1 == atoms.size() || atoms[i + 1].segment != atoms[i].segment ||
            atoms[i + 1].chain != atoms[i].chain)
            lines += ter_line(atoms[i], serial++, chain, path);
    }
    return lines;
}

std::string atom_lines(const std::vector<ComplexPart>& parts, const ChainPlan& plan,
                       const std::string& path) {
    std::string lines;
    long serial = 1;
    for (std::size_t p = 0; p < parts.size(); ++p)
        lines += part_lines(parts[p], p, plan, serial, path);
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
        std::string begin = "MODEL     " + hybrid36(static_cast<long>(m + 1), 4, path);
        begin.resize(80, ' ');
        text += begin + "\n" + atom_lines(models[m].parts, plan, path) + "ENDMDL" +
                std::string(74, ' ') + "\n";
    }
    write_file(path, remark_lines(remarks, plan) + text);
}

}  // namespace tessera::io
