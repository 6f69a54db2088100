// How every run ends.
#pragma once

#include <cstdio>
#include <string>

#include "core/terminal.hpp"
#include "engine/build_record.hpp"
#include "io/hdf5/result_file.hpp"
#include "io/hdf5/run_record.hpp"

namespace tessera::engine {

/// On rank 0. Writes the result, gives the file its name, removes the journal, and only then tells
/// the user. `write()` puts the result into the file, `report()` is the text about it.
template <class Write, class RemoveJournal, class Report>
void finish_run(io::ResultFile& file, io::RunRecord& record, bool quiet, const Write& write,
                const RemoveJournal& remove_journal, const Report& report) {
    record.build = build_record();
    record.time_phase("write result", [&] { write(); });
    io::write_run_record(file.root(), record);
    const std::string text = quiet ? "" : report();
    file.commit();
    remove_journal();
    if (quiet) return;
    print_text(stdout, text + "\n");
    print_line(stdout, "written: " + file.path());
}

}  // namespace tessera::engine
