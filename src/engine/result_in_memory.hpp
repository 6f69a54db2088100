// The end of a run that writes no file.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/build_record.hpp"
#include "io/hdf5/result_file.hpp"
#include "io/hdf5/run_record.hpp"

namespace tessera::engine {

/// Returns the bytes of the result file that the command would write. It uses HDF5, which allows
/// one thread of a process at a time.
using ResultWriter = std::function<std::vector<std::byte>()>;

/// Keeps a result and the record of its run. `write(file, result)` puts the result into an
/// h5::File.
template <class Result, class Write>
ResultWriter result_in_memory(const std::string& workload, Result&& result, io::RunRecord record,
                              Write write) {
    record.build = build_record();
    const auto kept = std::make_shared<const std::decay_t<Result>>(std::forward<Result>(result));
    return [workload, kept, record, write] {
        const io::h5::File file = io::h5::File::in_memory("a result of " + workload + " in memory");
        io::h5::Group root = file.root();
        io::write_header(root, workload, program_version());
        write(file, *kept);
        io::write_run_record(file.root(), record);
        root.write_attribute("complete", std::uint8_t{1});
        return file.image();
    };
}

}  // namespace tessera::engine
