// HADDOCK's tables of restraints, in the syntax of CNS (restraint_file.hpp).
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "core/error.hpp"
#include "docking/restraints/restraint_file.hpp"
#include "docking/restraints/selection_parser.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

constexpr const char* statement = "write: assign (selection) (selection) distance minus plus";

AtomSelection read_selection(SelectionWords& words) {
    if (words.peek() != "(")
        words.fail(words.at_end()
                       ? "the text ends where a selection is expected"
                       : "'" + io::one_line(words.peek(), 40) + "' stands where '(' is expected",
                   statement);
    words.next();
    AtomSelection selection = parse_selection(words, SegidMeaning::partner);
    if (words.next() != ")")
        words.fail("a parenthesis is not closed",
                   "put 'and' or 'or' between conditions, and ')' at the end");
    return selection;
}

double read_distance(SelectionWords& words) {
    const std::string word(words.next());
    double value = 0;
    const char* const end = word.data() + word.size();
    const auto [next, status] = std::from_chars(word.data(), end, value);
    if (status != std::errc{} || next != end || !std::isfinite(value))
        words.fail(word.empty() ? "a distance is missing"
                                : "'" + io::one_line(word, 40) + "' is not a distance",
                   statement);
    return value;
}

}  // namespace

bool is_haddock_table(const io::TextSource& source) {
    if (std::filesystem::path(source.path).extension() == ".tbl") return true;
    try {
        SelectionWords words(source.text, source.path, 1);
        return is_keyword(words.peek(), "assign");
    } catch (const Error&) {
        return false;
    }
}

RestraintFile parse_haddock_table(const io::TextSource& source) {
    RestraintFile file;
    file.is_haddock_table = true;
    SelectionWords words(source.text, source.path, 1);
    while (!words.at_end()) {
        RestraintLine restraint;
        restraint.where = words.place();
        if (!is_keyword(words.peek(), "assign"))
            words.fail("'" + io::one_line(words.peek(), 40) + "' begins no restraint", statement);
        words.next();
        restraint.first = read_selection(words);
        restraint.second = read_selection(words);
        const double distance = read_distance(words);
        const double minus = read_distance(words);
        const double plus = read_distance(words);
        restraint.lower = std::max(0.0, distance - minus);
        restraint.upper = distance + plus;
        restraint.name = std::to_string(file.restraints.size() + 1);
        check_bounds(restraint);
        file.restraints.push_back(std::move(restraint));
    }
    if (file.restraints.empty())
        throw Error("'" + source.path + "' has no restraints", "it has no line to read", statement);
    const std::string name = std::filesystem::path(source.path).stem().string();
    file.groups.push_back({io::one_line(name), {}, file.restraints.front().where});
    file.path = source.path;
    file.sha256 = source.sha256;
    return file;
}

}  // namespace tessera::docking
