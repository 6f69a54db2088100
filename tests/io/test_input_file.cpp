// What users give as files: only files, read once, as much as their kind can need.
#include "io/files/input_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <zlib.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "core/stop_flag.hpp"
#include "io/proteins/structure.hpp"
#include "io/structure_texts.hpp"
#include "io/temporary_folder.hpp"
#include "io/text/text_file.hpp"

namespace {

using tessera::Error;
using tessera::io::InputFile;
using tessera::io::InputKind;
using tessera::io::NamedInput;
using tessera::io::read_text_file;
using tessera::io::sha256_of;

constexpr InputKind note{"note", "give a note", std::size_t{256} << 20, "write less"};
constexpr InputKind short_note{"note", "give a note", 100, "write less"};

void write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

std::string packed(const std::string& text) {
    const tessera::test::TemporaryFolder folder;
    const gzFile file = gzopen((folder / "packed").c_str(), "wb9");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    std::ifstream stream(folder / "packed", std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::string refusal(const std::string& path, const InputKind& kind = note) {
    try {
        read_text_file(path, kind);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(InputFile, GivesTheTextAndTheHashOfTheFilesBytes) {
    const tessera::test::TemporaryFolder folder;
    const std::string text(3'000'000, 'x'), small = packed(text);
    write(folder / "plain", text);
    write(folder / "packed", small);
    EXPECT_EQ(read_text_file(folder / "plain", note).text, text);
    EXPECT_EQ(read_text_file(folder / "plain", note).sha256, sha256_of(text));
    EXPECT_EQ(read_text_file(folder / "packed", note).text, text);
    EXPECT_EQ(read_text_file(folder / "packed", note).sha256, sha256_of(small));
    EXPECT_EQ(tessera::io::sha256_of_file(folder / "packed"), sha256_of(small));
    std::filesystem::create_symlink(folder / "plain", folder / "link");
    EXPECT_EQ(read_text_file(folder / "link", note).sha256, sha256_of(text));
}

TEST(InputFile, WhatIsNoFileIsRefusedAtOnce) {
    const tessera::test::TemporaryFolder folder;
    const std::string pipe = folder / "pipe", socket_path = folder / "socket";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);  // nobody will ever write to it
    EXPECT_EQ(refusal(pipe), "cannot read note '" + pipe +
                                 "' (it is a pipe, which can be read only once): write its "
                                 "contents to a file first");
    EXPECT_THROW(tessera::io::sha256_of_file(pipe), Error);
    EXPECT_NE(refusal("/dev/zero").find("it is a device or a socket"), std::string::npos);
    EXPECT_NE(refusal("/dev/null").find("give a note"), std::string::npos);
    EXPECT_NE(refusal(folder.path()).find("it is a directory"), std::string::npos);
    EXPECT_NE(refusal(folder / "missing").find("No such file"), std::string::npos);

    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{AF_UNIX, {}};
    socket_path.copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_NE(refusal(socket_path), "");
    close(listener);
}

TEST(InputFile, ThePartsOfWhatIsNoFileAreEmpty) {
    const tessera::test::TemporaryFolder folder;
    const std::string pipe = folder / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);  // nobody will ever write to it
    for (const std::string& path : {pipe, folder.path().string(), folder / "missing"}) {
        EXPECT_EQ(tessera::io::beginning_of(path), "");
        EXPECT_EQ(tessera::io::end_of(path, 8), "");
    }
    write(folder / "text", "from here to there");
    EXPECT_EQ(tessera::io::beginning_of(folder / "text", 4), "from");
    EXPECT_EQ(tessera::io::end_of(folder / "text", 5), "there");
}

TEST(InputFile, WhatCannotBeThatKindIsNotRead) {
    const tessera::test::TemporaryFolder folder;
    write(folder / "long", std::string(101, 'x'));
    EXPECT_NE(refusal(folder / "long", short_note).find("101 bytes, more than 100 bytes"),
              std::string::npos);
    write(folder / "sparse", "x");
    std::filesystem::resize_file(folder / "sparse", std::uintmax_t{100} << 30);
    EXPECT_NE(refusal(folder / "sparse").find("100 GiB, more than 256 MiB"), std::string::npos);
    std::filesystem::resize_file(folder / "sparse", std::uintmax_t{200} << 20);
    EXPECT_NE(refusal(folder / "sparse").find("binary"), std::string::npos);
    for (const char* magic : {"BZh91AY", "PK\x03\x04", "\x28\xB5\x2F\xFD",
                              "\xFD"
                              "7zXZ"}) {
        write(folder / "other", std::string(magic) + "and more");
        EXPECT_NE(refusal(folder / "other").find("other than gzip"), std::string::npos) << magic;
    }
}

TEST(InputFile, PackedFilesUnpackToWhatTextsCan) {
    const tessera::test::TemporaryFolder folder;
    const std::string blanks = packed(std::string(15 << 20, ' '));  // a thousandth of that
    std::string much;
    for (int i = 0; i < 2; ++i) much += blanks;  // 30 MiB
    write(folder / "bomb", much);
    EXPECT_NE(refusal(folder / "bomb").find("a hundred times its size"), std::string::npos);
    write(folder / "little", blanks + packed("words"));  // 16 MiB are allowed
    EXPECT_EQ(read_text_file(folder / "little", note).text.size(), (15u << 20) + 5);
    write(folder / "short", packed(std::string(101, ' ') + "x"));
    EXPECT_NE(refusal(folder / "short", short_note).find("more than 100 bytes when unpacked"),
              std::string::npos);
    write(folder / "zeros", packed(std::string(1 << 24, '\0')));
    EXPECT_NE(refusal(folder / "zeros").find("binary"), std::string::npos);
    write(folder / "cut", blanks.substr(0, blanks.size() / 2));
    EXPECT_NE(refusal(folder / "cut").find("truncated"), std::string::npos);
}

TEST(InputFile, AFileThatChangesMeanwhileIsRefused) {
    const tessera::test::TemporaryFolder folder;
    const std::string path = folder / "growing";
    const auto read_while = [&](auto&& change) {
        write(path, std::string(3 << 20, 'x'));
        InputFile file({path, note});
        file.next();
        change();
        while (!file.next().empty()) {
        }
    };
    EXPECT_NO_THROW(read_while([] {}));
    EXPECT_THROW(read_while([&] { std::ofstream(path, std::ios::app) << "more"; }), Error);
    EXPECT_THROW(read_while([&] { std::filesystem::resize_file(path, 2 << 20); }), Error);
    const auto later = std::filesystem::file_time_type::clock::now() + std::chrono::seconds(5);
    EXPECT_THROW(read_while([&] { std::filesystem::last_write_time(path, later); }), Error);
    // A new file under the name is another file: what was opened is read to its end.
    EXPECT_NO_THROW(read_while([&] {
        write(folder / "new", "new");
        std::filesystem::rename(folder / "new", path);
    }));
}

TEST(InputFile, ASignalEndsTheReading) {
    const tessera::test::TemporaryFolder folder;
    write(folder / "note", "words");
    const tessera::StopFlag stop;
    std::raise(SIGTERM);
    try {
        read_text_file(folder / "note", note);
        ADD_FAILURE() << "read in spite of the signal";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), tessera::ExitCode::requeue);
    }
}

TEST(InputFile, ASignalOfFormerTimesDoesNot) {
    const tessera::test::TemporaryFolder folder;
    write(folder / "note", "words");
    {
        const tessera::StopFlag stop;
        std::raise(SIGTERM);
    }
    EXPECT_EQ(read_text_file(folder / "note", note).text, "words");
}

TEST(InputFile, StructuresCarryTheHashOfTheirFile) {
    const tessera::test::TemporaryFolder folder;
    write(folder / "a.pdb", tessera::test::glycine_pdb);
    EXPECT_EQ(tessera::io::read_structure(folder / "a.pdb").sha256,
              sha256_of(tessera::test::glycine_pdb));
}

}  // namespace
