#include "io/streams/star_fits.hpp"

#include "core/error.hpp"

#ifdef TESSERA_HAS_CFITSIO

#include <fitsio.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "io/streams/star_columns.hpp"
#include "io/text/one_line.hpp"

namespace tessera::io {

namespace {

[[noreturn]] void refuse(const TextSource& source, const std::string& why,
                         const std::string& what_to_do) {
    throw Error(fmt::format("cannot read {} '{}'", source.noun, source.path), why, what_to_do);
}

/// The file with zeros up to a whole number of FITS blocks. cfitsio reads whole blocks, beyond the
/// end of a file in memory that has been cut.
std::string in_whole_blocks(std::string_view text) {
    constexpr std::size_t block = 2880;
    std::string bytes(text);
    bytes.resize((bytes.size() + block - 1) / block * block);
    return bytes;
}

/// A FITS file in memory.
class FitsFile {
  public:
    explicit FitsFile(const TextSource& source)
        : source_(source),
          blocks_(in_whole_blocks(source.text)),
          bytes_(blocks_.data()),
          size_(blocks_.size()) {
        int status = 0;
        fits_open_memfile(&file_, "stars.fits", READONLY, &bytes_, &size_, 0, nullptr, &status);
        check(status);
    }
    ~FitsFile() {
        int status = 0;
        if (file_) fits_close_file(file_, &status);
    }
    FitsFile(const FitsFile&) = delete;
    FitsFile& operator=(const FitsFile&) = delete;

    int units() {
        int status = 0, count = 0;
        fits_get_num_hdus(file_, &count, &status);
        check(status);
        return count;
    }
    /// Moves to a unit, from 1. Returns whether it is a table.
    bool move_to(int unit) {
        int status = 0, type = 0;
        fits_movabs_hdu(file_, unit, &type, &status);
        check(status);
        return type == BINARY_TBL || type == ASCII_TBL;
    }
    std::vector<StarTableColumn> columns() {
        int status = 0, count = 0;
        fits_get_num_cols(file_, &count, &status);
        check(status);
        std::vector<StarTableColumn> all;
        for (int i = 1; i <= count; ++i) all.push_back({text_of("TTYPE", i), text_of("TUNIT", i)});
        return all;
    }
    /// The values of a column, from 0. Empty ones are NaN.
    std::vector<double> values(std::size_t column, const std::string& name) {
        const int number = static_cast<int>(column) + 1;
        int status = 0, type = 0;
        LONGLONG rows = 0, repeat = 0, width = 0;
        fits_get_num_rowsll(file_, &rows, &status);
        fits_get_coltypell(file_, number, &type, &repeat, &width, &status);
        check(status);
        if (type < 0 || type == TSTRING || type == TLOGICAL || type == TCOMPLEX ||
            type == TDBLCOMPLEX || type == TBIT || (repeat != 1))
            refuse(source_,
                   fmt::format("its column {} is not one number a row", one_line(name, 20)),
                   "export the table again");
        std::vector<double> all(static_cast<std::size_t>(rows));
        double empty = std::numeric_limits<double>::quiet_NaN();
        int any_empty = 0;  // required by cfitsio, unlike its manual
        fits_read_col(file_, TDOUBLE, number, 1, 1, rows, &empty, all.data(), &any_empty, &status);
        check(status);
        return all;
    }

    /// Throws Error if the file ends before its table: cfitsio would read zeros there.
    void require_whole_table() {
        int status = 0;
        LONGLONG rows = 0, row_bytes = 0, header = 0, begin = 0, end = 0;
        fits_get_num_rowsll(file_, &rows, &status);
        fits_read_key(file_, TLONGLONG, "NAXIS1", &row_bytes, nullptr, &status);
        fits_get_hduaddrll(file_, &header, &begin, &end, &status);
        check(status);
        const auto size = static_cast<LONGLONG>(source_.text.size());
        if (rows < 1 || row_bytes < 1) refuse(source_, "its table has no rows", "give stars");
        if (begin > size || rows > (size - begin) / row_bytes)
            refuse(source_, "the file ends before its table", "copy it again");
    }

  private:
    /// A keyword of the current unit; empty if there is none.
    std::string text_of(const char* keyword, int number) {
        int status = 0;
        std::array<char, FLEN_VALUE> value{};
        fits_read_key(file_, TSTRING, fmt::format("{}{}", keyword, number).c_str(), value.data(),
                      nullptr, &status);
        fits_clear_errmsg();
        if (status == 0) return value.data();
        return {};
    }
    void check(int status) const {
        if (status == 0) return;
        std::array<char, FLEN_STATUS> text{};
        fits_get_errstatus(status, text.data());
        fits_clear_errmsg();
        refuse(source_, fmt::format("cfitsio says: {}", one_line(text.data(), 80)),
               "copy it again, or export the table again");
    }

    const TextSource& source_;
    fitsfile* file_ = nullptr;
    std::string blocks_;
    void* bytes_;
    std::size_t size_;
};

std::vector<Star> read_stars(FitsFile& file, const std::vector<StarTableColumn>& names,
                             const StarColumns& columns, std::span<const Observable> observables,
                             const TextSource& source) {
    file.require_whole_table();
    std::array<std::vector<double>, 3> values;
    for (std::size_t k = 0; k < 3; ++k)
        values[k] = file.values(columns.index[k], names[columns.index[k]].name);
    std::vector<std::vector<double>> observed;
    for (const auto& column : columns.observed)
        observed.push_back(column ? file.values(*column, names[*column].name)
                                  : std::vector<double>(values[0].size(), 0.0));
    std::vector<Star> stars;
    stars.reserve(values[0].size());
    for (std::size_t i = 0; i < values[0].size(); ++i) {
        for (std::size_t k = 0; k < 3; ++k)
            if (!std::isfinite(values[k][i]))
                refuse(source, fmt::format("{} in row {} is not a finite number", "lbr"[k], i + 1),
                       "leave the star out");
        stars.push_back(columns.star({values[0][i], values[1][i], values[2][i]}));
        for (const std::vector<double>& of_stars : observed)
            stars.back().observed.push_back(of_stars[i]);
        if (const auto problem = problem_of(stars.back(), observables))
            refuse(source, fmt::format("row {}: {}", i + 1, problem->why), problem->what_to_do);
    }
    return stars;
}

}  // namespace

std::vector<Star> parse_fits_stars(const TextSource& source,
                                   std::span<const Observable> observables) {
    FitsFile file(source);
    std::optional<StarProblem> first;
    for (int unit = 1; unit <= file.units(); ++unit) {
        if (!file.move_to(unit)) continue;
        const auto names = file.columns();
        StarProblem problem;
        if (const auto columns = find_star_columns(names, observables, problem))
            return read_stars(file, names, *columns, observables, source);
        if (!first) first = problem;
    }
    if (first) refuse(source, first->why, first->what_to_do);
    refuse(source, "it has no table", "give a FITS file with a table of stars");
}

}  // namespace tessera::io

#else

namespace tessera::io {

std::vector<Star> parse_fits_stars(const TextSource& source, std::span<const Observable>) {
    throw Error("cannot read " + std::string(source.noun) + " '" + source.path + "'",
                "it is a FITS file, and this program was built without cfitsio",
                "export the table as ECSV or CSV, or build again with libcfitsio-dev installed");
}

}  // namespace tessera::io

#endif
