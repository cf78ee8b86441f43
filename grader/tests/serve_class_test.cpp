// Tests a class with the real server: handing in, queue, feedback, board, links, and a server that is killed
// at any moment.
#include <gmock/gmock.h>

#include <random>
#include <set>

#include "base/sha256.hpp"
#include "course/archive.hpp"
#include "served_class.hpp"

namespace grader::testing {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(ServeClass, AHandInIsGradedAsTheClassCommandGradesIt) {
  ServedClass served;
  const auto receipt = served.hand_in("ada");
  ASSERT_EQ(receipt.status, 201) << receipt.json;
  EXPECT_EQ(receipt.json["attempt"], 1);
  EXPECT_EQ(receipt.json["files"][0]["sha256"], sha256_hex(small_answer(right_blank)));
  EXPECT_EQ(receipt.json["sha256"], sha256_hex(sha256_hex(small_answer(right_blank)) + "  double.cu\n"));
  ASSERT_EQ(served.hand_in("bob", "if (i < n) y[i] = 3 * x[i];").status, 201);
  const auto ada = served.settled("ada"), bob = served.settled("bob");
  ASSERT_EQ(ada.size(), 1u);
  EXPECT_EQ(ada[0]["points"], 4);
  EXPECT_EQ(ada[0]["counts"], true);
  EXPECT_EQ(bob[0]["words"], "wrong answer");

  const auto text = served.client("bob").Get(std::string(small_hand_ins) + "/1.txt");
  const auto page = served.client("bob").Get(bob[0]["feedback"].get<std::string>());
  ASSERT_TRUE(text && page);
  EXPECT_EQ(page->status, 200);
  const fs::path feedback = served.user().folder() / "feedback";
  const Ran ran = served.grade_class({"--feedback", feedback.string()});
  EXPECT_EQ(marks_of(ran), (std::map<std::string, double>{{"ada", 4}, {"bob", 0}, {"cleo", 0}})) << ran.err;
  EXPECT_EQ(text->body, read_file(feedback / "bob.txt"));
  EXPECT_EQ(page->body, read_file(feedback / "bob.html"));
  EXPECT_EQ(served.user().grader({"results", "--history", "--json"}).json()["results"].size(), 2u)
      << "something was graded again";
}

TEST(ServeClass, TheCommandAndTheServerTakeTurnsOnTheSameRecords) {
  ServedClass served;
  ASSERT_EQ(served.hand_in("ada", "LAB_TODO(1);").status, 201);
  served.settled("ada");
  served.stop(SIGINT);
  write_file(served.class_folder() / "ada/2/double.cu", small_answer(right_blank));
  EXPECT_EQ(marks_of(served.grade_class())["ada"], 4);
  served.start();
  const auto all = served.settled("ada");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1]["points"], 4);
  ASSERT_EQ(served.hand_in("ada").json["attempt"], 3);
  EXPECT_EQ(served.settled("ada").size(), 3u);
}

TEST(ServeClass, TheNewestReplacesAnOlderOneThatHasNotBegun) {
  ServedClass served("", 1);
  ASSERT_EQ(served.hand_in("bob").status, 201);  // keeps the worker busy for a while
  ASSERT_EQ(served.hand_in("ada", "LAB_TODO(1);").status, 201);
  const auto second = served.hand_in("ada");
  ASSERT_EQ(second.status, 201);
  EXPECT_EQ(second.json["attempt"], 1);
  EXPECT_EQ(second.json["replaces_waiting"], true);
  const auto all = served.settled("ada");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_THAT((std::set<std::string>{all[0]["state"], all[1]["state"]}), ElementsAre("graded", "replaced"));
  EXPECT_EQ(marks_of(served.grade_class())["ada"], 4);
}

TEST(ServeClass, TheLateRuleIsShownBeforehandAndTakesItsShare) {
  ServedClass served("deadline = \"2020-01-01T00:00:00Z\"\nlate = { per_day = 0.00001 }\n");
  const auto lab = served.get("ada", "/api/1/class")["labs"][0];
  EXPECT_THAT(lab["deadline"]["rule"].get<std::string>(), HasSubstr("Deadline: 2020-01-01 00:00 UTC."));
  EXPECT_LT(lab["deadline"]["share_now"].get<double>(), 1);
  EXPECT_LT(served.hand_in("ada").json["share"].get<double>(), 1);
  served.settled("ada");
  EXPECT_THAT(served.client("ada").Get(std::string(small_hand_ins) + "/1.txt")->body,
              HasSubstr("Handed in late"));
}

TEST(ServeClass, ALateHandInReplacesNoneInTime) {
  ServedClass served("deadline = \"2099-01-01T00:00:00Z\"\nlate = { per_day = 0.00001 }\n", 1);
  ASSERT_EQ(served.hand_in("bob").status, 201);
  ASSERT_EQ(served.hand_in("ada").status, 201);
  served.write_class("deadline = \"" + served.history("ada")[0]["received_at"].get<std::string>() +
                     "\"\nlate = { per_day = 0.5 }\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  const auto late = served.hand_in("ada");
  EXPECT_EQ(late.json["share"], 0.5) << late.json;
  EXPECT_EQ(late.json["replaces_waiting"], false);
  EXPECT_EQ(served.settled("ada").size(), 2u);
}

TEST(ServeClass, ARestartKeepsLinksAndARenewedOneOpensAlone) {
  ServedClass served;
  const std::string before = served.link_of("ada"), others = served.link_of("bob");
  served.stop(SIGKILL);
  served.start();
  EXPECT_EQ(served.link_of("ada"), before);
  ASSERT_FALSE(served.get("ada", "/api/1/class").is_null());
  const Ran renewed = served.serve({"--renew", "ada"});
  EXPECT_THAT(renewed.out, HasSubstr("ada\thttp://127.0.0.1:"));
  EXPECT_THAT(renewed.out, Not(HasSubstr("bob")));
  EXPECT_TRUE(served.get("ada", "/api/1/class").is_null()) << "the old link still opens";
  EXPECT_NE(served.link_of("ada"), before);
  EXPECT_EQ(served.link_of("bob"), others);
  const std::string link = served.link_of("ada");
  EXPECT_EQ(served.stranger().Get(link.substr(link.find("/?")))->status, 200);
}

TEST(ServeClass, TheBoardAndTheInstructorsPageFollowEachGrading) {
  ServedClass served;
  std::atomic<bool> done = false;
  std::string seen;
  std::thread page([&] {
    httplib::Client client = served.client("cleo");
    client.Get("/api/1/events", [&](const char* bytes, std::size_t size) {
      seen.append(bytes, size);
      return !done;
    });
  });
  ASSERT_EQ(served
                .post("ada", {{{"name", "double.cu"}, {"text", small_answer(right_blank)}},
                              {{"name", "nickname.txt"}, {"text", "Enchantress\n"}}})
                .status,
            201);
  served.settled("ada");
  nlohmann::json board;
  for (int i = 0; i < 300 && board["placings"].empty(); ++i) {
    board = served.get("ada", "/api/1/labs/lab9.1/1/board");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  done = true;
  page.join();
  ASSERT_EQ(board["placings"].size(), 1u) << board;
  EXPECT_EQ(board["placings"][0]["nickname"], "Enchantress");
  EXPECT_EQ(board["placings"][0]["own"], true);
  EXPECT_THAT(board.dump(), Not(HasSubstr("_at"))) << "a time of a hand-in";
  EXPECT_EQ(served.get("bob", "/api/1/labs/lab9.1/1/board")["placings"][0]["own"], false);
  EXPECT_THAT(seen, HasSubstr("event: board\ndata: {\"lab\":\"lab9.1\",\"level\":1}"));
  EXPECT_THAT(seen, HasSubstr("\"waiting\":"));
  EXPECT_THAT(seen, Not(HasSubstr("ada")));
  const auto own = served.client("").Get("/class/lab9.1/1");
  EXPECT_EQ(own->status, 200);
  EXPECT_THAT(own->body, HasSubstr("Ada Lovelace"));
  EXPECT_EQ(served.client("ada").Get("/class/lab9.1/1")->status, 404);
  const auto all = served.client("bob").Get("/board/lab9.1/1");
  EXPECT_THAT(all->body, HasSubstr("Enchantress"));
  EXPECT_THAT(all->body, Not(HasSubstr("Ada Lovelace")));
}

/// Makes the lab count the work of its kernels in the visible case.
void make_lab_count(const fs::path& kit) {
  const fs::path file = kit / "labs/lab9.1-double/lab.toml";
  std::string text = read_file(file);
  text.insert(text.find("\n[[case]]\nid = \"n7\""),
              "counts = [{ of = \"global_loads\", at_least = 1, says = \"The kernels read nothing.\" }]\n");
  write_file(file, text);
}

TEST(ServeClass, TheBoardRanksByWhatTheKernelsDoWithoutAGpu) {
  ServedClass served("[[reference]]\nname = \"Ref1\"\n");
  served.stop(SIGINT);
  make_lab_count(served.user().kit());
  served.start();
  const auto board = [&](std::size_t placings) {
    nlohmann::json out;
    for (int i = 0; i < 600; ++i) {
      out = served.get("ada", "/api/1/labs/lab9.1/1/board");
      if (out["placings"].size() == placings && !out["counted"].is_null() &&
          out["counted"]["placings"].size() == placings)
        break;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return out;
  };
  // Bob's threads also load a distant element, and his blocks have a barrier. So his counts are higher.
  ASSERT_EQ(served
                .hand_in("bob",
                         "if (i < n) { volatile float other = x[i * 37 % n]; y[i] = 2 * x[i]; }\n"
                         "  __syncthreads();")
                .status,
            201);
  served.settled("bob");
  ASSERT_EQ(served.hand_in("ada").status, 201);
  served.settled("ada");
  const nlohmann::json counted = board(2)["counted"];
  ASSERT_EQ(counted["placings"].size(), 2u) << counted;
  const nlohmann::json &first = counted["placings"][0], &second = counted["placings"][1];
  EXPECT_EQ(counted["case"], "n1000");
  EXPECT_EQ(first["own"], true);
  EXPECT_EQ(first["rank"], 1);
  EXPECT_EQ(second["rank"], 2);
  EXPECT_LT(first["sectors"].get<int>(), second["sectors"].get<int>());
  EXPECT_EQ(first["barriers"], 0);
  EXPECT_GT(second["barriers"].get<int>(), 0);
  ASSERT_EQ(counted["references"].size(), 1u);
  EXPECT_EQ(counted["references"][0]["name"], "Ref1");
  EXPECT_EQ(counted["references"][0]["sectors"], first["sectors"]) << "ada's kernel is the solution's";
  EXPECT_THAT(served.client("ada").Get("/board/lab9.1/1")->body,
              HasSubstr("Fewest sectors, conflicts and barriers"));
  // The counts come from the records: a restarted server counts nothing again.
  served.stop(SIGKILL);
  served.start();
  EXPECT_EQ(board(2)["counted"], counted);
  EXPECT_EQ(served.user().grader({"results", "--history", "--json"}).json()["results"].size(), 2u);
  const fs::path page = served.user().folder() / "board.html";
  EXPECT_EQ(served.grade_class({"--leaderboard", page.string()}).exit_code, 0);
  EXPECT_THAT(read_file(page), HasSubstr("Fewest sectors, conflicts and barriers"));
}

TEST(ServeClass, SubmitHandsInTheStudentsFilesFromATerminal) {
  ServedClass served;
  write_file(students_file(served.user().kit()), small_answer(right_blank));
  const Ran ran = served.user().grader({"submit", "lab9.1", "--to", served.link_of("ada")});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr(sha256_hex(small_answer(right_blank)) + "  double.cu\n"));
  EXPECT_THAT(ran.out, HasSubstr(served.history("ada")[0]["sha256"].get<std::string>()));
  EXPECT_EQ(served.settled("ada")[0]["points"], 4);
  const Ran wrong = served.user().grader({"submit", "lab9.1", "--to", "http://127.0.0.1/?token=0"});
  EXPECT_NE(wrong.exit_code, 0);
  const std::string link = served.link_of("ada");
  const Ran unknown = served.user().grader(
      {"submit", "lab9.1", "--to", link.substr(0, link.find('=') + 1) + std::string(64, '0')});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("The server does not know this link."));
  EXPECT_THAT(served.user().grader({"submit", "lab9.1", "--to", "ada"}).err,
              HasSubstr("is no link of a class"));
}

TEST(ServeClass, SubmitComparesTheReceiptWithTheFiles) {
  httplib::Server liar;
  liar.Post("/.*", [](const httplib::Request&, httplib::Response& response) {
    response.status = 201;
    response.set_content(R"({"lab":"lab9.1","files":[{"name":"double.cu","sha256":"0"}]})",
                         "application/json");
  });
  const int port = liar.bind_to_any_port("127.0.0.1");
  std::thread listener([&] { liar.listen_after_bind(); });
  const TemporaryFolder folder;
  const User user{write_small_kit(folder.path())};
  const Ran ran =
      user.grader({"submit", "lab9.1", "--to", "http://127.0.0.1:" + std::to_string(port) + "/?token=0"});
  liar.stop();
  listener.join();
  EXPECT_EQ(ran.exit_code, 3) << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("The receipt has another double.cu."));
}

TEST(ServeClass, AQuotaIsShownBeforehandAndEndsWithOneSentence) {
  ServedClass served("quota = 2\n");
  const auto quota = [&] { return served.get("ada", "/api/1/class")["labs"][0]["quota"]; };
  EXPECT_EQ(quota()["per_hour"], 2);
  EXPECT_EQ(quota()["left"], 2);
  EXPECT_EQ(served.hand_in("ada").json["quota"]["left"], 1);
  EXPECT_EQ(served.hand_in("ada").json["quota"]["left"], 0);  // also if it replaces a hand-in that waits
  EXPECT_TRUE(quota()["next_at"].is_string());
  const auto third = served.hand_in("ada");
  EXPECT_EQ(third.status, 400);
  EXPECT_THAT(third.json.value("error", ""), HasSubstr("You have handed in 2 times within an hour"));
  EXPECT_THAT(third.json.value("next", ""), HasSubstr("hand it in after "));
  EXPECT_EQ(served.hand_in("bob").status, 201) << "another student's quota was taken";
  served.settled("ada");
  for (const auto& one : served.history("ada")) EXPECT_LE(one["attempt"].get<int>(), 2);
}

TEST(ServeClass, AHandInThatWaitsCanBeTakenBack) {
  ServedClass served("", 1);
  const auto take_back = [&](const std::string& student, const std::string& attempt) {
    const auto answer = served.client(student).Delete(std::string(small_hand_ins) + "/" + attempt);
    return answer ? answer->status : -1;
  };
  ASSERT_EQ(served.hand_in("bob").status, 201);  // keeps the worker busy for a while
  ASSERT_EQ(served.hand_in("ada", "if (i < n) y[i] = 3 * x[i];").status, 201);
  EXPECT_EQ(take_back("cleo", "1"), 400) << "another student's hand-in";
  ASSERT_EQ(take_back("ada", "1"), 200);
  EXPECT_EQ(served.history("ada")[0]["state"], "taken back");
  EXPECT_EQ(take_back("ada", "1"), 400);
  EXPECT_EQ(take_back("ada", "../bob/1"), 404);
  served.settled("bob");
  EXPECT_EQ(take_back("bob", "1"), 400) << "it is graded";
  // A hand-in that was taken back is graded neither by the server nor by the command, even after a restart.
  served.stop(SIGKILL);
  served.start();
  EXPECT_EQ(served.history("ada").size(), 1u);
  EXPECT_EQ(served.user().grader({"results", "--history", "--json"}).json()["results"].size(), 1u);
  const auto again = served.hand_in("ada");
  EXPECT_EQ(again.json["attempt"], 1) << again.json;
  served.settled("ada");
  const Ran ran = served.grade_class();
  EXPECT_EQ(marks_of(ran)["ada"], 4) << ran.err;
  EXPECT_EQ(served.user().grader({"results", "--history", "--json"}).json()["results"].size(), 2u);
}

TEST(ServeClass, StudentsLinksExpireAndTheInstructorsDoesNot) {
  ServedClass served("expires = \"2099-01-01T00:00:00Z\"\n");
  ASSERT_EQ(served.hand_in("ada").status, 201);
  served.write_class("expires = \"2020-01-01T00:00:00Z\"\n");
  const auto late = served.hand_in("ada");
  EXPECT_EQ(late.status, 403);
  const std::string link = served.link_of("ada");
  const auto page = served.stranger().Get(link.substr(link.find("/?")));
  EXPECT_EQ(page->status, 403);
  EXPECT_THAT(page->body, HasSubstr("has expired. Ask your instructor"));
  EXPECT_FALSE(served.get("", "/api/1/class").is_null());
}

TEST(ServeClass, AZipArchiveIsAHandInAndTheRestOfItIsNamed) {
  ServedClass served;
  const TemporaryFolder folder;
  write_file(folder.path() / "in/lab9.1/double.cu", small_answer(right_blank));
  write_file(folder.path() / "in/notes.txt", "mine");
  write_file(folder.path() / "in/report.pdf", "%PDF");
  write_zip(folder.path() / "in", folder.path() / "a.zip");
  const auto post = [&](const std::string& body) {
    return served.client("ada").Post(small_hand_ins, body, "application/zip");
  };
  const auto answer = post(read_file(folder.path() / "a.zip"));
  ASSERT_EQ(answer->status, 201) << answer->body;
  const auto receipt = nlohmann::json::parse(answer->body);
  EXPECT_EQ(receipt["files"][0]["sha256"], sha256_hex(small_answer(right_blank)));
  EXPECT_THAT(receipt["ignored"].get<std::vector<std::string>>(),
              ::testing::UnorderedElementsAre("notes.txt", "report.pdf"));
  EXPECT_EQ(served.settled("ada")[0]["points"], 4);
  EXPECT_EQ(post(std::string("PK\x03\x04") + "no archive")->status, 400);
  fs::remove(folder.path() / "in/lab9.1/double.cu");
  write_zip(folder.path() / "in", folder.path() / "b.zip");
  const auto nothing = post(read_file(folder.path() / "b.zip"));
  EXPECT_EQ(nothing->status, 400);
  EXPECT_THAT(nothing->body, HasSubstr("No file of the lab was handed in."));
  EXPECT_EQ(served.history("ada").size(), 1u);
}

TEST(ServeClass, AQueuedHandInHasAnExpectedMinuteOnceTheLabsDurationIsKnown) {
  ServedClass served("", 1);
  EXPECT_FALSE(served.hand_in("bob").json.contains("expected_at")) << "nothing was graded yet";
  served.settled("bob");
  ASSERT_EQ(served.hand_in("bob", "if (i < n) y[i] = 3 * x[i];").status, 201);
  const auto receipt = served.hand_in("ada");
  ASSERT_TRUE(receipt.json.contains("expected_at")) << receipt.json;
  EXPECT_GT(receipt.json["expected_at"].get<std::string>(), receipt.json["received_at"].get<std::string>());
  served.settled("ada");
}

TEST(ServeClass, AFolderWithASlashAtItsEndIsTheSameClass) {
  ServedClass served;
  served.stop(SIGINT);
  write_file(served.class_folder() / "class.toml", "format = 1\nlab = \"lab9.1\"\n");
  write_file(served.class_folder() / "ada/1/double.cu", small_answer(right_blank));
  ASSERT_EQ(served.grade_class().exit_code, 0);
  const Ran ran =
      served.user().grader({"class", served.class_folder().string() + "/", "--backend", "emu", "--unsafe"});
  EXPECT_THAT(ran.out, HasSubstr("0 graded now, 1 before")) << ran.err;
}

/// The server is killed right after an answer, or at another moment. Each hand-in with a receipt is graded
/// exactly once.
TEST(ServeClass, AKilledServerLosesNoHandInAndGradesNoneTwice) {
  ServedClass served;
  std::mt19937 random(7);  // NOLINT: the same moments each time
  std::map<std::string, std::set<std::string>> receipts;
  const std::string students[] = {"ada", "bob", "cleo"};
  for (const std::string& student : students) served.token_of(student);
  const int kills = std::getenv("KIT_KILLS") != nullptr ? std::atoi(std::getenv("KIT_KILLS")) : 20;
  for (int i = 0; i < kills; ++i) {
    const int delay = i % 3 == 0 ? 0 : static_cast<int>(random() % 1500);
    std::atomic<bool> killed = false;
    std::thread killer([&] {
      if (delay == 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(delay));
      served.stop(SIGKILL);
      killed = true;
    });
    for (const std::string& student : students) {
      const auto receipt = served.hand_in(student, i % 2 == 0 ? right_blank : "if (i < n) y[i] = 3 * x[i];");
      if (receipt.status == 201)
        receipts[student].insert(receipt.json["sha256"].get<std::string>() + " " +
                                 receipt.json["received_at"].get<std::string>());
    }
    killer.join();
    if (!killed) served.stop(SIGKILL);
    served.start();
  }
  for (const std::string& student : students) {
    std::set<std::string> kept;
    for (const auto& one : served.settled(student))
      kept.insert(one["sha256"].get<std::string>() + " " + one["received_at"].get<std::string>());
    for (const std::string& receipt : receipts[student])
      EXPECT_TRUE(kept.contains(receipt)) << student << " " << receipt;
    EXPECT_FALSE(receipts[student].empty());
  }
  std::multiset<std::string> graded;
  const nlohmann::json results = served.user().grader({"results", "--history", "--json"}).json();
  for (const auto& one : results["results"])
    if (!one.value("student", "").empty())
      graded.insert(one["student"].get<std::string>() + " " + std::to_string(one["attempt"].get<int>()));
  EXPECT_FALSE(graded.empty());
  EXPECT_EQ(graded.size(), std::set<std::string>(graded.begin(), graded.end()).size());
  served.stop(SIGINT);
  const Ran again = served.grade_class();
  EXPECT_EQ(again.exit_code, 0) << again.err;
}

TEST(ServeClass, HandInsOfOneMomentAreAllOnDiskBeforeTheirReceipts) {
  ServedClass served;
  std::string roster = "id,name\n";
  std::vector<std::string> students;
  for (int i = 0; i < 40; ++i) students.push_back("s" + std::to_string(i));
  for (const std::string& student : students) roster += student + "," + student + "\n";
  write_file(served.class_folder() / "students.csv", roster);
  const nlohmann::json links = served.serve({"--links", "--json"}).json();
  std::map<std::string, std::string> token;
  for (const auto& one : links["links"])
    if (const std::string link = one["link"]; !one["student"].is_null())
      token[one["student"]] = link.substr(link.find('=') + 1);
  std::vector<std::string> digests(students.size());
  std::vector<std::thread> all;
  for (std::size_t i = 0; i < students.size(); ++i)
    all.emplace_back([&, i] {
      const nlohmann::json files = {{{"name", "double.cu"}, {"text", small_answer("// " + students[i])}}};
      const auto answer =
          served.stranger().Post(small_hand_ins, {{"Authorization", "Bearer " + token.at(students[i])}},
                                 nlohmann::json{{"files", files}}.dump(), "application/json");
      if (answer && answer->status == 201) digests[i] = nlohmann::json::parse(answer->body)["sha256"];
    });
  for (std::thread& one : all) one.join();
  served.stop(SIGKILL);
  for (std::size_t i = 0; i < students.size(); ++i) {
    const fs::path file = served.class_folder() / students[i] / "1/double.cu";
    EXPECT_EQ(digests[i], sha256_hex(sha256_hex(read_file(file)) + "  double.cu\n")) << students[i];
  }
}

// -- What an attacker, or a mistake, would try --------------------------------------------------------------------------------

TEST(ServeClassAttacks, NobodyElsesLinkOpensAnything) {
  ServedClass served;
  ASSERT_EQ(served.hand_in("ada").status, 201);
  served.settled("ada");
  for (const char* path : {"/", "/api/1/class", small_hand_ins, "/api/1/labs/lab9.1/1/hand-ins/1.html",
                           "/api/1/labs/lab9.1/1/board", "/class/lab9.1/1", "/board/lab9.1/1",
                           "/api/1/events", "/?token=", "/?token=/"}) {
    EXPECT_EQ(served.stranger().Get(path)->status, 403) << path;
  }
  EXPECT_THAT(served.history("bob"), IsEmpty());
  EXPECT_EQ(served.client("bob").Get(std::string(small_hand_ins) + "/1.html")->status, 404);
  EXPECT_EQ(served.client("bob").Get("/class/lab9.1/1")->status, 404);
  EXPECT_THAT(served.get("bob", "/api/1/class").dump(), Not(HasSubstr("ada")));
  // The instructor's link can't be used to hand in.
  EXPECT_EQ(served.hand_in("").status, 404);
  EXPECT_THAT(served.get("ada", "/api/1/class").dump(), Not(HasSubstr("class_page")));
}

TEST(ServeClassAttacks, AForgedOriginOrHostIsRefusedEvenWithTheToken) {
  ServedClass served;
  for (const char* origin : {"https://evil.example", "null", "http://127.0.0.1:1"})
    EXPECT_EQ(served.post("ada", {{{"name", "double.cu"}, {"text", "x"}}}, {{"Origin", origin}}).status, 403);
  EXPECT_EQ(served.client("ada").Get("/api/1/class", {{"Host", "evil.example"}})->status, 403);
  EXPECT_EQ(served.client("ada").Get("/api/1/class", {{"Sec-Fetch-Site", "cross-site"}})->status, 403);
  EXPECT_THAT(served.history("ada"), IsEmpty());
}

TEST(ServeClassAttacks, AHostileHandInGetsOneSentenceAndLeavesNothing) {
  ServedClass served;
  const std::string good = small_answer(right_blank);
  const auto file = [](const std::string& name, const std::string& text) {
    return nlohmann::json{{"name", name}, {"text", text}};
  };
  using List = nlohmann::json;
  const std::pair<List, const char*> all[] = {
      {List::array({file("../../evil.cu", good)}), "is no file of lab9.1"},
      {List::array({file("/etc/passwd", good)}), "is no file of lab9.1"},
      {List::array({file("<img src=x onerror=alert(1)>.cu", good)}), "is no file of lab9.1"},
      {List::array({file(".receipt.json", good)}), "is no file of lab9.1"},
      {List::array({file(std::string("double.cu\0.txt", 14), good)}), "is no file of lab9.1"},
      {List::array({file("double.cu", "")}), "double.cu is empty."},
      {List::array({file("double.cu", " \n")}), "double.cu is empty."},
      {List::array({file("double.cu", good), file("double.cu", good)}), "double.cu is there twice."},
      {List::array({file("nickname.txt", "Ada")}), "No file of the lab was handed in."},
      {List::array({file("double.cu", std::string("a\0b", 3))}), "double.cu is not text in UTF-8."},
      {List::array({file("double.cu", std::string((1 << 20) + 1, 'x'))}), "double.cu is larger than 1 MiB."},
      {List::array(), "No files were handed in"},
      {List::array({1, "x"}), "No files were handed in"},
  };
  for (const auto& [files, sentence] : all) {
    const auto answer = served.post("ada", files);
    EXPECT_EQ(answer.status, 400) << sentence;
    EXPECT_THAT(answer.json.value("error", ""), HasSubstr(sentence));
    EXPECT_THAT(answer.json.value("next", ""), Not(IsEmpty())) << sentence;
  }
  for (const std::string body :
       {"", "no JSON", "{\"files\": [{\"name\": \"double.cu\", \"text\": \"\xff\"}]}"})
    EXPECT_EQ(served.client("ada").Post(small_hand_ins, body, "application/json")->status, 400);
  const auto huge = served.client("ada").Post(small_hand_ins, std::string(64 << 20, 'x'), "application/json");
  EXPECT_THAT(huge ? huge->status : -1, AnyOf(413, -1));
  EXPECT_THAT(served.history("ada"), IsEmpty());
  EXPECT_FALSE(fs::exists(served.class_folder() / "ada"));
  EXPECT_FALSE(fs::exists(served.class_folder() / ".new"));
}

TEST(ServeClassAttacks, OneStudentsPagesLeaveRoomForOthers) {
  ServedClass served;
  std::vector<std::thread> pages;
  std::atomic<bool> done = false;
  std::atomic<int> streaming = 0, refused = 0;
  served.token_of("ada");
  for (int i = 0; i < 20; ++i)
    pages.emplace_back([&] {
      httplib::Client client = served.client("ada");
      bool first = true;
      const auto answer = client.Get("/api/1/events", [&](const char*, std::size_t) {
        if (first) ++streaming;
        first = false;
        return !done;
      });
      if (answer && answer->status == 503) ++refused;
    });
  for (int i = 0; i < 100 && streaming < 20; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(served.get("bob", "/api/1")["version"], 1);
  std::string first;
  served.client("bob").Get("/api/1/events", [&](const char* bytes, std::size_t size) {
    first.append(bytes, size);
    return false;
  });
  EXPECT_THAT(first, HasSubstr("event: queue"));
  done = true;
  for (std::thread& page : pages) page.join();
  EXPECT_EQ(refused, 12);
}

}  // namespace
}  // namespace grader::testing
