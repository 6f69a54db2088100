// Isosurfaces that a rank has found, on disk until rank 0 takes them into the result file: a long
// trajectory's do not fit into memory.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>

#include "orbitals/orbital_surface.hpp"

namespace tessera::orbitals {

/// Takes a surface: index of its frame, item of the selection. The view lives for the call.
using SurfaceSink =
    std::function<void(std::int32_t frame, std::int32_t item, const kernels::SurfaceView& view)>;

/// A rank's own file, made with the first surface and removed by the destructor.
class SurfaceSpool {
  public:
    explicit SurfaceSpool(std::string path) : path_(std::move(path)) {}
    ~SurfaceSpool();
    SurfaceSpool(const SurfaceSpool&) = delete;
    SurfaceSpool& operator=(const SurfaceSpool&) = delete;

    void append(std::int32_t frame, std::int32_t item, const kernels::SurfaceView& view);
    /// Brings everything to where other ranks see it.
    void finish();

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    template <class T>
    void write(const T* values, std::size_t count);

    std::string path_;
    std::unique_ptr<std::FILE, Close> file_;
};

/// Hands all surfaces of a finished spool to `take`, one at a time; none where there is no such file.
void read_spool(const std::string& path, const SurfaceSink& take);

}  // namespace tessera::orbitals
