// A FITS file in memory, as cfitsio reads it. Empty if the program is built without cfitsio.
#pragma once

#ifdef TESSERA_HAS_CFITSIO

#include <fitsio.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "io/streams/star_columns.hpp"
#include "io/text/one_line.hpp"

namespace tessera::io {

[[noreturn]] inline void refuse_fits(const TextSource& source, const std::string& why,
                                     const std::string& what_to_do) {
    throw Error(fmt::format("cannot read {} '{}'", source.noun, source.path), why, what_to_do);
}

/// The file with zeros up to a whole number of FITS blocks. cfitsio reads whole blocks, beyond the
/// end of a file in memory that has been cut.
inline std::string in_whole_blocks(std::string_view text) {
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
    /// The values of a column, from 0. Empty ones are NaN. `several`: a row may have more than one.
    std::vector<double> values(std::size_t column, const std::string& name, bool several = false) {
        const int number = static_cast<int>(column) + 1;
        int status = 0, type = 0;
        LONGLONG rows = 0, repeat = 0, width = 0;
        fits_get_num_rowsll(file_, &rows, &status);
        fits_get_coltypell(file_, number, &type, &repeat, &width, &status);
        check(status);
        if (type < 0 || type == TSTRING || type == TLOGICAL || type == TCOMPLEX ||
            type == TDBLCOMPLEX || type == TBIT || (repeat != 1 && !several) || repeat < 1)
            refuse_fits(source_,
                        fmt::format("its column {} is not one number a row", one_line(name, 20)),
                        "export the table again");
        const auto bytes = static_cast<LONGLONG>(source_.text.size());
        if (rows > bytes || repeat > bytes || rows * repeat > bytes)
            refuse_fits(source_, "the file ends before its table", "copy it again");
        std::vector<double> all(static_cast<std::size_t>(rows * repeat));
        double empty = std::numeric_limits<double>::quiet_NaN();
        int any_empty = 0;  // required by cfitsio, unlike its manual
        fits_read_col(file_, TDOUBLE, number, 1, 1, rows * repeat, &empty, all.data(), &any_empty,
                      &status);
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
        if (rows < 1 || row_bytes < 1)
            refuse_fits(source_, "its table has no rows", "export it again");
        if (begin > size || rows > (size - begin) / row_bytes)
            refuse_fits(source_, "the file ends before its table", "copy it again");
    }

    /// A keyword of the current unit as text; empty if there is none.
    std::string keyword(const std::string& name) {
        int status = 0;
        std::array<char, FLEN_VALUE> value{};
        fits_read_key(file_, TSTRING, name.c_str(), value.data(), nullptr, &status);
        fits_clear_errmsg();
        if (status == 0) return value.data();
        return {};
    }

  private:
    std::string text_of(const char* name, int number) {
        return keyword(fmt::format("{}{}", name, number));
    }
    void check(int status) const {
        if (status == 0) return;
        std::array<char, FLEN_STATUS> text{};
        fits_get_errstatus(status, text.data());
        fits_clear_errmsg();
        refuse_fits(source_, fmt::format("cfitsio says: {}", one_line(text.data(), 80)),
                    "copy it again, or export the table again");
    }

    const TextSource& source_;
    fitsfile* file_ = nullptr;
    std::string blocks_;
    void* bytes_;
    std::size_t size_;
};

}  // namespace tessera::io

#endif
