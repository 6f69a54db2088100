// Run on 1, 2, 3 and 4 ranks.
#include <gtest/gtest.h>

#include <map>

#include "mpi/mailbox.hpp"

namespace {

using tessera::mpi::Communicator;
using tessera::mpi::Mailbox;

std::vector<std::byte> message_of(int source, int number, std::size_t length) {
    std::vector<std::byte> message(length, static_cast<std::byte>(source));
    message.front() = static_cast<std::byte>(number);
    return message;
}

/// Every rank sends `count` messages of `length` to every rank, itself too.
void expect_all_arrive(int count, std::size_t length) {
    const Communicator world = Communicator::world();
    Mailbox mail(world);
    std::map<int, int> received;
    const auto receive = [&](int source, std::span<const std::byte> message) {
        ASSERT_EQ(message.size(), length);
        EXPECT_EQ(static_cast<int>(message.front()), received[source]++);  // in order
        EXPECT_EQ(static_cast<int>(message.back()), source);
    };
    for (int number = 0; number < count; ++number) {
        for (int rank = 0; rank < world.size(); ++rank)
            mail.send(rank, message_of(world.rank(), number, length));
        mail.poll(receive);
    }
    mail.finish(receive);
    for (int rank = 0; rank < world.size(); ++rank) EXPECT_EQ(received[rank], count);
}

TEST(Mailbox, EveryMessageArrivesInOrder) {
    expect_all_arrive(0, 2);
    expect_all_arrive(1, 2);
    expect_all_arrive(100, 2);
}

TEST(Mailbox, LongMessages) { expect_all_arrive(3, 3'000'000); }

TEST(Mailbox, AnAnswerMayBeSentFromWhereAMessageIsReceived) {
    const Communicator world = Communicator::world();
    Mailbox mail(world);
    int questions = 0, answers = 0;
    const auto receive = [&](int source, std::span<const std::byte> message) {
        if (static_cast<int>(message.front()) == 1) {
            ++answers;
        } else {
            ++questions;
            mail.send(source, message_of(1, 1, 4));
        }
    };
    const bool answering = world.rank() == world.size() - 1;
    mail.send(world.size() - 1, message_of(1, 0, 4));
    while (answers == 0 || (answering && questions < world.size())) mail.poll(receive);
    mail.finish(receive);
    EXPECT_EQ(answers, 1);
}

TEST(Mailbox, OneRankLateOthersWaitForIt) {
    const Communicator world = Communicator::world();
    Mailbox mail(world);
    int received = 0, calls = 0;
    if (world.is_root()) {
        for (int rank = 1; rank < world.size(); ++rank) mail.send(rank, message_of(0, 0, 100'000));
    }
    mail.finish([&](int, auto) { ++received; }, [&] { ++calls; });
    EXPECT_EQ(received, world.is_root() ? 0 : 1);
    EXPECT_GT(calls, 0);
}

}  // namespace
