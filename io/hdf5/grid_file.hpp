// Sets of grids in a result file that are written while later grids are computed.
//
// Every rank writes its own blocks into one dataset of one file, without parallel HDF5 and without
// a copy at the end. Rank 0 creates an uncompressed dataset with all its chunks allocated and sends
// their addresses to all ranks. Each rank writes its chunks there as plain bytes. Compressed chunks
// have no address before they exist. They are returned in packed form and kept in the journal until
// rank 0 writes them into the file unchanged.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "io/hdf5/h5.hpp"
#include "io/hdf5/zfp_filter.hpp"

namespace tessera::io {

/// A dataset [leading axes, z, y, x]. A chunk is `chunk_planes` whole planes of one grid.
struct GridSpec {
    std::string name;                            ///< absolute path: "/orbitals/values"
    std::vector<std::int64_t> leading;           ///< lengths of the leading axes: [frame, orbital]
    std::array<std::int64_t, 3> shape{0, 0, 0};  ///< points along x, y, z
    std::int64_t chunk_planes = 1;
    bool double_precision = false;  ///< else float
    int deflate = 0;                ///< 0: uncompressed; else gzip level 1 to 9 after a shuffle
    double largest_error = 0;       ///< above 0: round_within() before gzip
    std::string units;
    bool zfp = false;  ///< pack_blocks() takes zfp instead of gzip

    std::int64_t grids() const;
    std::int64_t chunks_of_grid() const;
    std::size_t plane_bytes() const;
    std::size_t chunk_bytes() const;
    ZfpChunk zfp_chunk() const;
};

/// Creates the dataset. An uncompressed dataset gets space for all its chunks.
void create_grid(const h5::Group& root, const GridSpec& spec);

/// The position of a chunk's first element in the dataset; `grid` counts along the leading axes.
std::vector<hsize_t> chunk_position(const GridSpec& spec, std::int64_t grid,
                                    std::int64_t first_plane);

/// The addresses of the chunks of an uncompressed dataset, in order of grid and z; empty for a
/// compressed one.
std::vector<std::uint64_t> chunk_addresses(const h5::Group& root, const GridSpec& spec);

/// Waits until the disk has everything that this machine wrote into a file. Throws Error if that
/// fails.
void sync_file(const std::string& path);

/// Reads a box of one grid, x fastest. `begin` and `shape` are in (x, y, z); `grid` counts along
/// the leading axes.
std::vector<double> read_grid_box(const h5::Dataset& dataset, std::int64_t grid,
                                  const std::array<std::int64_t, 3>& begin,
                                  const std::array<std::int64_t, 3>& shape);

/// Writes whole planes of a dataset [z, y, x] from plane `first` on, x fastest.
void write_grid_planes(const h5::Dataset& dataset, std::int64_t first,
                       const std::vector<double>& values);

/// Whether the values of a dataset are numbers of single precision.
bool stores_single(const h5::Dataset& dataset);

class GridWriter;

/// A buffer for one tile's values. Its destructor returns it to its writer.
class GridBuffer {
  public:
    GridBuffer() = default;
    GridBuffer(GridWriter* writer, std::byte* data) : writer_(writer), data_(data) {}
    GridBuffer(GridBuffer&& other) noexcept;
    GridBuffer& operator=(GridBuffer&& other) noexcept;
    ~GridBuffer();
    std::byte* data() const { return data_; }

  private:
    GridWriter* writer_ = nullptr;
    std::byte* data_ = nullptr;
};

/// Planes [first_plane, first_plane + planes) of consecutive grids. first_plane is the first plane
/// of a chunk.
struct GridBlock {
    int dataset = 0;  ///< index into the specs
    std::int64_t first_grid = 0;
    std::int64_t grids = 1;
    std::int64_t first_plane = 0;
    std::int64_t planes = 0;
};

/// Allocates buffers of a writer with the given number of bytes.
using HostMemory = std::shared_ptr<std::byte[]>;
using HostAllocator = std::function<HostMemory(std::size_t)>;

/// Writes the grids of one rank with two buffers: a thread writes one while the other is filled. It
/// compresses with as many threads as the one that made the writer has.
class GridWriter {
  public:
    /// `file` has space at `addresses` (chunk_addresses()); without compression it must exist
    /// already. Without specs only then() can be used. `allocate` may return memory that a device
    /// copies to at full speed. If it is empty, plain memory is used.
    GridWriter(std::vector<GridSpec> specs, std::vector<std::vector<std::uint64_t>> addresses,
               const std::string& file, std::size_t buffer_bytes,
               const HostAllocator& allocate = {});
    /// Pending blocks are not written.
    ~GridWriter();
    GridWriter(const GridWriter&) = delete;
    GridWriter& operator=(const GridWriter&) = delete;

    /// Waits for a free buffer. Throws an earlier failure of the thread.
    GridBuffer acquire();
    /// Passes a buffer to the thread: values [grid, z, y, x] of the blocks, one block after the
    /// other, without gaps.
    void submit(std::vector<GridBlock> blocks, GridBuffer buffer);
    /// Lets the thread call `note` when all blocks submitted before are written. `note` gets the
    /// chunks that were compressed since the last call, for write_packed(). Waits while many calls
    /// are pending. Throws an earlier failure of the thread, including failures of `note`.
    void then(std::function<void(const std::vector<std::byte>& packed)> note);
    /// Waits until everything is written and noted; sync_file() then syncs it to disk. Throws a
    /// failure of the thread.
    void finish();

    double write_seconds() const { return write_seconds_; }  ///< time of the thread, after finish()
    double wait_seconds() const { return wait_seconds_; }    ///< time that the caller waited here

  private:
    friend class GridBuffer;
    struct Job {
        std::vector<GridBlock> blocks;
        GridBuffer buffer;
        std::function<void(const std::vector<std::byte>&)> note;  ///< if set, there are no blocks
    };

    void release(std::byte* data);
    void work();
    void carry_out(const Job& job);
    void write_bytes(const GridBlock& block, const std::byte* data) const;
    void write_at(const std::byte* data, std::size_t bytes, std::uint64_t at) const;

    std::vector<GridSpec> specs_;
    std::vector<std::vector<std::uint64_t>> addresses_;
    std::string file_;
    int threads_ = 1;  ///< that pack chunks: those of the thread that made the writer
    int descriptor_ = -1;
    std::vector<std::byte> packed_;  ///< used by the thread only
    std::vector<HostMemory> memory_;
    std::vector<std::byte*> free_;
    std::deque<Job> jobs_;
    bool closing_ = false;
    std::exception_ptr failure_;
    double write_seconds_ = 0, wait_seconds_ = 0;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::thread thread_;
};

}  // namespace tessera::io
