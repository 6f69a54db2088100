#include "io/fields/opendx_writer.hpp"

#include <fmt/format.h>

#include "core/units.hpp"
#include "io/files/whole_file.hpp"
#include "io/text/one_line.hpp"

namespace tessera::io {

void write_opendx(const std::string& path, const Volume& volume) {
    WholeFile file(path);
    const UniformGrid& grid = volume.grid;
    const Vec3 origin = units::bohr_in_angstrom * grid.origin;
    const Vec3 step = units::bohr_in_angstrom * grid.spacing;
    const auto [nx, ny, nz] = grid.shape;
    const std::string title = one_line(volume.title, 80);
    std::string text =
        fmt::format("# {}\n# lengths in Angstrom\n"
                    "object 1 class gridpositions counts {} {} {}\norigin {:.9g} {:.9g} {:.9g}\n"
                    "delta {:.9g} 0 0\ndelta 0 {:.9g} 0\ndelta 0 0 {:.9g}\n"
                    "object 2 class gridconnections counts {} {} {}\n"
                    "object 3 class array type double rank 0 items {} data follows\n",
                    title, nx, ny, nz, origin.x, origin.y, origin.z, step.x, step.y, step.z, nx, ny,
                    nz, nx * ny * nz);
    int column = 0;
    for_each_row(volume, [&](const std::vector<double>& values) {
        for (const double value : values) {
            append_scientific(text, value);
            column = (column + 1) % 3;
            if (column == 0) text += '\n';
        }
        if (text.size() > 1u << 20) {
            file.write(text);
            text.clear();
        }
    });
    if (column != 0) text += '\n';
    std::string quoted = title;
    for (char& c : quoted)
        if (c == '"') c = '\'';
    text += fmt::format("attribute \"dep\" string \"positions\"\nobject \"{}\" class field\n"
                        "component \"positions\" value 1\ncomponent \"connections\" value 2\n"
                        "component \"data\" value 3\n",
                        quoted);
    file.write(text);
    file.commit();
}

}  // namespace tessera::io
