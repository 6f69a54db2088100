// SQLite behind a few functions. This is the only place that knows its library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace tessera::queue {

using Value = std::variant<std::nullptr_t, std::int64_t, double, std::string>;
using Values = std::vector<Value>;

/// A database in a file. Everything throws Error if the file cannot be used, is damaged or stays
/// locked.
class Database {
  public:
    /// Throws Error if the program was built without SQLite.
    explicit Database(const std::string& path);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// Runs one statement with its values in the places of '?'. Returns its rows.
    std::vector<Values> run(const std::string& statement, const Values& values = {});
    /// Runs `work` as one transaction that no other process sees half-done.
    void together(const std::function<void()>& work);

    /// From now on a write-ahead log is used, so that readers and a writer do not wait for each
    /// other, and what a transaction has written survives the end of the machine. This changes the
    /// file.
    void keep_log();

    std::int64_t last_id() const;
    /// A number that changes when another process has written.
    std::int64_t version_of_others();

  private:
    [[noreturn]] void fail(int code) const;
    struct Handle;
    std::string path_;
    std::unique_ptr<Handle> handle_;
};

}  // namespace tessera::queue
