// The part of HDF5 that Tessera's files need. Numbers are stored little-endian, text as UTF-8.
// Every call is checked; an Error names the file and the object.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/hdf5/h5_handle.hpp"

namespace tessera::io::h5 {

/// Lengths of the axes, slowest first; empty for a scalar.
using Shape = std::vector<std::uint64_t>;

template <class T>
concept Number =
    std::same_as<T, double> || std::same_as<T, float> || std::same_as<T, std::int32_t> ||
    std::same_as<T, std::int64_t> || std::same_as<T, std::uint32_t> ||
    std::same_as<T, std::uint64_t> || std::same_as<T, std::int8_t> || std::same_as<T, std::uint8_t>;

/// Values in row-major order with their shape.
template <class T>
struct Array {
    Shape shape;
    std::vector<T> values;
};

struct DatasetOptions {
    std::string units;  ///< attribute `units`; none if empty
    Shape chunk;        ///< chosen automatically if empty
    int deflate = 0;    ///< 1 … 9; ignored if this HDF5 has no deflate
};

/// A column of a table, and the place of its value in a row of the program's struct. Text fields
/// have a fixed length and are zero padded (FixedString).
struct Column {
    enum class Kind { integer, real, text };  ///< std::int64_t, double, char[text_size]
    std::string name;
    Kind kind = Kind::real;
    std::size_t offset = 0;
    std::size_t text_size = 0;
    std::string units;
};

/// The file of an object. The bytes that are read are counted, so that a small file that claims to
/// be large cannot fill the memory.
struct FileAccess {
    std::string path;
    std::uint64_t most_bytes;      ///< bytes that the file may hold
    std::uint64_t readable_bytes;  ///< of these, the bytes that may still be read
    bool is_being_written;         ///< by this program: HDF5 keeps part of the file in memory
};

/// A group or a dataset, which can have attributes.
class Object {
  public:
    void write_attribute(const std::string& name, const std::string& text);
    void write_attribute(const std::string& name, const char* text);
    void write_attribute(const std::string& name, const std::vector<std::string>& texts);
    template <Number T>
    void write_attribute(const std::string& name, T value);
    template <Number T>
    void write_attribute(const std::string& name, const std::vector<T>& values);

    bool has_attribute(const std::string& name) const;
    /// T: std::string or a Number; a scalar or an array of one element.
    template <class T>
    T read_attribute(const std::string& name) const;
    /// T: std::string or a Number; a scalar gives one element.
    template <class T>
    std::vector<T> read_attributes(const std::string& name) const;

    /// Throws Error: `what` ("dataset '/a'") of this file cannot be used.
    [[noreturn]] void refuse(const std::string& what, const std::string& why) const;

    const std::string& name() const { return name_; }  ///< absolute path within the file
    const std::string& file() const { return access_->path; }
    hid_t id() const { return handle_.get(); }  ///< for other code in io/ that calls HDF5

  protected:
    Object(ObjectHandle handle, std::shared_ptr<FileAccess> access, std::string name);
    /// Throws Error "cannot ACTION NAME of FILE (HDF5's reason)" unless result >= 0.
    template <class Result>
    Result check(Result result, const char* action, const std::string& name) const;
    /// The same for a file that is read, where damage means bad input.
    template <class Result>
    Result check_read(Result result, const char* action, const std::string& name) const;
    /// Throws Error if more bytes are read than such a file can hold.
    void count_read(std::uint64_t bytes, const std::string& what) const;
    /// Throws Error unless HDF5 can read the `count` texts of variable length of a dataset or an
    /// attribute without writing beyond the memory that it allocates. `read` fills a buffer of the
    /// given memory type.
    void require_texts(hid_t holder, std::uint64_t count, const std::string& what,
                       const std::function<herr_t(hid_t type, void* into)>& read) const;
    void replace_attribute(const std::string& name, hid_t stored_type, hid_t memory_type,
                           hid_t space, const void* data);
    AttributeHandle open_attribute(const std::string& name) const;

    ObjectHandle handle_;
    std::shared_ptr<FileAccess> access_;
    std::string name_;
};

class Dataset : public Object {
  public:
    Shape shape() const;
    /// Throws Error unless all values lie in this file, in a layout and with filters that the
    /// program knows. Every read calls this first.
    void require_stored() const;
    /// All values, converted to T. Throws Error if the stored type cannot be converted.
    template <Number T>
    Array<T> read() const;
    /// The first value, without reading the others. Throws Error like read(), and for an empty one.
    double read_first() const;
    std::vector<std::string> read_strings() const;
    /// Reads columns of a table by name. Columns that the table lacks stay as in Row{}.
    template <class Row>
    std::vector<Row> read_table(const std::vector<Column>& columns) const {
        std::vector<Row> rows(begin_table(sizeof(Row), columns));
        fill_table(rows.data(), sizeof(Row), columns);
        return rows;
    }

  private:
    friend class Group;
    using Object::Object;
    /// Checks the stored columns and returns the number of rows.
    std::size_t begin_table(std::size_t row_size, const std::vector<Column>& columns) const;
    void fill_table(void* rows, std::size_t row_size, const std::vector<Column>& columns) const;
};

/// A group of a file. Names may be paths ("docking/poses"); intermediate groups are created.
/// Objects must lie in this file and place: links to other places are refused.
class Group : public Object {
  public:
    /// Opens the group, or creates it.
    Group group(const std::string& name);
    Group open_group(const std::string& name) const;
    Dataset open_dataset(const std::string& name) const;
    bool contains(const std::string& name) const;
    /// The names of the members of this group, in alphabetical order.
    std::vector<std::string> children() const;

    /// Stores values under a new name. Throws Error if the name is taken or the number of values is
    /// not the product of the shape.
    template <Number T>
    Dataset write(const std::string& name, std::span<const T> values, const Shape& shape,
                  const DatasetOptions& options = {});
    template <Number T>
    Dataset write(const std::string& name, const std::vector<T>& values, const Shape& shape,
                  const DatasetOptions& options = {}) {
        return write(name, std::span<const T>(values), shape, options);
    }
    /// Writes a dataset of one axis.
    template <Number T>
    Dataset write(const std::string& name, const std::vector<T>& values,
                  const DatasetOptions& options = {}) {
        return write(name, std::span<const T>(values), {values.size()}, options);
    }
    Dataset write_strings(const std::string& name, const std::vector<std::string>& texts) {
        return write_strings(name, texts, {texts.size()});
    }
    /// The number of texts must be the product of the shape.
    Dataset write_strings(const std::string& name, const std::vector<std::string>& texts,
                          const Shape& shape);
    /// Writes a table of fixed compounds. If any column has units, the attribute `units` has one
    /// entry for each column.
    Dataset write_table(const std::string& name, const void* rows, std::size_t row_size,
                        std::size_t count, const std::vector<Column>& columns);

  private:
    friend class File;
    using Object::Object;
    std::string path_of(const std::string& name) const;
    void require_own(const std::string& name) const;
    Dataset write_raw(const std::string& name, hid_t stored_type, hid_t memory_type,
                      const void* data, const Shape& shape, const DatasetOptions& options);
};

class File {
  public:
    /// Creates an empty file; an existing file or link of that name is removed first.
    /// `metadata_block`: the size of the blocks that HDF5 allocates for its own records, or 0 for
    /// the default.
    static File create(const std::string& path, std::size_t metadata_block = 0);
    /// Creates an empty file in memory. `name` stands for it in messages; nothing gets that name.
    static File in_memory(const std::string& name);
    /// Opens a file for reading. Throws Error if there is no such file or it is not HDF5.
    static File open(const std::string& path);
    /// Opens a file to add to it.
    static File reopen(const std::string& path);

    Group root() const;
    const std::string& path() const { return access_->path; }
    /// Writes everything and closes the file. Its groups and datasets become invalid.
    void close();
    /// The bytes that this file has on the disk, or would have.
    std::vector<std::byte> image() const;

  private:
    File(FileHandle handle, const FileAccess& access);
    static FileHandle open_as(const std::string& path, unsigned flags);
    FileHandle handle_;
    std::shared_ptr<FileAccess> access_;
};

}  // namespace tessera::io::h5
