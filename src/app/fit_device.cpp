#include "app/fit_device.hpp"

#include "io/hdf5/output_path.hpp"

namespace tessera::app {

std::unique_ptr<io::PartialFolder> open_folder(const std::string& output, bool force,
                                               const io::RunIdentity& identity,
                                               const StopFlag& stop) {
    auto folder = std::make_unique<io::PartialFolder>(output, identity, force, io::lock_patience(),
                                                      &stop.flag());
    // The previous owner of the folder may have finished the same run.
    io::check_output_path(output, force);
    return folder;
}

}  // namespace tessera::app
