// Tests attacks on the workbench: by another page in the same browser, by another user of the machine, and by
// requests with a hostile path or size. Each attack is refused, and changes nothing.
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "workbench.hpp"

namespace grader::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const char* const paths[] = {"/",
                             "/api/1/labs",
                             small_file,
                             "/app/workbench.js",
                             "/kit/labs/lab9.1-double/README.md",
                             "/view/lab9.1/1",
                             "/api/1/labs/lab9.1/1/events",
                             "/?token=",
                             "/?token=0"};

TEST(ServeAttacks, NothingIsAnsweredWithoutTheToken) {
  const Serving serving;
  for (const char* path : paths) {
    const auto answer = serving.stranger().Get(path);
    ASSERT_TRUE(answer) << path;
    EXPECT_EQ(answer->status, 403) << path;
    EXPECT_EQ(answer->get_header_value("Set-Cookie"), "") << path;
  }
  httplib::Client guessing = serving.stranger();
  guessing.set_default_headers({{"Authorization", "Bearer " + std::string(32, '0')}});
  EXPECT_EQ(guessing.Get("/api/1/labs")->status, 403);
}

TEST(ServeAttacks, AnotherPageOfTheBrowserIsRefusedEvenWithTheToken) {
  const Serving serving;
  const std::string base = serving.get(small_file)["sha256"];
  for (const char* origin : {"https://evil.example", "null", "http://127.0.0.1:1"}) {
    const httplib::Headers headers = {{"Origin", origin}, {"If-Match", base}};
    EXPECT_EQ(serving.client().Get("/api/1/labs", headers)->status, 403);
    EXPECT_EQ(serving.client().Put(small_file, headers, "int evil;\n", "text/plain")->status, 403);
    EXPECT_EQ(serving.client().Post("/api/1/labs/lab9.1/1/jobs/grade", headers, "", "text/plain")->status,
              403);
  }
  EXPECT_EQ(serving.get(small_file)["sha256"], base);
  const auto image = serving.client().Get("/api/1/labs", {{"Sec-Fetch-Site", "cross-site"}});
  EXPECT_EQ(image->status, 403);
}

TEST(ServeAttacks, ANameThatPointsToTheLoopbackIsRefused) {  // DNS rebinding
  const Serving serving;
  for (const char* host : {"evil.example", "evil.example:8347", "127.0.0.1"}) {
    const auto answer = serving.client().Get("/api/1/labs", {{"Host", host}});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 403) << host;
  }
}

TEST(ServeAttacks, NoOtherMachineReachesIt) {
  const Serving serving;
  // Every address in 127.0.0.0/8 belongs to this machine. The server must listen on only one of them, and so
  // not on all interfaces.
  httplib::Client other("127.0.0.2", std::stoi(serving.origin().substr(serving.origin().rfind(':') + 1)));
  EXPECT_FALSE(other.Get("/"));
}

TEST(ServeAttacks, APathOutOfTheFolderIsNoFile) {
  const Serving serving;
  write_file(serving.work() / "secret.txt", "secret\n");
  ASSERT_EQ(serving.save(small_file, "int x;\n", serving.get(small_file)["sha256"]), 200);
  const std::string files = "/api/1/labs/lab9.1/1/files/";
  for (const std::string name :
       {"../../secret.txt", "..%2f..%2fsecret.txt", "%2e%2e/%2e%2e/secret.txt", "/etc/passwd",
        "%2fetc%2fpasswd", "./double.cu", "double.cu%00.txt", ".workspace.toml", ""}) {
    const auto read = serving.client().Get(files + name);
    ASSERT_TRUE(read) << name;
    EXPECT_THAT(read->status, ::testing::AnyOf(400, 404)) << name;
    EXPECT_THAT(read->body, Not(HasSubstr("secret\n")));
    EXPECT_THAT(serving.save(files + name, "evil", "0"), ::testing::AnyOf(400, 404)) << name;
  }
  for (const std::string path :
       {"/kit/../etc/passwd", "/kit/solutions/lab9.1-double/double.cu",
        "/kit/labs/../solutions/lab9.1-double/double.cu", "/kit/labs/lab9.1-double/lab.toml",
        "/view/../../etc/1", "/app/../../etc/passwd", "/codemirror/../../../../etc/passwd"})
    EXPECT_THAT(serving.client().Get(path)->status, ::testing::AnyOf(400, 404)) << path;
  EXPECT_EQ(read_file(serving.work() / "secret.txt"), "secret\n");
}

TEST(ServeAttacks, ALinkOutOfTheFolderIsNotRead) {
  const Serving serving;
  ASSERT_EQ(serving.save(small_file, "int x;\n", serving.get(small_file)["sha256"]), 200);
  write_file(serving.work() / "secret.txt", "secret\n");
  fs::create_symlink(serving.work() / "secret.txt", serving.work() / "lab9.1/level1/link.txt");
  const auto answer = serving.client().Get("/api/1/labs/lab9.1/1/files/link.txt");
  EXPECT_NE(answer->status, 200);
  EXPECT_THAT(answer->body, Not(HasSubstr("secret\n")));
}

TEST(ServeAttacks, AHugeBodyIsRefusedAndTheServerGoesOn) {
  const Serving serving;
  const std::string base = serving.get(small_file)["sha256"];
  EXPECT_EQ(serving.save(small_file, std::string((1 << 20) + 1, 'x'), base), 413);
  // The server may close the connection while the client is still sending. So a missing answer is accepted,
  // too.
  EXPECT_THAT(serving.save(small_file, std::string(64 << 20, 'x'), base), ::testing::AnyOf(413, -1));
  EXPECT_EQ(serving.get(small_file)["sha256"], base);
}

TEST(ServeAttacks, BytesThatAreNoTextAreRefused) {
  const Serving serving;
  const std::string base = serving.get(small_file)["sha256"];
  EXPECT_EQ(serving.save(small_file, "\xff\xfe", base), 400);
  EXPECT_EQ(serving.save(small_file, std::string("a\0b", 3), base), 400);
  EXPECT_EQ(serving.get(small_file)["sha256"], base);
}

TEST(ServeAttacks, ManyOpenPagesLeaveRoomForRequests) {
  const Serving serving;
  std::vector<std::thread> pages;
  std::atomic<bool> done = false;
  std::atomic<int> streaming = 0;
  for (int i = 0; i < 40; ++i)
    pages.emplace_back([&] {
      httplib::Client client = serving.client();
      bool first = true;
      client.Get("/api/1/labs/lab9.1/1/events", [&](const char*, std::size_t) {
        if (first) ++streaming;
        first = false;
        return !done;
      });
    });
  for (int i = 0; i < 100 && streaming < 17; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(serving.get("/api/1")["version"], 1);
  EXPECT_GE(streaming, 16);
  done = true;
  for (std::thread& page : pages) page.join();
}

TEST(ServeAttacks, ATextWithMarkupIsNoMarkupInAnAnswer) {
  const Serving serving;
  const std::string hostile = "</script><img src=x onerror=alert(1)>";
  ASSERT_EQ(serving.save(small_file, "// " + hostile + "\n", serving.get(small_file)["sha256"]), 200);
  const auto answer = serving.client().Get(small_file);
  EXPECT_EQ(answer->get_header_value("Content-Type"), "application/json");
  EXPECT_EQ(answer->get_header_value("X-Content-Type-Options"), "nosniff");
  EXPECT_THAT(answer->get_header_value("Content-Security-Policy"), HasSubstr("sandbox"));
}

TEST(ServeAttacks, AJobTakesNoOptionOfTheCommandLine) {
  const Serving serving;
  const auto status = [&](const std::string& verb, const nlohmann::json& options) {
    return serving.client().Post("/api/1/labs/lab9.1/1/jobs/" + verb, options.dump(), "text/plain")->status;
  };
  for (const char* version : {"", ".", "../../../../etc", "/etc", "--solution"})
    EXPECT_EQ(status("beside", {{"version", version}}), 404) << version;
  EXPECT_EQ(status("table", {{"table", "--all"}}), 404);
  EXPECT_EQ(status("plot", {{"table", {1}}}), 404);
  EXPECT_EQ(status("film", {}), 404);
  EXPECT_EQ(status("serve", {}), 404);
  std::string said;
  serving.events(
      small_level,
      [&] {
        EXPECT_EQ(status("element", {{"element", "--help"}}), 202);
      },
      [&](const nlohmann::json& event) {
        const auto& line = event["data"].value("line", nlohmann::json::object());
        said += line.value("error", "") + line.value("text", "");
        return line.value("kind", "") == "end";
      });
  EXPECT_THAT(said, HasSubstr("--help")) << "it was an element's name";
  EXPECT_THAT(said, Not(HasSubstr("Usage:")));
}

}  // namespace
}  // namespace grader::testing
