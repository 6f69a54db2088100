#include "docking/pairs/pair_mail.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "core/error.hpp"

namespace tessera::docking {
namespace {

std::vector<kernels::PoseRecord> two_records() {
    kernels::PoseRecord first{}, second{};
    first.rotation = 5;
    second.score = -2.5F;
    return {first, second};
}

WrittenPair written() {
    return {"name,done",
            {1000, 2, 3, 4},
            "abc",
            {{"a.pdb", {5, 6, 7, 8}, "def"}, {"b.pdb", {}, ""}},
            "poses"};
}

/// Made step by step, because GCC 12 takes parts of a braced one for uninitialised.
PairSettled settled(int pair, bool failed, const PairFailure& failure) {
    PairSettled mail;
    mail.pair = pair;
    mail.failed = failed;
    mail.failure = failure;
    mail.written = written();
    return mail;
}

/// One mail of each kind, no field at its default.
std::vector<PairMail> all_kinds() {
    return {TileResult{3, 17, 0.25, two_records(), "abc"},
            PairFailed{4, {"no such file", ExitCode::resources}},
            TilesReturned{5, false, TileFault::not_finite, {8, 9}, "why"},
            PairFinished{6, written()},
            TilesRequested{7, {1, 2, 3}},
            FinishRequested{8, two_records(), {std::byte{1}, std::byte{2}}},
            settled(9, true, {"stopped", ExitCode::numerics}),
            DeviceLeftOut{"it is lost"}};
}

void expect_equal(const WrittenPair& a, const WrittenPair& b) {
    EXPECT_EQ(a.row, b.row);
    EXPECT_EQ(a.file, b.file);
    EXPECT_EQ(a.input_sha256, b.input_sha256);
    EXPECT_EQ(a.poses, b.poses);
    ASSERT_EQ(a.inputs.size(), b.inputs.size());
    for (std::size_t i = 0; i < a.inputs.size(); ++i) {
        EXPECT_EQ(a.inputs[i].path, b.inputs[i].path);
        EXPECT_EQ(a.inputs[i].file, b.inputs[i].file);
        EXPECT_EQ(a.inputs[i].sha256, b.inputs[i].sha256);
    }
}

template <class Mail>
Mail arrived(const Mail& mail) {
    return std::get<Mail>(unpacked(packed(mail)));
}

std::optional<ExitCode> code_of_refusal(std::span<const std::byte> message) {
    try {
        unpacked(message);
    } catch (const Error& error) {
        return error.code();
    }
    return std::nullopt;
}

TEST(PairMail, ATileResultTravelsWhole) {
    const TileResult mail = arrived(TileResult{3, 17, 0.25, two_records(), "abc"});
    EXPECT_EQ(mail.pair, 3);
    EXPECT_EQ(mail.tile, 17);
    EXPECT_EQ(mail.seconds, 0.25);
    ASSERT_EQ(mail.records.size(), 2U);
    EXPECT_EQ(mail.records[0].rotation, 5U);
    EXPECT_EQ(mail.records[1].score, -2.5F);
    EXPECT_EQ(mail.input_sha256, "abc");
}

TEST(PairMail, FailuresTravelWhole) {
    const PairFailed failed = arrived(PairFailed{4, {"no such file", ExitCode::resources}});
    EXPECT_EQ(failed.pair, 4);
    EXPECT_EQ(failed.failure.reason, "no such file");
    EXPECT_EQ(failed.failure.code, ExitCode::resources);
    const PairSettled stopped = arrived(PairSettled{9, true, {"stopped", ExitCode::numerics}, {}});
    EXPECT_EQ(stopped.pair, 9);
    EXPECT_TRUE(stopped.failed);
    EXPECT_EQ(stopped.failure.reason, "stopped");
    EXPECT_EQ(stopped.failure.code, ExitCode::numerics);
    EXPECT_EQ(arrived(DeviceLeftOut{"it is lost"}).why, "it is lost");
}

TEST(PairMail, ReturnedAndRequestedTilesTravelWhole) {
    const TilesReturned returned =
        arrived(TilesReturned{5, false, TileFault::not_finite, {8, 9}, "why"});
    EXPECT_EQ(returned.pair, 5);
    EXPECT_FALSE(returned.tried);
    EXPECT_EQ(returned.fault, TileFault::not_finite);
    EXPECT_EQ(returned.tiles, (std::vector<std::int64_t>{8, 9}));
    EXPECT_EQ(returned.detail, "why");
    EXPECT_TRUE(arrived(TilesReturned{}).tiles.empty());
    const TilesRequested requested = arrived(TilesRequested{7, {1, 2, 3}});
    EXPECT_EQ(requested.pair, 7);
    EXPECT_EQ(requested.tiles, (std::vector<std::int64_t>{1, 2, 3}));
}

TEST(PairMail, SearchedAndFinishedPairsTravelWhole) {
    const FinishRequested request =
        arrived(FinishRequested{8, two_records(), {std::byte{1}, std::byte{2}}});
    EXPECT_EQ(request.pair, 8);
    ASSERT_EQ(request.records.size(), 2U);
    EXPECT_EQ(request.records[1].score, -2.5F);
    EXPECT_EQ(request.run_record, (std::vector{std::byte{1}, std::byte{2}}));
    const PairFinished finished = arrived(PairFinished{6, written()});
    EXPECT_EQ(finished.pair, 6);
    expect_equal(finished.written, written());
    expect_equal(arrived(settled(6, false, {})).written, written());
}

TEST(PairMail, AMailThatIsNotWholeIsRefused) {
    for (const PairMail& mail : all_kinds()) {
        const std::vector<std::byte> message = packed(mail);
        for (std::size_t length = 0; length < message.size(); ++length)
            EXPECT_EQ(code_of_refusal(std::span(message).first(length)), ExitCode::internal)
                << "kind " << mail.index() << ", " << length << " bytes";
    }
}

TEST(PairMail, BytesBehindAMailAreRefused) {
    for (const PairMail& mail : all_kinds()) {
        std::vector<std::byte> message = packed(mail);
        message.push_back(std::byte{0});
        EXPECT_EQ(code_of_refusal(message), ExitCode::internal) << "kind " << mail.index();
    }
}

TEST(PairMail, AnUnknownKindIsRefused) {
    std::vector<std::byte> message = packed(DeviceLeftOut{"why"});
    message[0] = std::byte{200};
    EXPECT_EQ(code_of_refusal(message), ExitCode::internal);
}

}  // namespace
}  // namespace tessera::docking
