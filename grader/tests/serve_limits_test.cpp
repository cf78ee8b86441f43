// Tests a class's server in bad conditions: endless bodies, slow clients, many pages, a full disk, a wrong
// clock, a changed roster, a second server.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <poll.h>

#include "fault_run.hpp"
#include "served_class.hpp"

namespace grader::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A connection that can send any bytes.
class RawClient {
 public:
  explicit RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("the server takes no connection");
  }
  ~RawClient() { close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  /// Returns false if the server has closed the connection.
  bool send(const std::string& bytes) const {
    std::size_t at = 0;
    while (at < bytes.size()) {
      const ssize_t sent = ::send(socket_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
      if (sent <= 0) return false;
      at += static_cast<std::size_t>(sent);
    }
    return true;
  }
  /// The next bytes. Empty at the end of the connection, or after `wait_s` seconds.
  std::string receive(double wait_s) const {
    pollfd one{socket_, POLLIN, 0};
    if (poll(&one, 1, static_cast<int>(wait_s * 1000)) <= 0) return "";
    char bytes[4096];
    const ssize_t got = recv(socket_, bytes, sizeof bytes, 0);
    return got > 0 ? std::string(bytes, static_cast<std::size_t>(got)) : "";
  }
  bool closed_within(double wait_s) const {
    const auto begin = Clock::now();
    while (since(begin) < wait_s) {
      pollfd one{socket_, POLLIN, 0};
      char bytes[4096];
      if (poll(&one, 1, 100) > 0 && recv(socket_, bytes, sizeof bytes, 0) <= 0) return true;
    }
    return false;
  }

 private:
  int socket_;
};

std::string head(ServedClass& served, const std::string& line, const std::string& more) {
  return line + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(served.port()) +
         "\r\nAuthorization: Bearer " + served.token_of("ada") + "\r\n" + more;
}

/// A line of /proc/PID/status, in MiB.
double memory(const ServedClass& served, const std::string& line) {
  std::ifstream in("/proc/" + std::to_string(served.pid()) + "/status");
  for (std::string text; std::getline(in, text);)
    if (text.starts_with(line + ":")) return std::atof(text.c_str() + line.size() + 1) / 1024;
  return 0;
}

TEST(ServeLimits, ABodyWithoutDeclaredSizeIsNotKeptInMemory) {
  ServedClass served;
  served.token_of("ada");
  const std::string post = "POST " + std::string(small_hand_ins);
  const double before = memory(served, "VmHWM");
  {
    const RawClient client(served.port());
    ASSERT_TRUE(client.send(head(served, post, "Transfer-Encoding: chunked\r\n\r\n")));
    const std::string chunk = "100000\r\n" + std::string(1 << 20, 'x') + "\r\n";
    int sent = 0;
    while (sent < 400 && client.send(chunk)) ++sent;
    EXPECT_LT(sent, 200) << "the server reads on";
  }
  {
    const RawClient client(served.port());
    ASSERT_TRUE(client.send(head(served, post, "Transfer-Encoding: chunked\r\n\r\n1;")));
    int sent = 0;
    while (sent < 400 && client.send(std::string(1 << 20, 'a'))) ++sent;
    EXPECT_LT(sent, 200) << "the line before a chunk may not be endless";
  }
  // 600 MiB of zeros are 600 KiB on their way.
  const Ran bomb = served.user().shell("head -c 600M /dev/zero | gzip > bomb.gz");
  ASSERT_EQ(bomb.exit_code, 0) << bomb.err;
  const auto answer =
      served.client("ada").Post(small_hand_ins, {{"Content-Encoding", "gzip"}},
                                read_file(served.user().folder() / "bomb.gz"), "application/json");
  if (answer) {
    EXPECT_EQ(answer->status, 413);
  }
  EXPECT_LT(memory(served, "VmHWM") - before, 60);
  // A body that is a little too large gets an answer.
  const auto large = served.client("ada").Post(small_hand_ins, std::string(5 << 20, 'x'), "application/json");
  ASSERT_TRUE(large);
  EXPECT_EQ(large->status, 413);
  EXPECT_EQ(
      served.client("ada").Post(small_hand_ins, httplib::MultipartFormDataItems{{"a", "b", "", ""}})->status,
      415);
  EXPECT_THAT(served.history("ada"), IsEmpty());
  EXPECT_EQ(served.hand_in("ada").status, 201);
}

/// A request whose body contains another request from byte 4,096 on. cpp-httplib reads 4,096 bytes at once,
/// and drops the rest of them with the request.
std::string with_hidden_request(const std::string& head, const std::string& hidden) {
  constexpr std::size_t at = 4096, digits = 4;
  const std::string before = head + "Content-Length: ", after = "\r\n\r\n";
  const std::size_t padding = at - before.size() - digits - after.size();
  return before + std::to_string(padding + hidden.size()) + after + std::string(padding, 'x') + hidden;
}

TEST(ServeLimits, TheRestOfARefusedBodyIsNoRequest) {
  ServedClass served;
  const std::string host = "Host: 127.0.0.1:" + std::to_string(served.port()) + "\r\n";
  const std::string hidden = "GET /api/1 HTTP/1.1\r\n" + host + "\r\n";
  const auto expect_one = [&](const std::string& head_of_it, const std::string& status) {
    const RawClient client(served.port());
    ASSERT_TRUE(client.send(with_hidden_request(head_of_it, hidden)));
    std::string all;
    for (std::string some; !(some = client.receive(3)).empty();) all += some;
    EXPECT_THAT(all, HasSubstr("HTTP/1.1 " + status));
    EXPECT_EQ(all.find("HTTP/1.1 "), all.rfind("HTTP/1.1 ")) << all;
  };
  expect_one("POST /api/1/x HTTP/1.1\r\nHost: evil.example\r\n", "403");
  expect_one("GET /api/1 HTTP/1.1\r\nHost: evil.example\r\n", "403");
  expect_one(head(served, "GET /api/1", ""), "200");
  expect_one(head(served, "PATCH /api/1", ""), "405");
  expect_one(head(served, "PRI /api/1", ""), "405");
  // httplib reads no body of a DELETE without a declared length.
  const RawClient client(served.port());
  ASSERT_TRUE(client.send(head(served, "DELETE /api/1/x", "Transfer-Encoding: chunked\r\n\r\n") + hidden));
  std::string all;
  for (std::string some; !(some = client.receive(3)).empty();) all += some;
  EXPECT_EQ(all.find("HTTP/1.1 "), all.rfind("HTTP/1.1 ")) << all;
}

TEST(ServeLimits, SlowAndEndlessRequestsEndAndOthersAreServed) {
  ServedClass served;
  const std::string post = "POST " + std::string(small_hand_ins);
  for (const char* student : {"ada", "bob"}) served.token_of(student);
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 40; ++i) slow.push_back(std::make_unique<RawClient>(served.port()));
  for (const auto& client : slow) ASSERT_TRUE(client->send("G"));
  const RawClient stalled(served.port()), endless(served.port());
  ASSERT_TRUE(stalled.send(head(served, post, "Content-Length: 1000\r\n\r\n{")));
  const auto begin = Clock::now();
  std::size_t open = slow.size();
  while (open > 0 && since(begin) < 30) {
    open = 0;
    for (const auto& client : slow) open += client->send("G");
    const auto asked = Clock::now();
    EXPECT_EQ(served.get("bob", "/api/1")["version"], 1);
    EXPECT_LT(since(asked), 5);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  EXPECT_EQ(open, 0u) << "a byte now and then keeps a connection";
  EXPECT_LT(since(begin), 20);
  EXPECT_TRUE(stalled.closed_within(15));
  const double before = memory(served, "VmRSS");
  endless.send("GET / HTTP/1.1\r\n");
  int lines = 0;
  while (lines < 200000 && endless.send("X-Header: " + std::string(100, 'x') + "\r\n")) ++lines;
  EXPECT_LT(lines, 200000);
  EXPECT_LT(memory(served, "VmRSS") - before, 30);
}

TEST(ServeLimits, AThousandOpenPagesLeaveTheServerSmallAndUsable) {
  ServedClass served;
  std::string roster = "id,name\nada,Ada\nbob,Bob\ncleo,Cleo\n";
  for (int i = 0; i < 200; ++i) roster += "s" + std::to_string(i) + ",S\n";
  write_file(served.class_folder() / "students.csv", roster);
  const nlohmann::json links = served.serve({"--links", "--json"}).json();
  std::vector<std::string> tokens;
  for (const auto& one : links["links"])
    if (!one["student"].is_null() && one["student"].get<std::string>().starts_with("s")) {
      const std::string link = one["link"];
      tokens.push_back(link.substr(link.find('=') + 1));
    }
  ASSERT_EQ(tokens.size(), 200u);
  std::vector<std::unique_ptr<RawClient>> pages;
  for (int i = 0; i < 1000; ++i) {
    pages.push_back(std::make_unique<RawClient>(served.port()));
    pages.back()->send("GET /api/1/events HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(served.port()) +
                       "\r\nAuthorization: Bearer " + tokens[static_cast<std::size_t>(i) % 200] + "\r\n\r\n");
  }
  int streaming = 0, refused = 0;
  for (const auto& page : pages) {
    const std::string first = page->receive(10);
    streaming += first.starts_with("HTTP/1.1 200");
    refused += first.starts_with("HTTP/1.1 503");
  }
  EXPECT_EQ(streaming + refused, 1000);
  EXPECT_EQ(streaming, 256);
  const auto begin = Clock::now();
  EXPECT_EQ(served.hand_in("ada").status, 201);
  EXPECT_LT(since(begin), 10);
  EXPECT_LT(memory(served, "VmRSS"), 120);
  std::printf("1,000 pages: %d stream, %d were refused, %.0f MiB, a hand-in took %.2f s\n", streaming,
              refused, memory(served, "VmRSS"), since(begin));
  pages.clear();
  served.settled("ada");
}

TEST(ServeLimits, AFullDiskCostsOneAnswerAndNoHandIn) {
  ServedClass served;
  served.stop(SIGINT);
  const SmallDisk disk(served.class_folder(), std::size_t{4} << 20);
  if (!disk.there()) GTEST_SKIP() << "no file system may be mounted here";
  served.write_class("");
  served.start();
  ASSERT_EQ(served.hand_in("ada", "LAB_TODO(1);").status, 201);
  served.settled("ada");
  const std::string text = small_answer(std::string(right_blank) + "  //" + std::string(200000, 'x'));
  const nlohmann::json files = {{{"name", "double.cu"}, {"text", text}}};
  for (const std::uintmax_t left : {0, 4096, 16384, 65536}) {
    disk.leave_free(left);
    const auto full = served.post("ada", files);
    EXPECT_EQ(full.status, 500) << left;
    EXPECT_THAT(full.json.value("error", ""), HasSubstr("No space left on device"));
    EXPECT_THAT(full.json.value("next", ""), Not(IsEmpty()));
    EXPECT_EQ(served.history("ada").size(), 1u) << "a part of it was kept";
    EXPECT_FALSE(fs::exists(served.class_folder() / "ada/2"));
  }
  disk.free_all();
  const auto again = served.post("ada", files);
  EXPECT_EQ(again.status, 201) << again.json;
  EXPECT_EQ(again.json["attempt"], 2);
  EXPECT_EQ(served.settled("ada")[1]["points"], 4);
  served.stop(SIGINT);
}

/// The first hand-in was received while the clock was ahead.
TEST(ServeLimits, AClockThatWasAnHourAheadBlocksNobody) {
  ServedClass served("quota = 1\ncounts = \"latest\"\n");
  ASSERT_EQ(served.hand_in("ada", "LAB_TODO(1);").status, 201);
  const std::string before = served.settled("ada")[0]["received_at"];
  EXPECT_EQ(served.hand_in("ada").status, 400) << "the quota";
  served.stop(SIGINT);
  const fs::path own = served.class_folder() / "ada/1";
  const std::time_t ahead = std::time(nullptr) + 3600;
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&ahead));
  write_file(own / ".receipt.json", replace_all(read_file(own / ".receipt.json"), before, text));
  const timespec times[2] = {{ahead, 0}, {ahead, 0}};
  for (const char* name : {"double.cu", ".receipt.json"}) utimensat(AT_FDCWD, (own / name).c_str(), times, 0);
  served.start();
  served.settled("ada");
  const auto second = served.hand_in("ada");
  ASSERT_EQ(second.status, 201) << second.json;
  EXPECT_EQ(second.json["attempt"], 2);
  served.settled("ada");
  const auto own_page = served.get("ada", small_hand_ins);
  EXPECT_EQ(own_page["mark"]["attempt"], 2) << own_page;
  EXPECT_EQ(marks_of(served.grade_class())["ada"], 4);
}

TEST(ServeLimits, ARosterThatChangesOpensAndClosesLinksAtOnce) {
  ServedClass served;
  ASSERT_EQ(served.hand_in("bob").status, 201);
  served.settled("bob");
  write_file(served.class_folder() / "students.csv", "id,name\nada,Ada Lovelace\ncleo,Cleo\ndan,Dan\n");
  EXPECT_EQ(served.hand_in("bob").status, 403);
  EXPECT_EQ(served.hand_in("dan").status, 201);
  EXPECT_EQ(served.settled("dan")[0]["points"], 4);
  EXPECT_TRUE(fs::exists(served.class_folder() / "bob/1/double.cu"));
  served.token_of("");
  // A roster with a mistake changes nothing. The instructor's page shows the mistake.
  write_file(served.class_folder() / "students.csv", "nonsense\n");
  EXPECT_EQ(served.hand_in("dan", "if (i < n) y[i] = 3 * x[i];").status, 201);
  EXPECT_THAT(served.get("", "/api/1/class")["labs"][0]["problem"].get<std::string>(),
              HasSubstr("The class file before this change is used."));
  write_file(served.class_folder() / "students.csv", "id,name\nada,Ada\nbob,Bob\ndan,Dan\n");
  EXPECT_EQ(served.history("bob").size(), 1u) << "who comes back has the hand-ins of before";
  served.settled("dan");
}

TEST(ServeLimits, ASecondServerOnTheClassIsRefused) {
  ServedClass served;
  const std::string file = (served.class_folder() / "class.toml").string();
  for (const char* home : {"state", "another"}) {
    User other(served.user().kit());
    other.set("GRADER_HOME", (served.user().folder() / home).string());
    const Ran ran = other.grader({"serve", "--class", file, "--port", std::to_string(served.port() + 1),
                                  "--backend", "emu", "--unsafe"});
    EXPECT_EQ(ran.exit_code, 3) << ran.out << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("Another server serves "));
  }
  EXPECT_EQ(served.hand_in("ada").status, 201);
  served.settled("ada");
}

}  // namespace
}  // namespace grader::testing
