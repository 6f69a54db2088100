#include "io/hdf5/output_path.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "io/files/home_folder.hpp"
#include "io/files/input_file.hpp"
#include "io/hdf5/h5.hpp"
#include "io/text/shell_word.hpp"

namespace tessera::io {

namespace fs = std::filesystem;

Error cannot_write_output(const std::string& path, const std::string& why,
                          const std::string& what_to_do, ExitCode code) {
    return Error("cannot write '" + path + "'", why, what_to_do, code);
}

fs::path folder_of(const std::string& path) {
    const fs::path folder = fs::path(path).parent_path();
    return folder.empty() ? fs::path(".") : folder;
}

void check_output_folder(const std::string& path) {
    const fs::path folder = folder_of(path);
    std::error_code ignored;
    if (!fs::exists(folder, ignored))
        throw cannot_write_output(path, "there is no folder '" + folder.string() + "'",
                                  names_home(path)
                                      ? write_home
                                      : "make it first: mkdir -p " + shell_word(folder.string()));
    if (!fs::is_directory(folder, ignored))
        throw cannot_write_output(path, "'" + folder.string() + "' is not a folder",
                                  "choose another name");
    if (access(folder.c_str(), W_OK | X_OK) != 0)
        throw cannot_write_output(path, "folder '" + folder.string() + "': " + std::strerror(errno),
                                  "choose a folder that you may write to", ExitCode::resources);
}

bool may_go(const std::string& path, const IsOurs& is_ours) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) &&
           (fs::file_size(path, ignored) == 0 || is_ours(path));
}

bool is_result(const std::string& path) {
    try {
        return h5::File::open(path).root().read_attribute<std::string>("program") == "tessera";
    } catch (const Error&) {
        return false;
    }
}

bool is_export(const std::string& path) {
    std::istringstream text(beginning_of(path));
    std::string line;
    for (int number = 0; number < 3 && std::getline(text, line); ++number)
        for (const std::string_view comment : {"", "# ", "comment ", "REMARK   6 ", "<!-- "})
            for (const std::string_view workload :
                 {"tessera dock, ", "tessera orbital, ", "tessera fit, ", "tessera likelihood, "})
                if (line.starts_with(std::string(comment).append(workload))) return true;
    return false;
}

void check_output_path(const std::string& path, bool force, const IsOurs& is_ours) {
    if (path.empty()) throw cannot_write_output(path, "the name is empty", "give -o OUT.h5");
    std::error_code ignored;
    if (path.back() == '/' || fs::is_directory(path, ignored))
        throw cannot_write_output(path, "it is the name of a folder",
                                  "name a file, such as " + (fs::path(path) / "run.h5").string());
    check_output_folder(path);
    if (!fs::exists(fs::symlink_status(path, ignored))) return;
    if (!fs::is_regular_file(path, ignored))
        throw cannot_write_output(path, "it exists and is not a file", "choose another name");
    if (!force)
        throw cannot_write_output(path, "it exists already",
                                  "choose another name, or replace it with --force");
    if (!may_go(path, is_ours))
        throw cannot_write_output(path, "tessera did not write the existing file",
                                  "choose another name, or remove that file yourself");
}

void keep_source(const std::string& output, const std::string& source) {
    std::error_code ignored;
    if (fs::equivalent(output, source, ignored))
        throw cannot_write_output(output, "it is an input of this run", "choose another name");
}

}  // namespace tessera::io
