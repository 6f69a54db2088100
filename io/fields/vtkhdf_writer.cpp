#include "io/fields/vtkhdf_writer.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <vector>

#include "core/error.hpp"
#include "core/units.hpp"
#include "io/files/temporary_name.hpp"
#include "io/files/whole_file.hpp"
#include "io/hdf5/grid_file.hpp"
#include "io/hdf5/h5.hpp"
#include "io/hdf5/h5_types.hpp"
#include "io/text/one_line.hpp"

namespace tessera::io {

namespace {

constexpr const char* title_attribute = "title";

/// A name beside the file, which lasts until the file is whole.
class TemporaryName {
  public:
    explicit TemporaryName(const std::string& path) : name_(temporary_name(path, mark_of_file)) {}
    ~TemporaryName() {
        std::error_code ignored;
        std::filesystem::remove(name_, ignored);
    }
    TemporaryName(const TemporaryName&) = delete;
    TemporaryName& operator=(const TemporaryName&) = delete;
    const std::string& text() const { return name_; }

  private:
    std::string name_;
};

/// VTK reads texts of fixed length in ASCII, and no others.
void write_ascii(const h5::Group& group, const char* name, const std::string& text) {
    const h5::TypeHandle type(H5Tcopy(H5T_C_S1));
    H5Tset_size(type.get(), text.size());
    H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
    const h5::SpaceHandle scalar(H5Screate(H5S_SCALAR));
    const h5::AttributeHandle attribute(
        H5Acreate2(group.id(), name, type.get(), scalar.get(), H5P_DEFAULT, H5P_DEFAULT));
    if (attribute.get() < 0 || H5Awrite(attribute.get(), type.get(), text.data()) < 0)
        throw Error("cannot write '" + group.file() + "'", h5::last_message(),
                    "check that the disk has space", ExitCode::resources);
}

void write_values(const h5::File& file, const Volume& volume) {
    const auto [nx, ny, nz] = volume.grid.shape;
    constexpr std::int64_t chunk_values = std::int64_t{1} << 20;
    const GridSpec spec{"/VTKHDF/PointData/" + volume.name,
                        {},
                        volume.grid.shape,
                        std::clamp<std::int64_t>(chunk_values / (nx * ny), 1, nz),
                        !volume.is_single,
                        0,
                        0,
                        volume.units};
    create_grid(file.root(), spec);
    const h5::Dataset dataset = file.root().open_dataset(spec.name);
    for_each_planes(volume, [&](std::int64_t first, const std::vector<double>& values) {
        write_grid_planes(dataset, first, values);
    });
}

void write_image(const h5::File& file, const Volume& volume) {
    const UniformGrid& grid = volume.grid;
    const auto triple = [](Vec3 v) { return std::vector<double>{v.x, v.y, v.z}; };
    h5::Group root = file.root();
    root.write_attribute(title_attribute, one_line(volume.title));
    h5::Group image = root.group("VTKHDF");
    write_ascii(image, "Type", "ImageData");
    image.write_attribute("Version", std::vector<std::int64_t>{1, 0});
    image.write_attribute("WholeExtent",
                          std::vector<std::int64_t>{0, grid.shape[0] - 1, 0, grid.shape[1] - 1, 0,
                                                    grid.shape[2] - 1});
    image.write_attribute("Origin", triple(units::bohr_in_angstrom * grid.origin));
    image.write_attribute("Spacing", triple(units::bohr_in_angstrom * grid.spacing));
    image.write_attribute("Direction", std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1});
    image.write_attribute("length_units", "angstrom");
    write_ascii(image.group("PointData"), "Scalars", volume.name);
    write_values(file, volume);
}

}  // namespace

void write_vtkhdf(const std::string& path, const Volume& volume) {
    const bool replace = std::filesystem::exists(path);
    const TemporaryName temporary(path);
    h5::File file = h5::File::create(temporary.text());
    write_image(file, volume);
    file.close();
    if (const int failed = give_name(temporary.text(), path, replace); failed != 0)
        throw Error("cannot write '" + path + "'", std::strerror(failed),
                    "choose another name, or check the disk", ExitCode::resources);
}

bool is_vtkhdf_export(const std::string& path) {
    try {
        const h5::File file = h5::File::open(path);
        const h5::Group root = file.root();
        return root.contains("VTKHDF") &&
               root.read_attribute<std::string>(title_attribute).starts_with("tessera orbital, ");
    } catch (const Error&) {
        return false;
    }
}

}  // namespace tessera::io
