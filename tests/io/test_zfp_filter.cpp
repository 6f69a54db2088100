// zfp as a filter of HDF5: what it promises, the parameters of H5Z-ZFP, and damaged chunks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "core/error.hpp"
#include "io/hdf5/grid_pack.hpp"
#include "io/hdf5/zfp_filter.hpp"
#include "temporary_folder.hpp"

namespace tessera::io {
namespace {

constexpr std::array<std::int64_t, 3> shape{21, 18, 10};

/// A smooth function with one narrow peak, as orbitals and densities have.
template <class Real>
std::vector<std::byte> smooth(double height) {
    std::vector<Real> values;
    for (std::int64_t z = 0; z < shape[2]; ++z)
        for (std::int64_t y = 0; y < shape[1]; ++y)
            for (std::int64_t x = 0; x < shape[0]; ++x) {
                const double r2 = std::pow(0.1 * static_cast<double>(x) - 1, 2) +
                                  std::pow(0.1 * static_cast<double>(y) - 1, 2) +
                                  std::pow(0.1 * static_cast<double>(z) - 0.5, 2);
                values.push_back(static_cast<Real>(height * std::exp(-40 * r2) - std::exp(-r2)));
            }
    std::vector<std::byte> bytes(values.size() * sizeof(Real));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

template <class Real>
double largest_difference(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
    double most = 0;
    for (std::size_t at = 0; at < a.size(); at += sizeof(Real)) {
        Real x, y;
        std::memcpy(&x, a.data() + at, sizeof(Real));
        std::memcpy(&y, b.data() + at, sizeof(Real));
        most = std::max(most, std::abs(static_cast<double>(x) - static_cast<double>(y)));
    }
    return most;
}

class Zfp : public testing::Test {
  protected:
    void SetUp() override {
        if (!has_zfp()) GTEST_SKIP() << "this build has no zfp";
    }
};

TEST_F(Zfp, KeepsItsBoundOrPacksNothing) {
    for (const double error : {1e-2, 1e-4, 1e-6}) {
        const auto values = smooth<float>(1);
        const ZfpChunk chunk{shape, false, error};
        const auto packed = zfp_pack(chunk, values);
        ASSERT_TRUE(packed);
        EXPECT_LT(3 * packed->size(), 2 * values.size());
        const auto back = zfp_unpack(zfp_parameters(chunk), *packed);
        ASSERT_TRUE(back);
        EXPECT_LE(largest_difference<float>(values, *back), error);
        EXPECT_GT(largest_difference<float>(values, *back), 0);
    }
    const auto values = smooth<double>(1);
    const ZfpChunk chunk{shape, true, 1e-9};
    const auto packed = zfp_pack(chunk, values);
    ASSERT_TRUE(packed);
    EXPECT_LE(largest_difference<double>(values, *zfp_unpack(zfp_parameters(chunk), *packed)),
              1e-9);
    // The values of a block share an exponent: single precision keeps 1e-6 only of small ones.
    EXPECT_FALSE(zfp_pack({shape, false, 1e-6}, smooth<float>(1e4)));
}

/// Those that h5py writes with hdf5plugin.Zfp(accuracy=1e-5) for chunks of 34 x 175 x 175.
TEST_F(Zfp, HasTheParametersOfThePlugin) {
    const ZfpChunk chunk{{175, 175, 34}, false, 1e-5};
    const std::vector<unsigned> parameters = zfp_parameters(chunk);
    ASSERT_EQ(parameters.size(), 4u);
    EXPECT_EQ(std::vector(parameters.begin() + 1, parameters.end()),
              (std::vector<unsigned>{91252346, 182455018, 3391095312}));
    EXPECT_EQ(zfp_unpacked_bytes(parameters), 4u * 175 * 175 * 34);
}

TEST_F(Zfp, DamageEndsInValuesOrNothing) {
    const ZfpChunk chunk{shape, false, 1e-5};
    const std::vector<unsigned> parameters = zfp_parameters(chunk);
    const auto packed = *zfp_pack(chunk, smooth<float>(1));
    std::mt19937 random(3);
    for (int n = 0; n < 300; ++n) {
        auto damaged = packed;
        for (int i = 0; i < 20; ++i) damaged[random() % damaged.size()] = std::byte(random());
        damaged.resize(random() % (damaged.size() + 1));
        if (n % 3 == 0) std::ranges::generate(damaged, [&] { return std::byte(random()); });
        const auto back = zfp_unpack(parameters, damaged);
        EXPECT_TRUE(!back || back->size() == 4u * 21 * 18 * 10);
        auto other = parameters;
        other[1 + random() % 3] ^= 1U << random() % 32;
        zfp_unpacked_bytes(other);
    }
    EXPECT_FALSE(zfp_unpacked_bytes({}));
    EXPECT_FALSE(zfp_unpacked_bytes(std::vector<unsigned>(4)));
}

GridSpec grid_of_three_chunks() {
    GridSpec spec;
    spec.name = "/density/values";
    spec.leading = {1};
    spec.shape = {shape[0], shape[1], 3 * shape[2] - 2};  // the last chunk is not full
    spec.chunk_planes = shape[2];
    spec.deflate = 6;
    spec.largest_error = 1e-5;
    spec.zfp = true;
    return spec;
}

/// The second chunk has values so large that it stays plain.
TEST_F(Zfp, AFileHoldsPackedAndPlainChunks) {
    const test::TemporaryFolder folder;
    const GridSpec spec = grid_of_three_chunks();
    std::vector<std::byte> values;
    for (const double height : {1.0, 1e6, -1.0}) {
        const auto chunk = smooth<float>(height);
        values.insert(values.end(), chunk.begin(), chunk.end());
    }
    values.resize(static_cast<std::size_t>(spec.shape[2]) * spec.plane_bytes());
    std::vector<std::byte> packed;
    pack_blocks({spec}, {{0, 0, 1, 0, spec.shape[2]}}, values.data(), 2, packed);
    h5::File file = h5::File::create(folder / "run.h5");
    create_grid(file.root(), spec);
    EXPECT_EQ(write_packed(file.root(), {spec}, packed), 3);
    file.close();
    const h5::File opened = h5::File::open(folder / "run.h5");
    const auto read = opened.root().open_dataset("density/values").read<float>().values;
    std::vector<std::byte> back(values.size());
    std::memcpy(back.data(), read.data(), back.size());
    EXPECT_LE(largest_difference<float>(values, back), 1e-5);
    const auto chunk = static_cast<std::ptrdiff_t>(spec.chunk_bytes());
    EXPECT_TRUE(
        std::equal(values.begin() + chunk, values.begin() + 2 * chunk, back.begin() + chunk));

    const float bad = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(values.data(), &bad, sizeof(bad));
    EXPECT_THROW(pack_blocks({spec}, {{0, 0, 1, 0, 10}}, values.data(), 1, packed), Error);
}

TEST_F(Zfp, ParametersOfOtherChunksAreRefused) {
    const test::TemporaryFolder folder;
    GridSpec spec = grid_of_three_chunks();
    spec.shape[2] = shape[2];
    std::vector<std::byte> packed;
    pack_blocks({spec}, {{0, 0, 1, 0, shape[2]}}, smooth<float>(1).data(), 1, packed);
    for (const std::int64_t planes : {shape[2], shape[2] - 1, 60000 * shape[2]}) {
        const std::string path = folder / (std::to_string(planes) + ".h5");
        h5::File file = h5::File::create(path);
        create_grid(file.root(), spec);  // and again with other parameters
        const std::vector<hsize_t> lengths{1, 10, 18, 21};
        const h5::SpaceHandle space(H5Screate_simple(4, lengths.data(), nullptr));
        const h5::PropertyHandle creation(H5Pcreate(H5P_DATASET_CREATE));
        H5Pset_chunk(creation.get(), 4, lengths.data());
        auto chunk = spec.zfp_chunk();
        chunk.shape[2] = planes;
        const auto parameters = zfp_parameters(chunk);
        H5Pset_filter(creation.get(), zfp_filter, H5Z_FLAG_MANDATORY, parameters.size(),
                      parameters.data());
        const h5::ObjectHandle made(H5Dcreate2(file.root().id(), "other", H5T_IEEE_F32LE,
                                               space.get(), H5P_DEFAULT, creation.get(),
                                               H5P_DEFAULT));
        write_packed(file.root(), {spec}, packed);
        spec.name = "/other";
        write_packed(file.root(), {spec}, packed);
        spec.name = "/density/values";
        file.close();
        const h5::File opened = h5::File::open(path);
        const auto dataset = opened.root().open_dataset("other");
        if (planes == shape[2])
            EXPECT_EQ(dataset.read<float>().values,
                      opened.root().open_dataset("density/values").read<float>().values);
        else
            EXPECT_THROW(dataset.read<float>(), Error);
    }
}

}  // namespace
}  // namespace tessera::io
