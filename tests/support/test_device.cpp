#include "test_device.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

namespace tessera {
namespace {

std::unique_ptr<kernels::DeviceRuntime> runtime;

class DeviceEnvironment : public testing::Environment {
    void TearDown() override { runtime.reset(); }
};

const auto* const environment = testing::AddGlobalTestEnvironment(new DeviceEnvironment);

}  // namespace

const kernels::DeviceInfo& test_device() {
    if (!runtime) {
        kernels::DeviceRequest request;
        if (const char* device = std::getenv("TESSERA_TEST_DEVICE")) request.device = device;
        // Ranks of one test take a GPU each, as far as there are so many.
        if (const char* rank = std::getenv("OMPI_COMM_WORLD_LOCAL_RANK"))
            request.node_rank = std::atoi(rank);
        runtime = std::make_unique<kernels::DeviceRuntime>(request);
    }
    return runtime->info();
}

}  // namespace tessera
