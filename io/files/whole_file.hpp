// An output file for other programs that gets its name only when it is complete.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace tessera::io {

/// Gives a finished file its name. Returns 0 or an error number: EEXIST if the name is taken and
/// must not be replaced.
int give_name(const std::string& temporary, const std::string& path, bool replace);

/// Writes beside PATH, under a temporary_name(). commit() renames it; without commit() the
/// destructor removes it. It replaces a file that has the name at the start, but none that appears
/// later. Call check_output_path() first. Every failure throws Error.
class WholeFile {
  public:
    explicit WholeFile(std::string path);
    ~WholeFile();
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;

    void write(std::string_view bytes);
    /// Brings what was written to the disk. Call it before commit() where the file must survive a
    /// crash of the machine.
    void sync();
    void commit();

  private:
    [[noreturn]] void fail(const char* what);
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::string path_, temporary_;
    bool replace_;
    std::unique_ptr<std::FILE, Close> file_;
};

/// Copies a file. Every failure throws Error and leaves no copy.
void copy_whole_file(const std::string& from, const std::string& to);

/// Makes a folder unless it exists. Removes what killed processes left in it.
void make_folder(const std::string& path);

}  // namespace tessera::io
