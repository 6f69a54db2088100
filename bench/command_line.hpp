// The words after a benchmark's name: --option VALUE, --switch, files.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace tessera::bench {

class CommandLine {
  public:
    CommandLine(int argc, char** argv) : words_(argv + 1, argv + argc) {}

    /// Reads the word after `name`, if `name` is given. `value` is a text or a number. Throws Error
    /// if the word does not fit.
    template <class Value>
    void take(const std::string& name, Value& value) {
        const auto at = std::find(words_.begin(), words_.end(), name);
        if (at == words_.end()) return;
        std::istringstream word(at + 1 < words_.end() ? *(at + 1) : "");
        if (!(word >> value) || !(word >> std::ws).eof())
            throw Error("no value of " + name, "'" + word.str() + "'",
                        "see the head of the source");
        words_.erase(at, at + 2);
    }

    /// Whether `name` is given.
    bool take(const std::string& name) {
        const auto at = std::find(words_.begin(), words_.end(), name);
        if (at == words_.end()) return false;
        words_.erase(at);
        return true;
    }

    /// The remaining words, which are files. Throws Error for an unknown option.
    const std::vector<std::string>& rest() const {
        for (const std::string& word : words_)
            if (word.starts_with("--"))
                throw Error("unknown option " + word, "see the head of the source", "leave it out");
        return words_;
    }

  private:
    std::vector<std::string> words_;
};

}  // namespace tessera::bench
