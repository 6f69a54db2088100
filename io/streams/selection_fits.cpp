// HEALPix maps in FITS: parse_fits_map(), declared in selection.hpp.
#include "core/error.hpp"
#include "io/streams/selection.hpp"

#ifdef TESSERA_HAS_CFITSIO

#include <algorithm>
#include <cctype>

#include "io/streams/fits_file.hpp"
#include "io/streams/pixel_values.hpp"
#include "io/text/counted.hpp"

namespace tessera::io {

namespace {

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

/// What the file says of the map, where the parameter file does not. A contradiction is refused.
class MapHeader {
  public:
    MapHeader(FitsFile& file, const TextSource& source, const SelectionSource& wanted)
        : file_(file), source_(source), wanted_(wanted) {}

    Healpix pixels() {
        const std::string ordering = lower(file_.keyword("ORDERING"));
        const std::string said = ordering.starts_with("nest") ? "nested" : ordering;
        const std::string chosen = agreed("ordering", wanted_.ordering, said);
        if (chosen != "ring" && chosen != "nested")
            refuse_fits(source_, "it does not say how its pixels are numbered",
                        "add ordering = \"ring\" or \"nested\" to [selection]");
        const std::string nside = file_.keyword("NSIDE");
        int value = wanted_.nside;
        if (!nside.empty()) {
            TextScanner number(source_, nside);
            int found = 0;
            if (!number.integer(found) || (value != 0 && value != found))
                refuse_fits(source_, fmt::format("its NSIDE is {}", one_line(nside, 20)),
                            "correct nside in [selection], or leave it out");
            value = found;
        }
        if (value < 1 || value > largest_nside || (value & (value - 1)) != 0)
            refuse_fits(source_, fmt::format("its NSIDE is {}", value),
                        fmt::format("give a power of two up to {}", largest_nside));
        return {value, chosen == "nested"};
    }
    bool equatorial() {
        const std::string system = file_.keyword("COORDSYS");
        const std::string said = system.empty()                                ? ""
                                 : system.starts_with('G')                     ? "galactic"
                                 : system.starts_with('C') || system[0] == 'Q' ? "equatorial"
                                                                               : "others";
        const std::string chosen = agreed("coordinates", wanted_.coordinates, said);
        if (chosen == "others")
            refuse_fits(source_, fmt::format("its COORDSYS is {}", one_line(system, 20)),
                        "give a map in galactic or equatorial coordinates");
        return chosen == "equatorial";
    }

  private:
    std::string agreed(const char* key, const std::string& wanted, const std::string& said) {
        if (!wanted.empty() && !said.empty() && wanted != said)
            refuse_fits(source_, fmt::format("its {} is {}, not {}", key, said, wanted),
                        fmt::format("correct {} in [selection], or leave it out", key));
        return wanted.empty() ? said : wanted;
    }

    FitsFile& file_;
    const TextSource& source_;
    const SelectionSource& wanted_;
};

PixelMap read_map(FitsFile& file, const TextSource& source, const SelectionSource& wanted) {
    file.require_whole_table();
    const auto columns = file.columns();
    const auto is_pixel = [](const StarTableColumn& one) { return lower(one.name) == "pixel"; };
    const auto pixel = std::ranges::find_if(columns, is_pixel);
    const auto values = std::ranges::find_if(columns, [&](const StarTableColumn& one) {
        return wanted.column.empty() ? !is_pixel(one) : one.name == wanted.column;
    });
    if (values == columns.end())
        refuse_fits(source,
                    wanted.column.empty() ? "its table has no column of values"
                                          : "it has no column " + one_line(wanted.column, 40),
                    "correct column in [selection]");
    MapHeader header(file, source, wanted);
    PixelMap map{header.pixels(), header.equatorial(), {}};
    const auto read = [&](auto column) {
        return file.values(static_cast<std::size_t>(column - columns.begin()), column->name, true);
    };
    map.completeness = read(values);
    if (pixel != columns.end()) {
        const std::vector<double> numbers = read(pixel);
        if (numbers.size() != map.completeness.size())
            refuse_fits(source, "its columns differ in length", "export it again");
        map.completeness = values_of_pixels(numbers, map.completeness, map.pixels, source);
    }
    if (std::ssize(map.completeness) != map.pixels.pixels())
        refuse_fits(source,
                    fmt::format("it has {}, but nside {} has {} pixels",
                                counted(map.completeness.size(), "value"), map.pixels.nside,
                                map.pixels.pixels()),
                    "correct nside in [selection], or export the map again");
    return map;
}

}  // namespace

PixelMap parse_fits_map(const TextSource& source, const SelectionSource& wanted) {
    FitsFile file(source);
    for (int unit = 1; unit <= file.units(); ++unit)
        if (file.move_to(unit)) return read_map(file, source, wanted);
    refuse_fits(source, "it has no table", "give a HEALPix map, as healpy writes it");
}

}  // namespace tessera::io

#else

namespace tessera::io {

PixelMap parse_fits_map(const TextSource& source, const SelectionSource&) {
    throw Error("cannot read " + std::string(source.noun) + " '" + source.path + "'",
                "it is a FITS file, and this program was built without cfitsio",
                "give the pixels as CSV, or build again with libcfitsio-dev installed");
}

}  // namespace tessera::io

#endif
