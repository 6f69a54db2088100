#include "io/fields/cube_writer.hpp"

#include <fmt/format.h>

#include "io/files/whole_file.hpp"
#include "io/text/one_line.hpp"

namespace tessera::io {

void write_cube(const std::string& path, const Volume& volume) {
    WholeFile file(path);
    const UniformGrid& grid = volume.grid;
    std::string text = one_line(volume.title, 80) + "\nlengths in bohr; x slowest, z fastest\n";
    const auto line = [&](std::int64_t count, double a, double b, double c) {
        text += fmt::format("{:5d}{:12.6f}{:12.6f}{:12.6f}\n", count, a, b, c);
    };
    line(static_cast<std::int64_t>(volume.nuclei.size()), grid.origin.x, grid.origin.y,
         grid.origin.z);
    line(grid.shape[0], grid.spacing.x, 0, 0);
    line(grid.shape[1], 0, grid.spacing.y, 0);
    line(grid.shape[2], 0, 0, grid.spacing.z);
    for (const Nucleus& nucleus : volume.nuclei)
        text += fmt::format("{:5d}{:12.6f}{:12.6f}{:12.6f}{:12.6f}\n", nucleus.charge,
                            static_cast<double>(nucleus.charge), nucleus.position.x,
                            nucleus.position.y, nucleus.position.z);
    for_each_row(volume, [&](const std::vector<double>& values) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            append_scientific(text, values[i]);
            if (i % 6 == 5 || i + 1 == values.size()) text += '\n';
        }
        if (text.size() > 1u << 20) {
            file.write(text);
            text.clear();
        }
    });
    file.write(text);
    file.commit();
}

}  // namespace tessera::io
