#include "io/fields/vti_writer.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/units.hpp"
#include "io/files/whole_file.hpp"
#include "io/text/one_line.hpp"

namespace tessera::io {

namespace {

static_assert(std::endian::native == std::endian::little,
              "values are written in the byte order of memory");

std::string in_xml(const std::string& text) {
    std::string escaped;
    for (const char c : one_line(text)) switch (c) {
            case '&': escaped += "&amp;"; break;
            case '<': escaped += "&lt;"; break;
            case '>': escaped += "&gt;"; break;
            case '"': escaped += "&quot;"; break;
            default: escaped += c;
        }
    return escaped;
}

/// A comment must not contain two dashes in a row.
std::string in_comment(const std::string& text) {
    std::string safe;
    for (const char c : one_line(text)) {
        if (c == '-' && safe.ends_with('-')) safe += ' ';
        safe += c;
    }
    return safe;
}

/// The codes of the letters and of a zero, as VTK writes a text.
std::string codes_of(std::string_view text) {
    std::string codes;
    for (const char c : text) codes += fmt::format("{} ", static_cast<int>(c));
    return codes + "0";
}

std::string header_of(const Volume& volume) {
    const auto [nx, ny, nz] = volume.grid.shape;
    const std::string extent = fmt::format("0 {} 0 {} 0 {}", nx - 1, ny - 1, nz - 1);
    const Vec3 origin = units::bohr_in_angstrom * volume.grid.origin;
    const Vec3 step = units::bohr_in_angstrom * volume.grid.spacing;
    const std::string name = in_xml(volume.name);
    std::string text = fmt::format(
        "<?xml version=\"1.0\"?>\n<!-- {} -->\n"
        "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n"
        "<ImageData WholeExtent=\"{}\" Origin=\"{} {} {}\" Spacing=\"{} {} {}\" "
        "Direction=\"1 0 0 0 1 0 0 0 1\">\n",
        in_comment(volume.title), extent, origin.x, origin.y, origin.z, step.x, step.y, step.z);
    text += fmt::format(
        "<FieldData>\n<DataArray type=\"String\" Name=\"length_units\" NumberOfTuples=\"1\" "
        "format=\"ascii\">{}</DataArray>\n</FieldData>\n",
        codes_of("angstrom"));
    text += fmt::format(
        "<Piece Extent=\"{}\">\n<PointData Scalars=\"{}\">\n"
        "<DataArray type=\"{}\" Name=\"{}\" format=\"appended\" offset=\"0\">\n"
        "<InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\">{}</InformationKey>\n"
        "</DataArray>\n</PointData>\n</Piece>\n</ImageData>\n<AppendedData encoding=\"raw\">\n_",
        extent, name, volume.is_single ? "Float32" : "Float64", name, in_xml(volume.units));
    return text;
}

template <class T>
void write_values(WholeFile& file, const std::vector<T>& values) {
    file.write({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

}  // namespace

void write_vti(const std::string& path, const Volume& volume) {
    WholeFile file(path);
    file.write(header_of(volume));
    const std::uint64_t bytes = static_cast<std::uint64_t>(volume.grid.size()) *
                                (volume.is_single ? sizeof(float) : sizeof(double));
    write_values(file, std::vector<std::uint64_t>{bytes});
    for_each_planes(volume, [&](std::int64_t, const std::vector<double>& values) {
        if (volume.is_single)
            write_values(file, std::vector<float>(values.begin(), values.end()));
        else
            write_values(file, values);
    });
    file.write("\n</AppendedData>\n</VTKFile>\n");
    file.commit();
}

}  // namespace tessera::io
