#include "course/receive.hpp"

#include <gmock/gmock.h>

#include "base/files.hpp"
#include "base/test_folder.hpp"
#include "course/hand_ins.hpp"

namespace grader {
namespace receive_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct ReceiveTest : ::testing::Test {
  TestFolder folder;
  Receipt hand_in(const std::string& student, const std::string& text, int replaces = 0) const {
    const std::vector<Received> all = receive(folder.path, {{student, {{"kernel.cu", text}}, replaces}});
    if (all.front().failure) std::rethrow_exception(all.front().failure);
    return all.front().receipt;
  }
  /// Stores one hand-in while another one is unfinished.
  Receipt hand_in_beside(const std::string& student, const std::string& text) const {
    const fs::path fresh = folder.path / ".new", aside = folder.path / ".aside";
    fs::rename(fresh, aside);
    Receipt out = hand_in(student, text);
    fs::rename(aside, fresh);
    return out;
  }
  std::vector<HandIn> found() const { return find_hand_ins(folder.path, {}).all; }
};

TEST_F(ReceiveTest, AttemptsAreNumberedAndFoundWithTheTimeOfTheirReceipts) {
  const Receipt first = hand_in("ada", "one\n"), second = hand_in("ada", "two\n");
  EXPECT_EQ(first.number, 1);
  EXPECT_EQ(second.number, 2);
  const std::vector<HandIn> all = found();
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[1].student, "ada");
  EXPECT_EQ(all[1].attempt, 2);
  EXPECT_EQ(all[1].received_at, second.received_at);
  EXPECT_EQ(receipt_in(all[1].paths.front()).sha256, second.sha256);
}

TEST_F(ReceiveTest, AReplacedHandInKeepsItsReceiptAndItsPlaceInTheQueue) {
  const Receipt first = hand_in("ada", "one\n"), second = hand_in("ada", "two\n", 1);
  EXPECT_EQ(second.number, 1);
  EXPECT_EQ(second.queued_ns, first.queued_ns);
  EXPECT_THAT(found(), SizeIs(1));
  const std::vector<Receipt> all = receipts_of(folder.path, "ada");
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_TRUE(all[0].replaced);
  EXPECT_EQ(all[0].sha256, first.sha256);
  EXPECT_EQ(read_file(found()[0].paths.front() / "kernel.cu", 100), "two\n");
}

TEST_F(ReceiveTest, RepairKeepsWhatWasWrittenWholeAndRemovesTheRest) {
  const Receipt whole = hand_in("ada", "one\n");
  fs::create_directories(folder.path / ".new/ada");
  fs::rename(folder.path / "ada/1", folder.path / ".new/ada/1");
  fs::remove(folder.path / "ada");
  repair_received(folder.path);
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(receipt_in(found()[0].paths.front()).sha256, whole.sha256);
  write_file(folder.path / ".new/bob/1/kernel.cu", "half");
  repair_received(folder.path);
  EXPECT_THAT(found(), SizeIs(1));
  EXPECT_FALSE(fs::exists(folder.path / ".new"));
}

TEST_F(ReceiveTest, RepairTakesOnlyWhatItsReceiptProves) {
  hand_in("ada", "one\n");
  hand_in("bob", "one\n");
  for (const std::string student : {"ada", "bob"}) {
    fs::create_directories(folder.path / ".new");
    fs::rename(folder.path / student, folder.path / ".new" / student);
  }
  write_file(folder.path / ".new/bob/1/kernel.cu", "one");  // a power cut lost the end of the file
  repair_received(folder.path);
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].student, "ada");
}

TEST_F(ReceiveTest, RepairReplacesWhereAKillCameBeforeThat) {
  const Receipt second = hand_in("ada", "two\n");
  fs::create_directories(folder.path / ".new");
  fs::rename(folder.path / "ada", folder.path / ".new/ada");
  const Receipt first = hand_in_beside("ada", "one\n");
  repair_received(folder.path);
  EXPECT_EQ(receipt_in(folder.path / "ada/1").sha256, second.sha256);
  const std::vector<Receipt> all = receipts_of(folder.path, "ada");
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0].sha256, first.sha256);
  EXPECT_TRUE(all[0].replaced);
}

TEST_F(ReceiveTest, AFailureConcernsItsOwnHandInAlone) {
  write_file(folder.path / "bob/kernel.cu", "int x;\n");
  const std::vector<Received> all =
      receive(folder.path, {{"ada", {{"kernel.cu", "one\n"}}}, {"bob", {{"kernel.cu", "one\n"}}}});
  EXPECT_FALSE(all[0].failure);
  EXPECT_EQ(all[0].receipt.number, 1);
  EXPECT_TRUE(all[1].failure);
  EXPECT_FALSE(fs::exists(folder.path / ".new"));
}

TEST_F(ReceiveTest, FilesThatCameInAnotherWayAreNotMixedWithIt) {
  write_file(folder.path / "ada/kernel.cu", "int x;\n");
  EXPECT_THROW(hand_in("ada", "one\n"), Error);
  EXPECT_EQ(read_file(folder.path / "ada/kernel.cu", 100), "int x;\n");
  EXPECT_THAT(receipts_of(folder.path, "ada"), IsEmpty());
}

}  // namespace receive_test
}  // namespace grader
