#include "docking/restraints/selection_parser.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "core/error.hpp"
#include "io/text/nearest_word.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

using Kind = AtomSelection::Kind;

constexpr int deepest = 100;  ///< parentheses within parentheses
constexpr std::array<std::string_view, 8> keywords{"resid", "resn", "name", "segid",
                                                   "chain", "not",  "all",  "resname"};
constexpr const char* example = "write, for example: resid 12 and chain A and name CA";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool ends_word(char c) {
    return is_blank(c) || c == '(' || c == ')' || c == '!' || c == '{' || c == '"';
}

}  // namespace

SelectionWords::SelectionWords(std::string_view text, std::string path, int line)
    : text_(text), path_(std::move(path)), line_(line), word_line_(line) {}

void SelectionWords::skip_blanks() {
    char closing = 0;  // of the comment that is being skipped
    for (; at_ < text_.size(); ++at_) {
        const char c = text_[at_];
        if (closing == 0 && !is_blank(c) && c != '!' && c != '{') return;
        if (closing == 0 && (c == '!' || c == '{'))
            closing = c == '!' ? '\n' : '}';
        else if (c == closing)
            closing = 0;
        if (c == '\n') ++line_;
    }
}

void SelectionWords::read() {
    skip_blanks();
    is_read_ = true;
    is_quoted_ = false;
    word_line_ = line_;
    const std::size_t start = at_;
    if (at_ == text_.size()) {
        word_ = {};
    } else if (text_[at_] == '(' || text_[at_] == ')') {
        word_ = text_.substr(at_++, 1);
    } else if (text_[at_] == '"') {
        const std::size_t end = text_.find_first_of("\"\n", at_ + 1);
        if (end == std::string_view::npos || text_[end] == '\n')
            fail("a quotation mark is not closed", "close it in the same line");
        is_quoted_ = true;
        word_ = text_.substr(start + 1, end - start - 1);
        at_ = end + 1;
    } else {
        while (at_ < text_.size() && !ends_word(text_[at_])) ++at_;
        word_ = text_.substr(start, at_ - start);
    }
}

std::string_view SelectionWords::peek() {
    if (!is_read_) read();
    return word_;
}

std::string_view SelectionWords::next() {
    const std::string_view word = peek();
    is_read_ = false;
    was_quoted_ = is_quoted_;
    return word;
}

bool SelectionWords::at_end() { return peek().empty() && !is_quoted_; }

std::string SelectionWords::place() {
    peek();
    return path_ + ":" + std::to_string(word_line_);
}

void SelectionWords::fail(const std::string& why, const std::string& what_to_do) const {
    throw Error("cannot read restraints '" + path_ + ":" + std::to_string(word_line_) + "'", why,
                what_to_do);
}

bool is_keyword(std::string_view word, std::string_view keyword) {
    if (word.size() > keyword.size() || word.size() < std::min<std::size_t>(4, keyword.size()))
        return false;
    return std::equal(word.begin(), word.end(), keyword.begin(), [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == b;
    });
}

namespace {

class SelectionParser {
  public:
    SelectionParser(SelectionWords& words, SegidMeaning segid) : words_(words), segid_(segid) {}

    AtomSelection any_of() {
        return chain_of(Kind::any_of, "or", [&] { return all_of(); });
    }

  private:
    AtomSelection all_of() {
        return chain_of(Kind::all_of, "and", [&] { return condition(); });
    }

    /// One part, or several with `word` between them.
    template <class Read>
    AtomSelection chain_of(Kind kind, std::string_view word, const Read& read) {
        AtomSelection first = read();
        if (!is_keyword(words_.peek(), word)) return first;
        AtomSelection all;
        all.kind = kind;
        all.parts.push_back(std::move(first));
        while (is_keyword(words_.peek(), word)) {
            words_.next();
            all.parts.push_back(read());
        }
        return all;
    }

    AtomSelection condition() {
        const std::string_view word = words_.next();
        if (word.empty() && !words_.was_quoted())
            words_.fail("the text ends where a selection is expected", example);
        if (word == "(") return in_parentheses();
        if (is_keyword(word, "not")) return negation();
        AtomSelection selection;
        if (is_keyword(word, "all")) return selection;
        if (is_keyword(word, "residue") || is_keyword(word, "resid")) return residues();
        if (is_keyword(word, "resname") || is_keyword(word, "resn"))
            selection.kind = Kind::residue_name;
        else if (is_keyword(word, "name"))
            selection.kind = Kind::name;
        else if (is_keyword(word, "chain"))
            selection.kind = Kind::chain;
        else if (is_keyword(word, "segid"))
            return segment();
        else
            refuse(word);
        selection.text = value_of(word);
        return selection;
    }

    [[noreturn]] void refuse(std::string_view word) {
        const std::string shown = io::one_line(word, 40);
        const std::string near(io::nearest_word(word, keywords));
        words_.fail("'" + shown + "' is not a selection",
                    io::edit_distance(word.substr(0, 64), near) <= (word.size() < 4 ? 1 : 2)
                        ? "did you mean '" + near + "'?"
                        : "use resid, resn, name, chain, segid, not or all");
    }

    AtomSelection in_parentheses() {
        if (++depth_ > deepest)
            words_.fail("there are more than 100 parentheses within each other", "use fewer");
        AtomSelection inner = any_of();
        if (words_.next() != ")")
            words_.fail("a parenthesis is not closed",
                        "put 'and' or 'or' between conditions, and ')' at the end");
        --depth_;
        return inner;
    }

    AtomSelection negation() {
        if (++depth_ > deepest) words_.fail("there are more than 100 'not'", "use fewer");
        AtomSelection selection;
        selection.kind = Kind::none_of;
        selection.parts.push_back(condition());
        --depth_;
        return selection;
    }

    /// The name behind a keyword, without blanks around it.
    std::string value_of(std::string_view keyword) {
        const std::string word(keyword);
        const std::string_view value = words_.next();
        const std::size_t first = value.find_first_not_of(" \t");
        if (first == std::string_view::npos || (!words_.was_quoted() && ends_word(value.front())))
            words_.fail("no name follows '" + io::one_line(word, 40) + "'", example);
        return std::string(value.substr(first, value.find_last_not_of(" \t") - first + 1));
    }

    AtomSelection segment() {
        AtomSelection selection;
        selection.text = value_of("segid");
        selection.kind = Kind::chain;
        if (segid_ == SegidMeaning::chain || (selection.text != "A" && selection.text != "B"))
            return selection;
        selection.kind = Kind::partner;
        selection.side = selection.text == "A" ? Partner::receptor : Partner::ligand;
        return selection;
    }

    /// "12", "-3", "12:20" or "100A" with an insertion code.
    AtomSelection residues() {
        const std::string text = value_of("resid");
        AtomSelection selection;
        selection.kind = Kind::residue;
        const char* const end = text.data() + text.size();
        auto read = std::from_chars(text.data(), end, selection.first);
        selection.last = selection.first;
        bool is_good = read.ec == std::errc{};
        if (is_good && read.ptr != end && *read.ptr == ':') {
            read = std::from_chars(read.ptr + 1, end, selection.last);
            is_good =
                read.ec == std::errc{} && read.ptr == end && selection.last >= selection.first;
        } else if (is_good && read.ptr + 1 == end &&
                   std::isalpha(static_cast<unsigned char>(*read.ptr))) {
            selection.insertion = *read.ptr;
        } else {
            is_good = is_good && read.ptr == end;
        }
        if (!is_good)
            words_.fail("'" + io::one_line(text, 40) + "' is not a residue number",
                        "write a number or a range such as 12:20");
        return selection;
    }

    SelectionWords& words_;
    SegidMeaning segid_;
    int depth_ = 0;
};

}  // namespace

AtomSelection parse_selection(SelectionWords& words, SegidMeaning segid) {
    return SelectionParser(words, segid).any_of();
}

}  // namespace tessera::docking
