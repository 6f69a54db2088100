// A file for other programs that appears under its name only when it is whole.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace tessera::io {

/// Gives a finished file its name. Returns 0, or why it could not: EEXIST where something has that name
/// already and is not to be replaced.
int give_name(const std::string& temporary, const std::string& path, bool replace);

/// Written as PATH.tmp.<process id> beside PATH, renamed by commit(), removed without one. It replaces what
/// has the name when it is begun, nothing that appears later: ask check_output_path() first.
/// Every failure throws Error.
class WholeFile {
  public:
    explicit WholeFile(std::string path);
    ~WholeFile();
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;

    void write(std::string_view bytes);
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

/// Makes a folder where there is none.
void make_folder(const std::string& path);

}  // namespace tessera::io
