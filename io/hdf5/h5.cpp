#include "io/hdf5/h5.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>

#include "core/error.hpp"
#include "io/hdf5/h5_types.hpp"
#include "io/hdf5/zfp_filter.hpp"

namespace tessera::io::h5 {

namespace {

std::string in_quotes(const std::string& path) { return "'" + path + "'"; }

/// Closing the file closes all its objects. A file system without locks is accepted. The driver is
/// fixed, whatever the environment asks of HDF5, because texts are also checked without HDF5.
PropertyHandle access_properties() {
    PropertyHandle properties(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_fapl_sec2(properties.get());
    H5Pset_fclose_degree(properties.get(), H5F_CLOSE_STRONG);
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 12, 0))
    H5Pset_file_locking(properties.get(), true, true);
#endif
    return properties;
}

/// Writes go to the system at once. HDF5 writes its buffers when a dataset is closed. If that
/// fails, it loses the data and later crashes on a dangling pointer.
PropertyHandle writing_properties() {
    PropertyHandle properties = access_properties();
    H5Pset_sieve_buf_size(properties.get(), 0);
    H5Pset_cache(properties.get(), 0, 0, 0, 0);
    return properties;
}

/// Creates intermediate groups; names are UTF-8.
PropertyHandle link_properties() {
    PropertyHandle properties(H5Pcreate(H5P_LINK_CREATE));
    H5Pset_create_intermediate_group(properties.get(), 1);
    H5Pset_char_encoding(properties.get(), H5T_CSET_UTF8);
    return properties;
}

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// The limit on bytes that may be read from a file: many times its size on the disk, since it may
/// be compressed, but not as much as an empty dataset may claim to hold.
std::uint64_t most_bytes(const std::string& path) {
    constexpr std::uint64_t least = std::uint64_t{64} << 20, packing = 16;
    struct stat status = {};
    if (stat(path.c_str(), &status) != 0) return least;
    const auto size = static_cast<std::uint64_t>(status.st_size),
               blocks = static_cast<std::uint64_t>(status.st_blocks) * 512;
    // Some file systems do not count blocks; sparse files have fewer than their size says.
    return least + packing * (blocks > 0 ? std::min(size, blocks) : size);
}

}  // namespace

File::File(FileHandle handle, const FileAccess& access)
    : handle_(std::move(handle)), access_(std::make_shared<FileAccess>(access)) {}

File File::create(const std::string& path, std::size_t metadata_block) {
    silence();
    const PropertyHandle access = writing_properties();
    if (metadata_block > 0) H5Pset_meta_block_size(access.get(), metadata_block);
    ::unlink(path.c_str());  // HDF5 would write through a link
    FileHandle handle(H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, access.get()));
    if (handle.get() < 0)
        throw Error("cannot create " + in_quotes(path), last_message(),
                    "choose a folder that exists, is writable and has space", ExitCode::resources);
    return File(std::move(handle), {path, unlimited, unlimited, true});
}

File File::in_memory(const std::string& name) {
    silence();
    constexpr std::size_t growth = std::size_t{1} << 20;  // bytes at a time
    const PropertyHandle access = access_properties();
    H5Pset_fapl_core(access.get(), growth, false);
    FileHandle handle(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()));
    if (handle.get() < 0)
        throw Error("cannot create a result in memory", last_message(), "free some memory",
                    ExitCode::resources);
    return File(std::move(handle), {name, unlimited, unlimited, true});
}

std::vector<std::byte> File::image() const {
    std::vector<std::byte> bytes;
    ssize_t size = -1;
    if (H5Fflush(handle_.get(), H5F_SCOPE_GLOBAL) >= 0)
        size = H5Fget_file_image(handle_.get(), nullptr, 0);
    if (size >= 0) {
        bytes.resize(static_cast<std::size_t>(size));
        size = H5Fget_file_image(handle_.get(), bytes.data(), bytes.size());
    }
    if (size < 0)
        throw Error("cannot copy " + in_quotes(path()), last_message(), "free some memory",
                    ExitCode::resources);
    return bytes;
}

File File::open(const std::string& path) {
    silence();  // before the use of HDF5's flags, which initialises the library
    FileHandle handle = open_as(path, H5F_ACC_RDONLY);
    const std::uint64_t most = most_bytes(path);
    return File(std::move(handle), {path, most, most, false});
}

File File::reopen(const std::string& path) {
    silence();
    return File(open_as(path, H5F_ACC_RDWR), {path, unlimited, unlimited, true});
}

FileHandle File::open_as(const std::string& path, unsigned flags) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
        throw Error("cannot open " + in_quotes(path), "no such file", "check the name");
    if (std::filesystem::is_directory(path, ignored))
        throw Error("cannot open " + in_quotes(path), "it is a folder", "name an HDF5 file");
    if (!std::filesystem::is_regular_file(path, ignored))
        throw Error("cannot open " + in_quotes(path), "it is a pipe or a device",
                    "name an HDF5 file");
    register_zfp();
    const PropertyHandle access =
        flags == H5F_ACC_RDONLY ? access_properties() : writing_properties();
    FileHandle handle(H5Fopen(path.c_str(), flags, access.get()));
    if (handle.get() < 0)
        throw Error("cannot open " + in_quotes(path) + " as HDF5", last_message(),
                    "check that it is a complete HDF5 file that you may read");
    return handle;
}

Group File::root() const {
    ObjectHandle root(H5Oopen(handle_.get(), "/", H5P_DEFAULT));
    if (root.get() < 0)
        throw Error("cannot open the root group of " + in_quotes(path()), last_message(),
                    "check that it is a complete HDF5 file");
    return Group(std::move(root), access_, "/");
}

void File::close() {
    const bool flushed = H5Fflush(handle_.get(), H5F_SCOPE_GLOBAL) >= 0;
    const std::string reason = flushed ? "" : last_message();
    const bool closed = handle_.close() >= 0;
    if (!flushed || !closed)
        throw Error("cannot finish " + in_quotes(path()), flushed ? last_message() : reason,
                    "check that the disk has space", ExitCode::resources);
}

std::string Group::path_of(const std::string& name) const {
    return (name_ == "/" ? "/" : name_ + "/") + name;
}

Group Group::group(const std::string& name) {
    if (contains(name)) return open_group(name);
    const PropertyHandle links = link_properties();
    ObjectHandle made(
        check(H5Gcreate2(handle_.get(), name.c_str(), links.get(), H5P_DEFAULT, H5P_DEFAULT),
              "create group", path_of(name)));
    return Group(std::move(made), access_, path_of(name));
}

/// Throws Error if a part of the path is missing, or is a soft link or a link to another file.
void Group::require_own(const std::string& name) const {
    if (name.find('\0') != std::string::npos)
        refuse("'" + std::string(path_of(name).c_str()) + "'", "its name contains a zero byte");
    for (std::size_t end = name.find('/', 1);; end = name.find('/', end + 1)) {
        const std::string step = name.substr(0, end);
        H5L_info_t link;
        check_read(H5Lget_info(handle_.get(), step.c_str(), &link, H5P_DEFAULT), "open",
                   path_of(step));
        if (link.type != H5L_TYPE_HARD)
            refuse("'" + path_of(step) + "'", "it is a link to another place or file");
        if (end == std::string::npos) return;
    }
}

Group Group::open_group(const std::string& name) const {
    require_own(name);
    ObjectHandle opened(check_read(H5Gopen2(handle_.get(), name.c_str(), H5P_DEFAULT), "open group",
                                   path_of(name)));
    return Group(std::move(opened), access_, path_of(name));
}

Dataset Group::open_dataset(const std::string& name) const {
    require_own(name);
    ObjectHandle opened(check_read(H5Dopen2(handle_.get(), name.c_str(), H5P_DEFAULT),
                                   "open dataset", path_of(name)));
    return Dataset(std::move(opened), access_, path_of(name));
}

bool Group::contains(const std::string& name) const {
    // H5Lexists fails if an intermediate group is missing, so each step is checked in turn.
    for (std::size_t end = name.find('/');; end = name.find('/', end + 1)) {
        if (check_read(H5Lexists(handle_.get(), name.substr(0, end).c_str(), H5P_DEFAULT),
                       "look for", path_of(name)) == 0)
            return false;
        if (end == std::string::npos) return true;
    }
}

std::vector<std::string> Group::children() const {
    std::vector<std::string> names;
    const H5L_iterate_t add = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
        static_cast<std::vector<std::string>*>(out)->emplace_back(name);
        return 0;
    };
    check_read(H5Literate(handle_.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names), "list",
               name_);
    return names;
}

}  // namespace tessera::io::h5
