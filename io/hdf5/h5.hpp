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
    Shape chunk;        ///< chosen where needed if empty
    int deflate = 0;    ///< 1 … 9; ignored where this HDF5 has no deflate
};

/// A column of a table: where its value lies in a row of the program's struct. Text fields are
/// fixed-length and zero padded (FixedString).
struct Column {
    enum class Kind { integer, real, text };  ///< std::int64_t, double, char[text_size]
    std::string name;
    Kind kind = Kind::real;
    std::size_t offset = 0;
    std::size_t text_size = 0;
    std::string units;
};

/// The file that an object lies in. What is read from it is counted, so that a small file which claims
/// to be large cannot fill the memory.
struct FileAccess {
    std::string path;
    std::uint64_t most_bytes;      ///< that it may hold
    std::uint64_t readable_bytes;  ///< of these, that may still be read
    bool is_being_written;         ///< by this program: HDF5 keeps part of it back
};

/// A group or a dataset: something that carries attributes.
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
    hid_t id() const { return handle_.get(); }  ///< for the rest of io/, where HDF5 lives

  protected:
    Object(ObjectHandle handle, std::shared_ptr<FileAccess> access, std::string name);
    /// Throws Error "cannot ACTION NAME of FILE (HDF5's reason)" unless result >= 0.
    template <class Result>
    Result check(Result result, const char* action, const std::string& name) const;
    /// Likewise of a file that is read: its damage is bad input.
    template <class Result>
    Result check_read(Result result, const char* action, const std::string& name) const;
    /// Throws Error where more is read than such a file can hold.
    void count_read(std::uint64_t bytes, const std::string& what) const;
    /// Throws Error unless HDF5 can read the `count` texts of variable length of a dataset or an attribute without
    /// writing beyond the memory it takes. `read` fills a buffer of the memory type it is given.
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
    /// Throws Error unless all values lie in this file, in a layout and behind filters that the program
    /// knows. Whatever reads asks this first.
    void require_stored() const;
    /// All values, converted to T; Error where the stored type cannot be.
    template <Number T>
    Array<T> read() const;
    std::vector<std::string> read_strings() const;
    /// The columns of a table, by name; those that it lacks stay as in Row{}.
    template <class Row>
    std::vector<Row> read_table(const std::vector<Column>& columns) const {
        std::vector<Row> rows(begin_table(sizeof(Row), columns));
        fill_table(rows.data(), sizeof(Row), columns);
        return rows;
    }

  private:
    friend class Group;
    using Object::Object;
    /// Checks the stored columns; the number of rows.
    std::size_t begin_table(std::size_t row_size, const std::vector<Column>& columns) const;
    void fill_table(void* rows, std::size_t row_size, const std::vector<Column>& columns) const;
};

/// A folder within a file. Names may be paths ("docking/poses"); groups on the way are made. What is
/// opened must lie in this very file and place: links to elsewhere are refused.
class Group : public Object {
  public:
    /// Opens the group, or makes it.
    Group group(const std::string& name);
    Group open_group(const std::string& name) const;
    Dataset open_dataset(const std::string& name) const;
    bool contains(const std::string& name) const;
    /// Names of what lies directly in this group, in alphabetical order.
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
    /// One axis.
    template <Number T>
    Dataset write(const std::string& name, const std::vector<T>& values,
                  const DatasetOptions& options = {}) {
        return write(name, std::span<const T>(values), {values.size()}, options);
    }
    Dataset write_strings(const std::string& name, const std::vector<std::string>& texts);
    /// A table of fixed compounds; attribute `units` has one entry a column where any has units.
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
    /// Makes an empty file; one of that name, or a link, is removed before. `metadata_block`: bytes that HDF5's own
    /// records are given room for at a time, 0 for the library's choice.
    static File create(const std::string& path, std::size_t metadata_block = 0);
    /// For reading. Throws Error where there is no such file or it is not HDF5.
    static File open(const std::string& path);
    /// Likewise, to add to it.
    static File reopen(const std::string& path);

    Group root() const;
    const std::string& path() const { return access_->path; }
    /// Writes out everything and closes; groups and datasets of the file are invalid then.
    void close();

  private:
    File(FileHandle handle, const FileAccess& access);
    static FileHandle open_as(const std::string& path, unsigned flags);
    FileHandle handle_;
    std::shared_ptr<FileAccess> access_;
};

}  // namespace tessera::io::h5
