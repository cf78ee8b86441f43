// Tests lines of the emulation, and forged lines.
#include "run/channel.hpp"

#include <gmock/gmock.h>

#include "wire/seal.hpp"

namespace grader {
namespace channel_test {

using kit_wire::seal_of;
using testing::HasSubstr;

const std::string key = "000102030405060708090a0b0c0d0e0f";

std::string sealed(const std::vector<std::string>& lines) {
  std::string said;
  for (std::size_t i = 0; i < lines.size(); ++i) said += seal_of(key, i, lines[i]) + " " + lines[i] + "\n";
  return said;
}

const std::string kernel = R"({"kind":"kernel","name":"k"})", end = R"({"kind":"end"})";

TEST(LineSeal, IsSipHash) {
  // The first test vectors of SipHash's authors have the key 00 01 … 0f, as two numbers with the lowest byte first,
  // and the messages 00 01 02 ….
  EXPECT_EQ(kit_wire::SipHash(0x0706050403020100, 0x0f0e0d0c0b0a0908)(""), 0x726fdb47dd0e0e31u);
  const std::string message("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e", 15);
  EXPECT_EQ(kit_wire::SipHash(0x0706050403020100, 0x0f0e0d0c0b0a0908)(message), 0xa129ca6149be45e5u);
}

TEST(Channel, SeparatesProfileAndReports) {
  const ChannelContent content =
      read_channel(sealed({kernel, R"({"kind":"findings","report":{"findings": []}})", end}), key);
  EXPECT_EQ(content.profile, kernel + "\n" + end + "\n");
  EXPECT_EQ(content.reports.at("findings"), R"({"findings": []})");
  EXPECT_FALSE(content.forged);
}

TEST(Channel, LinesOfOthersDoNotCount) {
  const std::string right = sealed({kernel, end});
  EXPECT_TRUE(read_channel(kernel + "\n" + right, key).forged) << "no seal";
  EXPECT_TRUE(read_channel(seal_of("f" + key.substr(1), 0, kernel) + " " + kernel + "\n", key).forged)
      << "another key";
  EXPECT_EQ(read_channel(kernel + "\n" + right, key).profile, kernel + "\n" + end + "\n");
  EXPECT_TRUE(read_channel(right + right, key).forged) << "said again";
  EXPECT_TRUE(read_channel(right.substr(right.find('\n') + 1), key).forged) << "the first is missing";
  EXPECT_FALSE(read_channel(right.substr(0, right.size() - 3), key).forged) << "it was stopped";
}

TEST(Channel, ReportsAStoppedKernelAndACudaError) {
  const std::string fault = R"({"kind":"stop","kernel":"k","reason":"access","error":700})";
  const std::string late = R"({"kind":"stop","kernel":"k","reason":"time_limit","error":702})";
  const std::string error = R"({"kind":"cuda_error","error":700,"call":"kernel launch","file":"a.cu"})";
  const ChannelContent content = read_channel(sealed({fault, error, end}), key);
  ASSERT_TRUE(content.stop && content.cuda_error);
  EXPECT_EQ(content.stop->reason, kit_wire::Reason::access);
  EXPECT_EQ(content.cuda_error->call, "kernel launch");
  EXPECT_EQ(content.profile, end + "\n");
  const std::string todo = R"({"kind":"todo","part":2})", other = R"({"kind":"todo","part":3})";
  EXPECT_EQ(read_channel(sealed({todo, other}), key).todo->part, 2);
  EXPECT_EQ(read_channel(sealed({fault, late}), key).stop->reason, kit_wire::Reason::time_limit);
  EXPECT_EQ(read_channel(sealed({late, fault}), key).stop->reason, kit_wire::Reason::time_limit);
  EXPECT_FALSE(read_channel(fault + "\n", key).stop) << "no seal";
  EXPECT_FALSE(read_channel(fault + "\n" + error + "\n", "").stop) << "no runtime of the kit is on a GPU";
  EXPECT_FALSE(read_channel(fault + "\n" + error + "\n", "").cuda_error);
}

TEST(Channel, WithoutAKeyTakesAll) {
  EXPECT_EQ(read_channel(kernel + "\n", "").profile, kernel + "\n");
}

TEST(Implausible, IsWhatNoClockSays) {
  Profile profile;
  Activity one;
  one.kind = Activity::Kind::kernel;
  one.name = "k";
  one.start_s = 1000;
  one.duration_s = 0.5;
  profile.activities = {one};
  EXPECT_EQ(implausible(profile, 1), "");
  EXPECT_THAT(implausible(profile, 0.1), HasSubstr("the whole run took 0.1 s"));
  profile.activities.push_back(one);
  profile.activities.back().start_s = 1002;
  EXPECT_THAT(implausible(profile, 1), HasSubstr("worked for 2.5 s"));
  profile.activities = {one};
  profile.activities[0].duration_s = 1e-9;
  EXPECT_THAT(implausible(profile, 1), HasSubstr("taken 1 ns"));
}

}  // namespace channel_test
}  // namespace grader
