#include "likelihood/fit/asynchronous_search.hpp"

#include <cstring>
#include <span>
#include <utility>

#include "core/error.hpp"
#include "core/run_host.hpp"

namespace tessera::likelihood {

AsynchronousSearch::AsynchronousSearch(SharedObjective& shared, const std::string& path,
                                       io::JournalKey key, Options options)
    : shared_(shared), options_(std::move(options)), writer_(path, key) {
    io::read_journal(path, key, [&](io::Record record, bool) {
        SettledPoint point;
        if (record.size() != sizeof(point))
            throw Error("cannot use the journal '" + path + "'", "one of its records is damaged",
                        "start over with --force", ExitCode::resources);
        std::memcpy(&point, record.data(), sizeof(point));
        before_.push_back(point);
    });
}

void AsynchronousSearch::carry_out(SteadySearch& search, const std::function<void()>& watch) {
    DeskOptions options{options_.verify, options_.seed, {}, {}};
    options.settled = [&](const SettledPoint& point) {
        writer_.append(std::as_bytes(std::span(&point, 1)));
    };
    options.warn = [&](const std::string& line) {
        record_.warnings.push_back(line);
        options_.say(line);
    };
    PointDesk desk(search, options_.ranks, options);
    for (const SettledPoint& point : before_) desk.repeat(point);
    const bool whole = desk.done() || shared_.search(
                                          desk,
                                          [&] {
                                              checkpoint_for_run_host([&] { writer_.sync(); });
                                              watch();
                                          },
                                          record_.shares);
    record_.verified = desk.verified();
    record_.mismatched = desk.mismatched();
    for (const PointGuest& guest : desk.guests()) record_.wrong.push_back(guest.wrong);
    if (!whole) throw Stopped{};
}

}  // namespace tessera::likelihood
