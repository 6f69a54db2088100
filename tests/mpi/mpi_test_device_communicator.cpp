// Run on 1, 2, 3 and 4 ranks: on host memory, on host memory that MPI may not see, and where the
// ranks have a GPU each on that, by NCCL where the build has it.
#include "mpi/collectives/device_communicator.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <memory>

#include "kokkos_kernels/device/device_operations.hpp"
#include "support/keyed_sums.hpp"
#include "support/test_device.hpp"

namespace {

using namespace tessera;
using mpi::Communicator;
using mpi::DeviceCommunicator;
using mpi::KeyedSums;
using mpi::Transport;

/// A "GPU" whose memory is the host's, the same for all ranks: forces the way through host memory.
class FakeGpu final : public DeviceOperations {
  public:
    std::string gpu_identity() const override { return "fake"; }
    void* allocate(std::size_t bytes) override { return host_.allocate(bytes); }
    void release(void* memory) noexcept override { host_.release(memory); }
    void* allocate_host(std::size_t bytes) override { return host_.allocate(bytes); }
    void release_host(void* memory) noexcept override { host_.release(memory); }
    void copy(void* to, const void* from, std::size_t bytes) override {
        host_.copy(to, from, bytes);
    }
    void merge(std::span<const ArrayMerge> steps, std::size_t count) override {
        host_.merge(steps, count);
    }
    void clear(SumPair* sums, std::size_t count) override { host_.clear(sums, count); }
    void add_values(SumPair* sums, const void* values, bool single, std::size_t count) override {
        host_.add_values(sums, values, single, count);
    }
    void synchronize() override {}

  private:
    HostOperations host_;
};

/// Arrays in the device's memory that go with the object.
class DeviceArrays {
  public:
    explicit DeviceArrays(DeviceOperations& device) : device_(device) {}
    ~DeviceArrays() {
        for (void* memory : memory_) device_.release(memory);
    }
    template <class T>
    T* add(const std::vector<T>& values) {
        const std::size_t bytes = values.size() * sizeof(T);
        memory_.push_back(device_.allocate(bytes + 1));
        device_.copy(memory_.back(), values.data(), bytes);
        device_.synchronize();
        return static_cast<T*>(memory_.back());
    }
    template <class T>
    std::vector<T> read(const T* array, std::size_t count) {
        std::vector<T> values(count);
        device_.copy(values.data(), array, count * sizeof(T));
        device_.synchronize();
        return values;
    }

  private:
    DeviceOperations& device_;
    std::vector<void*> memory_;
};

void check_all_reduce(DeviceCommunicator& communicator, DeviceOperations& device) {
    const Communicator& ranks = communicator.ranks();
    for (const std::int64_t keys : {1, 4, 11})
        for (const std::size_t count : {5u, 4001u}) {
            DeviceArrays arrays(device);
            std::vector<KeyedSums> sums;
            for (std::int64_t key = 0; key < keys; ++key)
                if (holder_of(key, keys, ranks.size(), Dealing::shuffled) == ranks.rank())
                    sums.push_back({{key, 0}, arrays.add(contribution_of(key, count))});
            SumPair* result = arrays.add(std::vector<SumPair>(count, {1e300, 1}));
            communicator.all_reduce(sums, keys, count, result);
            const auto found = arrays.read(result, count), expected = expected_sum(keys, count);
            EXPECT_EQ(std::memcmp(found.data(), expected.data(), count * sizeof(SumPair)), 0)
                << communicator.description() << ", " << keys << " keys, " << count << " elements";
        }
}

void check_reduce_scatter(DeviceCommunicator& communicator, DeviceOperations& device) {
    const Communicator& ranks = communicator.ranks();
    constexpr std::int64_t keys = 5;
    constexpr std::size_t count = 1009;
    DeviceArrays arrays(device);
    std::vector<KeyedSums> sums;
    for (std::int64_t key = 0; key < keys; ++key)
        if (holder_of(key, keys, ranks.size(), Dealing::blocks) == ranks.rank())
            sums.push_back({{key, 0}, arrays.add(contribution_of(key, count))});
    const std::size_t room = mpi::share_of(count, ranks.rank(), ranks.size()).size();
    SumPair* share = arrays.add(std::vector<SumPair>(room));
    const auto range = communicator.reduce_scatter(sums, keys, count, share);
    const auto found = arrays.read(share, range.size()), expected = expected_sum(keys, count);
    EXPECT_EQ(
        std::memcmp(found.data(), expected.data() + range.begin, range.size() * sizeof(SumPair)),
        0);
}

void check_broadcast(DeviceCommunicator& communicator, DeviceOperations& device) {
    const int root = communicator.ranks().size() - 1;
    DeviceArrays arrays(device);
    double* values =
        arrays.add(std::vector<double>(1000, communicator.ranks().rank() == root ? 2.5 : 0));
    communicator.broadcast(values, 1000 * sizeof(double), root);
    EXPECT_EQ(arrays.read(values, 1000), std::vector<double>(1000, 2.5));
}

void check_everything(DeviceCommunicator& communicator, DeviceOperations& device) {
    check_all_reduce(communicator, device);
    check_reduce_scatter(communicator, device);
    check_broadcast(communicator, device);
    check_all_reduce(communicator, device);
}

TEST(DeviceCommunicator, HostArraysGoByMpi) {
    HostOperations host;
    DeviceCommunicator communicator(Communicator::world(), host);
    EXPECT_EQ(communicator.transport(), Transport::mpi);
    EXPECT_EQ(communicator.description(), "MPI (arrays lie in host memory)");
    check_everything(communicator, host);
}

TEST(DeviceCommunicator, RanksThatShareAGpuGoThroughHostMemory) {
    if (Communicator::world().size() < 2) GTEST_SKIP() << "one rank shares nothing";
    if (mpi::mpi_takes_gpu_memory()) GTEST_SKIP() << "this MPI needs no way through host memory";
    FakeGpu gpu;
    DeviceCommunicator communicator(Communicator::world(), gpu, {true, {}, {64}});
    EXPECT_EQ(communicator.transport(), Transport::staged_mpi);
    EXPECT_EQ(communicator.description(), "MPI through host memory (two ranks share a GPU)");
    check_everything(communicator, gpu);
}

/// The rank's GPU, or a reason to skip. Collective.
std::unique_ptr<DeviceOperations> own_gpu(const Communicator& world) {
    if (test_device().backend != kernels::Backend::cuda) return nullptr;
    auto device = kernels::make_device_operations(kernels::Backend::cuda);
    mpi::DeviceCommunicator probe(world, *device);
    const bool shared = probe.description().find("share a GPU") != std::string::npos;
    return shared ? nullptr : std::move(device);
}

TEST(DeviceCommunicator, GpusGiveTheBitsOfHosts) {
    const Communicator world = Communicator::world();
    const auto device = own_gpu(world);
    if (!device) GTEST_SKIP() << "needs a GPU for each of " << world.size() << " rank(s)";
    DeviceCommunicator communicator(world, *device);
#ifdef TESSERA_ENABLE_NCCL
    EXPECT_EQ(communicator.transport(), Transport::nccl) << communicator.description();
#endif
    check_everything(communicator, *device);
}

TEST(DeviceCommunicator, GpusWithoutNcclGiveTheSameBits) {
    const Communicator world = Communicator::world();
    const auto device = own_gpu(world);
    if (!device) GTEST_SKIP() << "needs a GPU for each of " << world.size() << " rank(s)";
    DeviceCommunicator communicator(world, *device, {false});
    EXPECT_NE(communicator.transport(), Transport::nccl);
    check_everything(communicator, *device);
}

#ifdef TESSERA_ENABLE_NCCL
TEST(DeviceCommunicator, ARankThatDoesNotComeIsNotWaitedForForEver) {
    const Communicator world = Communicator::world();
    const auto device = own_gpu(world);
    if (!device || world.size() < 2) GTEST_SKIP() << "needs two ranks with a GPU each";
    DeviceCommunicator communicator(world, *device, {true, std::chrono::seconds(5), {}});
    ASSERT_EQ(communicator.transport(), Transport::nccl) << communicator.description();
    DeviceArrays arrays(*device);
    double* values = arrays.add(std::vector<double>(1 << 20));
    EXPECT_THROW(world.together([&] {
        if (world.is_root()) communicator.broadcast(values, 8 << 20, world.size() - 1);
    }),
                 mpi::SharedError);
    // The rest of the program goes on, by MPI.
    EXPECT_EQ(world.allreduce_sum(1), world.size());
}
#endif

}  // namespace
