#include "orbitals/surface_spool.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/error.hpp"

namespace tessera::orbitals {

namespace {

struct Header {
    std::int32_t frame = 0, item = 0;
    std::uint64_t vertices = 0, triangles = 0, positive_vertices = 0, positive_triangles = 0;
};

template <class T>
std::vector<T> read_rows(std::FILE* file, std::uint64_t count, const std::string& path) {
    std::vector<T> rows(count);
    if (std::fread(rows.data(), sizeof(T), rows.size(), file) != rows.size())
        throw Error("'" + path + "' ends within a surface", "a rank has not finished writing it",
                    "run again", ExitCode::resources);
    return rows;
}

}  // namespace

SurfaceSpool::~SurfaceSpool() {
    if (!file_) return;
    file_.reset();
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
}

template <class T>
void SurfaceSpool::write(const T* values, std::size_t count) {
    if (std::fwrite(values, sizeof(T), count, file_.get()) != count)
        throw Error("cannot write '" + path_ + "'", std::strerror(errno),
                    "check that the disk has room", ExitCode::resources);
}

void SurfaceSpool::append(std::int32_t frame, std::int32_t item, const kernels::SurfaceView& view) {
    if (!file_) file_.reset(std::fopen(path_.c_str(), "wb"));
    if (!file_)
        throw Error("cannot write '" + path_ + "'", std::strerror(errno),
                    "check that all nodes see the folder", ExitCode::resources);
    const Header header{frame,
                        item,
                        view.vertices.size(),
                        view.triangles.size(),
                        view.positive_vertices,
                        view.positive_triangles};
    write(&header, 1);
    write(view.vertices.data(), view.vertices.size());
    write(view.normals.data(), view.normals.size());
    write(view.triangles.data(), view.triangles.size());
}

void SurfaceSpool::finish() {
    if (file_ && (std::fflush(file_.get()) != 0 || fsync(fileno(file_.get())) != 0))
        throw Error("cannot write '" + path_ + "'", std::strerror(errno),
                    "check that the disk has room", ExitCode::resources);
}

void read_spool(const std::string& path, const SurfaceSink& take) {
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
    if (!file) return;
    Header header;
    while (std::fread(&header, sizeof header, 1, file.get()) == 1) {
        SurfaceMesh mesh;
        mesh.vertices = read_rows<std::array<float, 3>>(file.get(), header.vertices, path);
        mesh.normals = read_rows<std::array<float, 3>>(file.get(), header.vertices, path);
        mesh.triangles =
            read_rows<std::array<std::uint32_t, 3>>(file.get(), header.triangles, path);
        mesh.positive_vertices = header.positive_vertices;
        mesh.positive_triangles = header.positive_triangles;
        take(header.frame, header.item, mesh.view());
    }
}

}  // namespace tessera::orbitals
