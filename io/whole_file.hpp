// A file for other programs that appears under its name only when it is whole.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace tessera::io {

/// Written as PATH.tmp.<process id> beside PATH, renamed by commit(), removed without one. Every
/// failure throws Error.
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
    std::unique_ptr<std::FILE, Close> file_;
};

/// Makes a folder where there is none.
void make_folder(const std::string& path);

}  // namespace tessera::io
