#include "queue/job_store.hpp"

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.hpp"

namespace tessera::queue {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t layout = 1;  // of the tables

constexpr const char* columns =
    "id, project, command, folder, environment, cores, gpus, gpu, priority, deadline, seconds, "
    "state, submitted, began, ended, ran, attempts, preemptions, deaths, stopping, cancelling, "
    "protected_until, held, exit_code, reason";

std::string as_json(const std::vector<std::string>& words) {
    try {
        return nlohmann::json(words).dump();
    } catch (const nlohmann::json::exception&) {
        throw Error("the queue cannot keep this command", "a word of it is not UTF-8",
                    "rename the file");
    }
}

std::vector<std::string> words_of(const Value& value) {
    return nlohmann::json::parse(std::get<std::string>(value)).get<std::vector<std::string>>();
}

std::int64_t whole(const Value& value) { return std::get<std::int64_t>(value); }
const std::string& text(const Value& value) { return std::get<std::string>(value); }

double number(const Value& value) {
    const auto* integer = std::get_if<std::int64_t>(&value);
    return integer ? static_cast<double>(*integer) : std::get<double>(value);
}

template <class Type>
Value value_or_null(const std::optional<Type>& value) {
    return value ? Value(*value) : Value(nullptr);
}

std::optional<double> maybe_number(const Value& value) {
    return std::holds_alternative<std::nullptr_t>(value) ? std::nullopt
                                                         : std::optional(number(value));
}

JobState state_named(const std::string& name) {
    for (const JobState state : {JobState::waiting, JobState::running, JobState::done,
                                 JobState::failed, JobState::cancelled})
        if (name == name_of(state)) return state;
    throw Error("the queue has a job in the state '" + name + "'", "this program does not know it",
                "use the program that wrote it");
}

Job job_of(const Values& row) {
    Job job;
    auto value = row.begin();
    const auto next = [&]() -> const Value& { return *value++; };
    job.id = whole(next());
    job.request.project = text(next());
    job.request.command = words_of(next());
    job.request.folder = text(next());
    job.request.environment = words_of(next());
    job.request.cores = static_cast<int>(whole(next()));
    job.request.gpus = static_cast<int>(whole(next()));
    job.request.gpu = text(next());
    job.request.priority = static_cast<int>(whole(next()));
    job.request.deadline = maybe_number(next());
    job.request.seconds = maybe_number(next());
    job.state = state_named(text(next()));
    job.submitted = number(next());
    job.began = maybe_number(next());
    job.ended = maybe_number(next());
    job.ran = number(next());
    job.attempts = whole(next());
    job.preemptions = whole(next());
    job.deaths = whole(next());
    job.stopping = whole(next()) != 0;
    job.cancelling = whole(next()) != 0;
    job.protected_until = number(next());
    job.held = words_of(next());
    const Value& code = next();
    if (!std::holds_alternative<std::nullptr_t>(code)) job.exit_code = whole(code);
    job.reason = text(next());
    return job;
}

std::string existing(const std::string& path, JobStore::Open how) {
    if (how == JobStore::Open::existing && !fs::exists(path))
        throw Error("there is no queue '" + path + "'", "nothing was submitted to it",
                    "submit a job, or name the file with --queue or TESSERA_QUEUE");
    return path;
}

}  // namespace

JobStore::JobStore(const std::string& path, Open how)
    : path_(existing(path, how)), database_(path) {
    const auto is_new = [&] {
        return whole(database_.run("PRAGMA user_version").at(0).at(0)) != layout;
    };
    if (is_new()) require_own();
    database_.keep_log();
    database_.together([&] {
        if (is_new()) make_tables();
    });
}

void JobStore::require_own() {
    const std::int64_t found = whole(database_.run("PRAGMA user_version").at(0).at(0));
    if (found != 0 || !database_.run("SELECT 1 FROM sqlite_master").empty())
        throw Error("cannot use the queue '" + path_ + "'",
                    found > layout ? "a newer tessera wrote it"
                                   : "it is a database of another program",
                    "name another file, or use the program that wrote it");
}

void JobStore::make_tables() {
    database_.run("CREATE TABLE projects (name TEXT PRIMARY KEY, share REAL NOT NULL, "
                  "debt REAL NOT NULL DEFAULT 0, core_seconds REAL NOT NULL DEFAULT 0, "
                  "gpu_seconds REAL NOT NULL DEFAULT 0)");
    database_.run(
        "CREATE TABLE jobs (id INTEGER PRIMARY KEY AUTOINCREMENT, project TEXT NOT NULL, "
        "command TEXT NOT NULL, folder TEXT NOT NULL, environment TEXT NOT NULL, "
        "cores INTEGER NOT NULL, gpus INTEGER NOT NULL, gpu TEXT NOT NULL, "
        "priority INTEGER NOT NULL, deadline REAL, seconds REAL, state TEXT NOT NULL, "
        "submitted REAL NOT NULL, began REAL, ended REAL, ran REAL NOT NULL DEFAULT 0, "
        "attempts INTEGER NOT NULL DEFAULT 0, preemptions INTEGER NOT NULL DEFAULT 0, "
        "deaths INTEGER NOT NULL DEFAULT 0, stopping INTEGER NOT NULL DEFAULT 0, "
        "cancelling INTEGER NOT NULL DEFAULT 0, protected_until REAL NOT NULL DEFAULT 0, "
        "held TEXT NOT NULL DEFAULT '[]', exit_code INTEGER, reason TEXT NOT NULL DEFAULT '')");
    database_.run("CREATE INDEX jobs_by_state ON jobs (state)");
    database_.run("PRAGMA user_version = " + std::to_string(layout));
}

std::int64_t JobStore::submit(const JobRequest& request, double now) {
    std::int64_t id = 0;
    database_.together([&] {
        database_.run("INSERT OR IGNORE INTO projects (name, share) VALUES (?, 1.0)",
                      {request.project});
        database_.run("INSERT INTO jobs (project, command, folder, environment, cores, gpus, gpu, "
                      "priority, deadline, seconds, state, submitted) "
                      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting', ?)",
                      {request.project, as_json(request.command), request.folder,
                       as_json(request.environment), std::int64_t{request.cores},
                       std::int64_t{request.gpus}, request.gpu, std::int64_t{request.priority},
                       value_or_null(request.deadline), value_or_null(request.seconds), now});
        id = database_.last_id();
    });
    return id;
}

std::vector<Job> JobStore::jobs(bool with_ended) {
    std::vector<Job> found;
    const std::string unended = " WHERE state IN ('waiting', 'running')";
    for (const Values& row : database_.run("SELECT " + std::string(columns) + " FROM jobs" +
                                           (with_ended ? "" : unended) + " ORDER BY id"))
        found.push_back(job_of(row));
    return found;
}

std::optional<Job> JobStore::job(std::int64_t id) {
    const auto rows =
        database_.run("SELECT " + std::string(columns) + " FROM jobs WHERE id = ?", {id});
    return rows.empty() ? std::nullopt : std::optional(job_of(rows[0]));
}

std::int64_t JobStore::newest() {
    return whole(database_.run("SELECT COALESCE(MAX(id), 0) FROM jobs").at(0).at(0));
}

bool JobStore::update(const Job& job) {
    return !database_
                .run("UPDATE jobs SET state = ?, began = ?, ended = ?, ran = ?, attempts = ?, "
                     "preemptions = ?, deaths = ?, stopping = ?, protected_until = ?, held = ?, "
                     "exit_code = ?, reason = ? WHERE id = ? AND state IN ('waiting', 'running') "
                     "RETURNING id",
                     {std::string(name_of(job.state)), value_or_null(job.began),
                      value_or_null(job.ended), job.ran, job.attempts, job.preemptions, job.deaths,
                      std::int64_t{job.stopping}, job.protected_until, as_json(job.held),
                      value_or_null(job.exit_code), job.reason, job.id})
                .empty();
}

JobState JobStore::cancel(std::int64_t id, double now) {
    JobState before = JobState::waiting;
    database_.together([&] {
        const auto found = job(id);
        if (!found)
            throw Error("there is no job " + std::to_string(id), "the queue has no such number",
                        "see tessera queue list --all");
        before = found->state;
        if (before == JobState::waiting)
            database_.run("UPDATE jobs SET state = 'cancelled', ended = ? WHERE id = ?", {now, id});
        if (before == JobState::running)
            database_.run("UPDATE jobs SET cancelling = 1 WHERE id = ?", {id});
    });
    return before;
}

std::vector<StoredProject> JobStore::projects() {
    std::vector<StoredProject> found;
    for (const Values& row : database_.run(
             "SELECT name, share, debt, core_seconds, gpu_seconds FROM projects ORDER BY name"))
        found.push_back(
            {text(row[0]), number(row[1]), number(row[2]), number(row[3]), number(row[4])});
    return found;
}

void JobStore::set_share(const std::string& name, double share) {
    database_.run("INSERT INTO projects (name, share) VALUES (?, ?) "
                  "ON CONFLICT (name) DO UPDATE SET share = excluded.share",
                  {name, share});
}

void JobStore::together(const std::function<void()>& work) { database_.together(work); }

void JobStore::update(const std::vector<StoredProject>& projects) {
    for (const StoredProject& project : projects)
        database_.run("UPDATE projects SET debt = ?, core_seconds = ?, gpu_seconds = ? "
                      "WHERE name = ?",
                      {project.debt, project.core_seconds, project.gpu_seconds, project.name});
}

bool JobStore::has_news() {
    const std::int64_t before = std::exchange(version_, database_.version_of_others());
    return before != version_;
}

std::string queue_path(const std::string& given) {
    if (!given.empty()) return given;
    const auto variable = [](const char* name) -> std::string {
        const char* value = std::getenv(name);
        return value ? value : "";
    };
    if (const std::string named = variable("TESSERA_QUEUE"); !named.empty()) return named;
    const std::string data = variable("XDG_DATA_HOME"), home = variable("HOME");
    if (data.empty() && home.empty())
        throw Error("no place for the queue", "neither HOME nor XDG_DATA_HOME is set",
                    "name a file with --queue or TESSERA_QUEUE");
    const fs::path folder =
        (data.empty() ? fs::path(home) / ".local" / "share" : fs::path(data)) / "tessera";
    std::error_code ignored;  // the database says it better
    fs::create_directories(folder, ignored);
    return (folder / "queue.db").string();
}

}  // namespace tessera::queue
