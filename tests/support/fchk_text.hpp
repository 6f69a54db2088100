// Formatted checkpoint texts with the columns of Gaussian.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace tessera::test {

class FchkText {
  public:
    FchkText() : text_("title of the run\nSP        RHF                    STO-3G\n") {}

    FchkText& scalar(const char* name, int value) {
        char line[96];
        std::snprintf(line, sizeof line, "%-40s   I     %12d\n", name, value);
        text_ += line;
        return *this;
    }
    FchkText& array(const char* name, const std::vector<int>& values) {
        head(name, 'I', values.size());
        for (std::size_t i = 0; i < values.size(); ++i) put(i, 6, values.size(), "%12d", values[i]);
        return *this;
    }
    FchkText& array(const char* name, const std::vector<double>& values) {
        head(name, 'R', values.size());
        for (std::size_t i = 0; i < values.size(); ++i)
            put(i, 5, values.size(), "%23.15E", values[i]);
        return *this;
    }
    const std::string& text() const { return text_; }

  private:
    void head(const char* name, char type, std::size_t count) {
        char line[96];
        std::snprintf(line, sizeof line, "%-40s   %c   N=%12zu\n", name, type, count);
        text_ += line;
    }
    template <class Value>
    void put(std::size_t i, std::size_t columns, std::size_t count, const char* format,
             Value value) {
        char word[64];
        std::snprintf(word, sizeof word, format, value);
        text_ += word;
        if ((i + 1) % columns == 0 || i + 1 == count) text_ += '\n';
    }

    std::string text_;
};

}  // namespace tessera::test
