#include "process_device.hpp"

#include <nanobind/nanobind.h>
#include <unistd.h>

#include <memory>
#include <mutex>
#include <utility>

#include "array_pool.hpp"
#include "core/error.hpp"
#include "kokkos_kernels/device/device_guard.hpp"

namespace tessera::python {

namespace {

struct Started {
    std::unique_ptr<kernels::DeviceRuntime> runtime;
    std::string device;
    int threads;
    pid_t process;
};

/// Changed under Python's lock only. end_at_exit() ends what runs.
Started*& started() {
    static Started* one = nullptr;
    return one;
}

/// Called by Python before it destroys its objects, some of which hold memory of the device.
void end_at_exit() {
    Started* const one = started();
    if (!one || one->process != getpid()) return;
    end_array_pool();
    if (!kernels::device_is_lost()) kernels::end_device(std::move(one->runtime));
}

void require_same_process(const Started& running) {
    if (running.process != getpid())
        throw Error(
            "this process cannot compute", "it was forked from one whose threads already run",
            "start it with multiprocessing's method 'spawn' or 'forkserver'", ExitCode::resources);
    if (!running.runtime)
        throw Error("this process cannot compute", "Python is ending",
                    "compute before its handlers of atexit run", ExitCode::resources);
}

}  // namespace

const kernels::DeviceInfo& start_device(const std::string& device, int threads) {
    Started*& one = started();
    if (!one) {
        if (threads < 0)
            throw Error("threads is " + std::to_string(threads), "it is a number of threads",
                        "give 1 or more, or 0 for one for each core");
        const kernels::DeviceRequest request{device, 0, 1, 0, threads};
        one = new Started{std::make_unique<kernels::DeviceRuntime>(request), device, threads,
                          getpid()};
        nanobind::module_::import_("atexit").attr("register")(nanobind::cpp_function(&end_at_exit));
    }
    require_same_process(*one);
    const bool other_threads = threads != 0 && threads != one->runtime->info().threads;
    const bool other_device = device != "auto" && device != one->device &&
                              device != name_of(one->runtime->info().backend);
    if (other_threads || other_device)
        throw Error("the device runs already (" + name_of(one->runtime->info().backend) + ", " +
                        std::to_string(one->runtime->info().threads) + " threads)",
                    "a process starts it once", "choose it before the first computation");
    return one->runtime->info();
}

const kernels::DeviceInfo& running_device() { return start_device("auto", 0); }

namespace {

/// Runs `work` without Python's lock, one call of all threads at a time.
void without_python(const std::function<void()>& work) {
    require_same_process(*started());
    static std::mutex one_at_a_time;
    const nanobind::gil_scoped_release without_lock;
    const std::lock_guard lock(one_at_a_time);
    try {
        work();
    } catch (const TileFailure& failure) {
        throw Error("the computation failed", failure.what(),
                    failure.reason() == TileFailure::Reason::not_finite
                        ? "check the numbers of the input"
                        : "use a device with more free memory, or ask for less at once",
                    failure.exit_code());
    }
}

}  // namespace

void compute(const std::function<void()>& work) {
    without_python([&] { kernels::guard_device(work); });
}

void compute_long(const std::function<void(Interruption&)>& work) {
    Interruption interruption;
    interruption.look = [&] {
        const nanobind::gil_scoped_acquire with_lock;
        if (PyErr_CheckSignals() != 0) interruption.stop = true;
    };
    try {
        without_python([&] { work(interruption); });
    } catch (...) {
        if (interruption.stop) throw nanobind::python_error();
        throw;
    }
}

}  // namespace tessera::python
