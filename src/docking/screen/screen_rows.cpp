#include "docking/screen/screen_rows.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>

#include "core/error.hpp"
#include "docking/screen/screen_table.hpp"
#include "io/text/counted.hpp"
#include "io/text/csv_table.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
    throw Error("cannot read '" + io::one_line(path) + "'", why,
                "give an unchanged folder of this version of tessera screen");
}

class RowReader {
  public:
    explicit RowReader(const std::string& path)
        : path_(path),
          header_(io::parse_csv_table({path, screen_header(), "table"}).front().fields) {}

    ScreenRow read(const io::CsvRow& row) const {
        if (row.fields.size() != header_.size())
            refuse(path_, "line " + std::to_string(row.line) + " has " +
                              io::counted(row.fields.size(), "field") + " instead of " +
                              std::to_string(header_.size()));
        const auto number = [&](std::string_view name) -> std::optional<double> {
            const std::size_t place = place_of(name);
            if (row.fields[place].empty()) return std::nullopt;
            return io::csv_number(row, place, path_);
        };
        const auto text = [&](std::string_view name) { return row.fields[place_of(name)]; };
        return {text("receptor"),       text("ligand"),       text("status"),
                text("reason"),         number("best_score"), number("cluster_z"),
                number("cluster_size"), number("receptor_z"), number("ligand_z"),
                number("interaction"),  number("rank")};
    }

  private:
    std::size_t place_of(std::string_view name) const {
        return static_cast<std::size_t>(std::ranges::find(header_, name) - header_.begin());
    }

    const std::string& path_;
    std::vector<std::string> header_;
};

}  // namespace

void for_each_screen_row(const std::string& path, const std::function<void(const ScreenRow&)>& f) {
    std::ifstream table(path);
    std::string line;
    if (!std::getline(table, line)) refuse(path, "it is missing or empty");
    if (line != screen_header()) refuse(path, "it is another table");
    const RowReader reader(path);
    for (int number = 2; std::getline(table, line) && !table.eof(); ++number)
        for (io::CsvRow& row : io::parse_csv_table({path, line, "table"})) {
            row.line = number;
            f(reader.read(row));
        }
    if (table.bad()) refuse(path, "the disk failed");
}

}  // namespace tessera::docking
