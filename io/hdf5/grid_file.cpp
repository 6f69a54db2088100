#include "io/hdf5/grid_file.hpp"

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "io/hdf5/h5_types.hpp"

namespace tessera::io {

namespace {

Error hdf5_failure(const std::string& action, const std::string& name, const std::string& file,
                   ExitCode code = ExitCode::resources) {
    return Error("cannot " + action + " '" + name + "' of '" + file + "'", h5::last_message(),
                 "check that the file is complete and the disk has space", code);
}

std::vector<hsize_t> dimensions(const GridSpec& spec, bool of_chunk) {
    std::vector<hsize_t> lengths;
    lengths.reserve(spec.leading.size() + 3);
    for (const std::int64_t length : spec.leading)
        lengths.push_back(of_chunk ? 1 : static_cast<hsize_t>(length));
    lengths.push_back(static_cast<hsize_t>(of_chunk ? std::min(spec.chunk_planes, spec.shape[2])
                                                    : spec.shape[2]));
    lengths.push_back(static_cast<hsize_t>(spec.shape[1]));
    lengths.push_back(static_cast<hsize_t>(spec.shape[0]));
    return lengths;
}

/// Writes the position of a grid along the leading axes, the last of them fastest.
template <class Lengths>
void unravel(std::int64_t grid, const Lengths& leading, std::size_t axes, hsize_t* position) {
    for (std::size_t axis = axes; axis-- > 0;) {
        const auto length = static_cast<std::int64_t>(leading[axis]);
        position[axis] = static_cast<hsize_t>(grid % length);
        grid /= length;
    }
}

/// The address of chunk number `index`, in order of grid and z.
std::uint64_t ask_chunk_address(const h5::Dataset& dataset, const GridSpec& spec,
                                std::int64_t index) {
    const std::int64_t chunks = spec.chunks_of_grid();
    const auto position = chunk_position(spec, index / chunks, index % chunks * spec.chunk_planes);
    unsigned filters = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t size = 0;
    if (H5Dget_chunk_info_by_coord(dataset.id(), position.data(), &filters, &address, &size) < 0 ||
        address == HADDR_UNDEF)
        throw hdf5_failure("allocate", spec.name, dataset.file());
    return address;
}

/// Fills the addresses between two known ones. HDF5 places chunks in order, one after another. If
/// the distance of two chunks equals the length of the chunks from one to the other, these are
/// contiguous. Only other chunks are looked up, because HDF5 1.10 searches all earlier chunks for
/// each answer.
void fill_between(const h5::Dataset& dataset, const GridSpec& spec,
                  std::vector<std::uint64_t>& addresses, std::size_t first, std::size_t last) {
    const std::uint64_t bytes = spec.chunk_bytes();
    if (addresses[last] - addresses[first] == (last - first) * bytes) {
        for (std::size_t i = first + 1; i < last; ++i) addresses[i] = addresses[i - 1] + bytes;
    } else if (last - first > 1) {
        const std::size_t middle = first + (last - first) / 2;
        addresses[middle] = ask_chunk_address(dataset, spec, static_cast<std::int64_t>(middle));
        fill_between(dataset, spec, addresses, first, middle);
        fill_between(dataset, spec, addresses, middle, last);
    }
}

}  // namespace

std::int64_t GridSpec::grids() const {
    return std::accumulate(leading.begin(), leading.end(), std::int64_t{1}, std::multiplies<>());
}

std::int64_t GridSpec::chunks_of_grid() const {
    return (shape[2] + chunk_planes - 1) / chunk_planes;
}

std::size_t GridSpec::plane_bytes() const {
    return static_cast<std::size_t>(shape[0] * shape[1]) * (double_precision ? 8 : 4);
}

std::size_t GridSpec::chunk_bytes() const {
    return static_cast<std::size_t>(std::min(chunk_planes, shape[2])) * plane_bytes();
}

ZfpChunk GridSpec::zfp_chunk() const {
    return {
        {shape[0], shape[1], std::min(chunk_planes, shape[2])}, double_precision, largest_error};
}

void create_grid(const h5::Group& root, const GridSpec& spec) {
    const h5::PropertyHandle links(H5Pcreate(H5P_LINK_CREATE));
    H5Pset_create_intermediate_group(links.get(), 1);
    const h5::PropertyHandle properties(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_obj_track_times(properties.get(), false);
    const auto chunk = dimensions(spec, true);
    H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data());
    // Some rank writes every value. Filling the file first would write it twice.
    H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER);
    if (spec.zfp) {
        register_zfp();
        const std::vector<unsigned> parameters = zfp_parameters(spec.zfp_chunk());
        if (parameters.empty())
            throw Error("cannot pack '" + spec.name + "' with zfp",
                        "an axis of the grid has more than 65,536 points", "leave --zfp out");
        H5Pset_filter(properties.get(), zfp_filter, H5Z_FLAG_MANDATORY, parameters.size(),
                      parameters.data());
    } else if (spec.deflate > 0) {
        H5Pset_shuffle(properties.get());
        H5Pset_deflate(properties.get(), static_cast<unsigned>(spec.deflate));
    } else {
        H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY);
    }
    const auto lengths = dimensions(spec, false);
    const h5::SpaceHandle space(
        H5Screate_simple(static_cast<int>(lengths.size()), lengths.data(), nullptr));
    const h5::ObjectHandle made(H5Dcreate2(
        root.id(), spec.name.c_str(), spec.double_precision ? H5T_IEEE_F64LE : H5T_IEEE_F32LE,
        space.get(), links.get(), properties.get(), H5P_DEFAULT));
    if (made.get() < 0) throw hdf5_failure("create dataset", spec.name, root.file());
    if (!spec.units.empty()) root.open_dataset(spec.name).write_attribute("units", spec.units);
}

std::vector<hsize_t> chunk_position(const GridSpec& spec, std::int64_t grid,
                                    std::int64_t first_plane) {
    std::vector<hsize_t> position(spec.leading.size() + 3, 0);
    unravel(grid, spec.leading, spec.leading.size(), position.data());
    position[spec.leading.size()] = static_cast<hsize_t>(first_plane);
    return position;
}

std::vector<std::uint64_t> chunk_addresses(const h5::Group& root, const GridSpec& spec) {
    const std::int64_t chunks = spec.deflate > 0 ? 0 : spec.grids() * spec.chunks_of_grid();
    std::vector<std::uint64_t> addresses(static_cast<std::size_t>(chunks));
    if (chunks == 0) return addresses;
    const h5::Dataset dataset = root.open_dataset(spec.name);
    addresses.front() = ask_chunk_address(dataset, spec, 0);
    addresses.back() = ask_chunk_address(dataset, spec, chunks - 1);
    fill_between(dataset, spec, addresses, 0, addresses.size() - 1);
    return addresses;
}

std::vector<double> read_grid_box(const h5::Dataset& dataset, std::int64_t grid,
                                  const std::array<std::int64_t, 3>& begin,
                                  const std::array<std::int64_t, 3>& shape) {
    const h5::Shape stored = dataset.shape();
    const std::size_t leading = stored.size() - 3;
    std::vector<hsize_t> start(stored.size(), 0), count(stored.size(), 1);
    unravel(grid, stored, leading, start.data());
    for (std::size_t axis = 0; axis < 3; ++axis) {
        start[leading + axis] = static_cast<hsize_t>(begin[2 - axis]);
        count[leading + axis] = static_cast<hsize_t>(shape[2 - axis]);
    }
    std::vector<double> values(static_cast<std::size_t>(shape[0] * shape[1] * shape[2]));
    const h5::SpaceHandle file_space(H5Dget_space(dataset.id()));
    H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                        nullptr);
    const hsize_t size = values.size();
    const h5::SpaceHandle memory(H5Screate_simple(1, &size, nullptr));
    if (H5Dread(dataset.id(), H5T_NATIVE_DOUBLE, memory.get(), file_space.get(), H5P_DEFAULT,
                values.data()) < 0)
        throw hdf5_failure("read", dataset.name(), dataset.file(),
                           h5::system_failed() ? ExitCode::resources : ExitCode::usage);
    return values;
}

void write_grid_planes(const h5::Dataset& dataset, std::int64_t first,
                       const std::vector<double>& values) {
    const h5::Shape stored = dataset.shape();
    const hsize_t size = values.size();
    const std::array<hsize_t, 3> start{static_cast<hsize_t>(first), 0, 0};
    const std::array<hsize_t, 3> count{size / (stored[1] * stored[2]), stored[1], stored[2]};
    const h5::SpaceHandle file_space(H5Dget_space(dataset.id()));
    H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                        nullptr);
    const h5::SpaceHandle memory(H5Screate_simple(1, &size, nullptr));
    if (H5Dwrite(dataset.id(), H5T_NATIVE_DOUBLE, memory.get(), file_space.get(), H5P_DEFAULT,
                 values.data()) < 0)
        throw hdf5_failure("write", dataset.name(), dataset.file());
}

bool stores_single(const h5::Dataset& dataset) {
    const h5::TypeHandle type(H5Dget_type(dataset.id()));
    return H5Tget_class(type.get()) == H5T_FLOAT && H5Tget_size(type.get()) <= sizeof(float);
}

}  // namespace tessera::io
