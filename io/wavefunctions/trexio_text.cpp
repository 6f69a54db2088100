// The text back end: a folder with a file for each group.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "io/files/sha256.hpp"
#include "io/text/one_line.hpp"
#include "io/wavefunctions/trexio_values.hpp"
#include "io/wavefunctions/wavefunction_text.hpp"

namespace tessera::io {
namespace {

constexpr const char* write_folder_again = "write the folder again with TREXIO";

bool is_one_of(const auto& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

/// A file begins with lines that tell the axes of its arrays ("dims_mo_coefficient 0 60"), its
/// numbers ("mo_num 60") and the lengths of its words ("len_basis_type 9"). Each word and each
/// array follow a line with their name, an array with one value a line.
class GroupReader {
  public:
    GroupReader(const TextSource& source, TrexioValues& values)
        : source_(source), scanner_(source), values_(values) {}

    void read() {
        for (scanner_.skip_empty_lines(); !scanner_.at_end(); scanner_.skip_empty_lines())
            read_line();
    }

  private:
    void read_line();
    void read_head(std::string_view first, TextScanner rest);
    void read_array(const std::string& name);
    void read_texts(const std::string& name);
    std::size_t count_of(const std::string& name) const;

    const TextSource& source_;
    TextScanner scanner_;
    TrexioValues& values_;
    std::map<std::string, std::size_t, std::less<>> counts_;  // of the values of arrays
    std::map<std::string, int, std::less<>> lengths_;         // of words
};

void GroupReader::read_line() {
    TextScanner line = scanner_;
    const std::string name(line.word());
    const bool alone = line.line_is_over();
    scanner_.next_line();
    if (!alone) return read_head(name, line);
    if (is_one_of(trexio_arrays, name)) return read_array(name);
    if (is_one_of(trexio_texts, name)) return read_texts(name);
    if (!is_one_of(trexio_words, name) || lengths_[name] == 0) return;
    values_.words[name] = one_line(scanner_.rest_of_line());
}

void GroupReader::read_head(std::string_view first, TextScanner rest) {
    constexpr std::string_view axes = "dims_", length = "len_";
    int number = 0, extent = 0;
    if (!rest.integer(number)) return;
    if (first.starts_with(length)) {
        lengths_[std::string(first.substr(length.size()))] = number;
    } else if (first.starts_with(axes)) {
        if (!rest.integer(extent) || extent < 0)
            rest.fail("the length of an axis is missing", write_folder_again);
        std::size_t& count =
            counts_.try_emplace(std::string(first.substr(axes.size())), 1).first->second;
        if (extent > 0 && count > source_.text.size() / static_cast<std::size_t>(extent))
            rest.fail("'" + one_line(first.substr(axes.size()), 30) +
                          "' claims to have more values than the file can hold",
                      write_folder_again);
        count *= static_cast<std::size_t>(extent);
    } else if (is_one_of(trexio_numbers, first)) {
        values_.numbers[std::string(first)] = number;
    }
}

std::size_t GroupReader::count_of(const std::string& name) const {
    const auto count = counts_.find(name);
    return count == counts_.end() ? 0 : count->second;
}

void GroupReader::read_array(const std::string& name) {
    if (count_of(name) == 0) return;
    std::vector<double> array(count_of(name));
    for (double& value : array) {
        scanner_.skip_empty_lines();
        if (!scanner_.number(value))
            scanner_.fail("a value of '" + name + "' is missing or not a number",
                          write_folder_again);
    }
    values_.arrays[name] = std::move(array);
}

void GroupReader::read_texts(const std::string& name) {
    std::vector<std::string>& texts = values_.texts[name];
    texts.clear();
    for (std::size_t i = 0; i < count_of(name) && !scanner_.at_end(); ++i)
        texts.push_back(one_line(scanner_.rest_of_line(), 40));
    if (texts.empty()) values_.texts.erase(name);
}

}  // namespace

bool is_trexio_folder(const std::string& path) {
    std::error_code ignored;
    const std::filesystem::path folder(path);
    return std::filesystem::is_directory(folder, ignored) &&
           std::filesystem::exists(folder / "nucleus.txt", ignored);
}

TrexioValues read_trexio_folder(const std::string& path, std::string& sha256) {
    TrexioValues values;
    std::string hashes;
    for (const std::string_view group : trexio_groups) {
        const std::filesystem::path file =
            std::filesystem::path(path) / (std::string(group) + ".txt");
        std::error_code ignored;
        if (!std::filesystem::exists(file, ignored)) continue;
        const TextSource source = read_wavefunction_text(file.string());
        hashes += source.sha256;
        read_trexio_text(source, values);
    }
    sha256 = sha256_of(hashes);
    return values;
}

void read_trexio_text(const TextSource& source, TrexioValues& values) {
    GroupReader(source, values).read();
}

}  // namespace tessera::io
