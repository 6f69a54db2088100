// Reads selections of atoms, such as "resid 12 and segid A", and the words around them.
#pragma once

#include <string>
#include <string_view>

#include "docking/restraints/atom_selection.hpp"

namespace tessera::docking {

/// A text as words, parentheses and names in quotes. '!' starts a comment that ends with the line,
/// and braces enclose a comment.
class SelectionWords {
  public:
    /// `path` and `line` say in errors where the text begins.
    SelectionWords(std::string_view text, std::string path, int line);

    /// The next word, "(" or ")"; empty at the end of the text.
    std::string_view peek();
    std::string_view next();
    bool at_end();
    /// Whether the last word stood in quotes, so that it is a name.
    bool was_quoted() const { return was_quoted_; }

    /// Throws Error: cannot read restraints 'PATH:LINE' (why): what to do. The line is that of the
    /// word that was looked at last.
    [[noreturn]] void fail(const std::string& why, const std::string& what_to_do) const;
    /// "PATH:LINE" of the next word.
    std::string place();

  private:
    void skip_blanks();
    void read();

    std::string_view text_;
    std::string path_;
    std::size_t at_ = 0;
    int line_ = 1, word_line_ = 1;
    std::string_view word_;
    bool is_read_ = false, is_quoted_ = false, was_quoted_ = false;
};

/// What `segid A` and `segid B` mean.
enum class SegidMeaning {
    partner,  ///< the receptor and the ligand; other names are chains
    chain,    ///< chains of these names
};

/// Reads an expression up to the first word that does not belong to it. Throws Error.
AtomSelection parse_selection(SelectionWords& words, SegidMeaning segid);

/// Whether a word is `keyword` or a beginning of it of at least four letters. Capitals do not
/// count.
bool is_keyword(std::string_view word, std::string_view keyword);

}  // namespace tessera::docking
