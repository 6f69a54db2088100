#include "queue/database.hpp"

#ifdef TESSERA_HAS_SQLITE
#include <sqlite3.h>
#endif

#include <chrono>
#include <thread>
#include <type_traits>

#include "core/error.hpp"

namespace tessera::queue {

#ifdef TESSERA_HAS_SQLITE

struct Database::Handle {
    sqlite3* database = nullptr;
    ~Handle() { sqlite3_close(database); }
};

namespace {

using Statement = std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)>;

int bind(sqlite3_stmt* statement, int place, const Value& value) {
    return std::visit(
        [&](const auto& held) {
            using Type = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<Type, std::int64_t>)
                return sqlite3_bind_int64(statement, place, held);
            else if constexpr (std::is_same_v<Type, double>)
                return sqlite3_bind_double(statement, place, held);
            else if constexpr (std::is_same_v<Type, std::string>)
                return sqlite3_bind_text(statement, place, held.data(),
                                         static_cast<int>(held.size()), SQLITE_TRANSIENT);
            else
                return sqlite3_bind_null(statement, place);
        },
        value);
}

Value column(sqlite3_stmt* statement, int place) {
    switch (sqlite3_column_type(statement, place)) {
        case SQLITE_NULL: return nullptr;
        case SQLITE_INTEGER:
            return static_cast<std::int64_t>(sqlite3_column_int64(statement, place));
        case SQLITE_FLOAT: return sqlite3_column_double(statement, place);
        default: {
            const void* text = sqlite3_column_blob(statement, place);
            const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, place));
            return std::string(static_cast<const char*>(text), text ? size : 0);
        }
    }
}

}  // namespace

Database::Database(const std::string& path) : path_(path), handle_(std::make_unique<Handle>()) {
    constexpr int patience = 20000;  // ms, for other processes
    if (const int code = sqlite3_open(path.c_str(), &handle_->database); code != SQLITE_OK)
        fail(code);
    sqlite3_busy_timeout(handle_->database, patience);
}

std::vector<Values> Database::run(const std::string& statement, const Values& values) {
    sqlite3_stmt* raw = nullptr;
    int code = sqlite3_prepare_v2(handle_->database, statement.c_str(), -1, &raw, nullptr);
    if (code != SQLITE_OK) fail(code);
    const Statement prepared(raw, &sqlite3_finalize);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (code = bind(raw, static_cast<int>(i) + 1, values[i]); code != SQLITE_OK) fail(code);
    std::vector<Values> rows;
    while ((code = sqlite3_step(raw)) == SQLITE_ROW) {
        rows.emplace_back();
        for (int i = 0; i < sqlite3_column_count(raw); ++i) rows.back().push_back(column(raw, i));
    }
    if (code != SQLITE_DONE) fail(code);
    return rows;
}

std::int64_t Database::last_id() const { return sqlite3_last_insert_rowid(handle_->database); }

void Database::fail(int code) const {
    const char* why = sqlite3_errmsg(handle_->database);
    const bool foreign = (code & 0xff) == SQLITE_NOTADB || (code & 0xff) == SQLITE_CORRUPT;
    throw Error("cannot use the queue '" + path_ + "'", why ? why : "SQLite cannot open it",
                foreign ? "name a file of tessera queue, or one that does not exist"
                        : "see whether the disk is full or the file cannot be written",
                foreign ? ExitCode::usage : ExitCode::resources);
}

#else

struct Database::Handle {};

Database::Database(const std::string& path) : path_(path) { fail(0); }
std::vector<Values> Database::run(const std::string&, const Values&) { fail(0); }
std::int64_t Database::last_id() const { fail(0); }

void Database::fail(int) const {
    throw Error("cannot use the queue '" + path_ + "'", "this program was built without SQLite",
                "install libsqlite3-dev and build it again", ExitCode::resources);
}

#endif

Database::~Database() = default;

void Database::together(const std::function<void()>& work) {
    run("BEGIN IMMEDIATE");
    try {
        work();
    } catch (...) {
        try {
            run("ROLLBACK");
        } catch (const Error&) {
            // The first error says more. SQLite may have rolled back already.
        }
        throw;
    }
    run("COMMIT");
}

void Database::keep_log() {
    constexpr int most_tries = 200;
    // SQLite does not wait here for another process that does the same.
    for (int tries = 1; run("PRAGMA journal_mode").at(0).at(0) != Value(std::string("wal"));
         ++tries) {
        try {
            run("PRAGMA journal_mode = WAL");
        } catch (const Error&) {
            if (tries == most_tries) throw;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }
    run("PRAGMA synchronous = FULL");
}

std::int64_t Database::version_of_others() {
    return std::get<std::int64_t>(run("PRAGMA data_version").at(0).at(0));
}

}  // namespace tessera::queue
