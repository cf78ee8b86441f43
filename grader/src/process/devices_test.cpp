// Tests turns on fake GPUs, between threads, between processes and between users.
#include "process/devices.hpp"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/test_folder.hpp"

namespace grader {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class DevicesTest : public testing::Test {
 protected:
  DevicesTest() {
    fs::permissions(folder.path, fs::perms(0777) | fs::perms::sticky_bit);
    setenv("GRADER_DEVICE_LOCKS", folder.path.c_str(), 1);
  }
  ~DevicesTest() override { unsetenv("GRADER_DEVICE_LOCKS"); }

  /// Starts a process that holds a turn on a device when this function returns.
  /// @param becomes whether the process then becomes another program by exec()
  pid_t holder(const std::string& device, bool becomes = false) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
      const auto turn = LockedDevices([](const std::string&) {}).take({device});
      if (becomes) {
        turn->outlive_exec();
        dup2(ends[1], 1);
        execl("/bin/sh", "sh", "-c", "echo; exec sleep 100", nullptr);
      }
      [[maybe_unused]] const ssize_t written = write(ends[1], "+", 1);
      for (;;) pause();
    }
    char ready = 0;
    EXPECT_EQ(read(ends[0], &ready, 1), 1);
    close(ends[0]);
    close(ends[1]);
    return child;
  }

  TestFolder folder;
  std::vector<std::string> said;
  LockedDevices devices{[this](const std::string& sentence) { said.push_back(sentence); },
                        std::chrono::milliseconds(20)};
};

TEST_F(DevicesTest, AFreeOneIsTakenWithoutAWord) {
  EXPECT_EQ(devices.take({"GPU-1"})->device(), "GPU-1");
  EXPECT_EQ(devices.take({"GPU-1"})->device(), "GPU-1") << "it was given back";
  EXPECT_THAT(said, IsEmpty());
}

TEST_F(DevicesTest, EachOfSeveralServesOne) {
  const auto first = devices.take({"GPU-1", "GPU-2"}), second = devices.take({"GPU-1", "GPU-2"});
  EXPECT_EQ(first->device(), "GPU-1");
  EXPECT_EQ(second->device(), "GPU-2");
}

TEST_F(DevicesTest, AnotherProcessIsWaitedForAndNamed) {
  const pid_t other = holder("GPU-1");
  std::thread ends_it([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    kill(other, SIGKILL);  // the lock is released when the process dies
  });
  const auto turn = devices.take({"GPU-1"});
  ends_it.join();
  waitpid(other, nullptr, 0);
  ASSERT_THAT(said, ElementsAre(StartsWith("GPU-1 is in use by another grading")));
  EXPECT_THAT(said[0], HasSubstr("process " + std::to_string(other)));
}

TEST_F(DevicesTest, ATurnIsHandedOnToTheProgramThatItsHolderBecomes) {
  const pid_t other = holder("GPU-1", true);
  std::atomic<bool> ended = false;
  std::thread ends_it([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    ended = true;
    kill(other, SIGKILL);
  });
  const auto turn = devices.take({"GPU-1"});
  EXPECT_TRUE(ended);
  ends_it.join();
  waitpid(other, nullptr, 0);
  EXPECT_THAT(said, ElementsAre(HasSubstr("process " + std::to_string(other))));
}

TEST_F(DevicesTest, OnlyTheFirstLongWaitIsReported) {
  const auto wait_for = [this](LockedDevices& waiting, std::chrono::milliseconds time) {
    const pid_t other = holder("GPU-1");
    std::thread ends_it([&] {
      std::this_thread::sleep_for(time);
      kill(other, SIGKILL);
    });
    waiting.take({"GPU-1"});
    ends_it.join();
    waitpid(other, nullptr, 0);
  };
  wait_for(devices, std::chrono::milliseconds(150));
  wait_for(devices, std::chrono::milliseconds(150));
  EXPECT_EQ(said.size(), 1u);
  LockedDevices patient([this](const std::string& sentence) { said.push_back(sentence); },
                        std::chrono::hours(1));
  wait_for(patient, std::chrono::milliseconds(100));
  EXPECT_EQ(said.size(), 1u) << "too short for a word";
}

TEST_F(DevicesTest, WhereAllAreInUseTheFirstThatIsFreeServes) {
  const pid_t one = holder("GPU-1"), two = holder("GPU-2");
  std::thread ends_it([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    kill(two, SIGKILL);
  });
  EXPECT_EQ(devices.take({"GPU-1", "GPU-2"})->device(), "GPU-2");
  ends_it.join();
  kill(one, SIGKILL);
  waitpid(one, nullptr, 0);
  waitpid(two, nullptr, 0);
  EXPECT_THAT(said, ElementsAre(HasSubstr("All 2 GPUs are in use")));
}

TEST_F(DevicesTest, NoTwoThreadsHaveOneAtOnce) {
  std::atomic<int> inside{0}, most{0};
  LockedDevices quiet([](const std::string&) {});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 3; ++k) {
        const auto turn = quiet.take({"GPU-1"});
        most = std::max(most.load(), ++inside);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        --inside;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(most, 1);
}

TEST_F(DevicesTest, AnotherUsersFileIsEverybodys) {
  if (geteuid() != 0) GTEST_SKIP() << "only root is two users";
  const mode_t mask = umask(077);
  devices.take({"GPU-1"}).reset();
  umask(mask);
  const pid_t child = fork();
  if (child == 0) {
    const bool changed = setgid(65534) == 0 && setuid(65534) == 0;
    std::vector<std::string> words;
    const auto turn =
        LockedDevices([&](const std::string& sentence) { words.push_back(sentence); }).take({"GPU-1"});
    _exit(changed && words.empty() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(DevicesTest, ADeviceThatCanNotBeLockedIsUsedWithANote) {
  folder.write("secret", "notes");
  fs::create_symlink(folder.path / "secret", folder.path / "cuda-lab-kit-gpu-GPU-1.lock");
  EXPECT_EQ(devices.take({"GPU-1"})->device(), "GPU-1");
  EXPECT_THAT(said, ElementsAre(HasSubstr("used without a lock")));
  EXPECT_EQ(folder.read("secret"), "notes") << "no link is followed";
  setenv("GRADER_DEVICE_LOCKS", "/nowhere", 1);
  EXPECT_EQ(devices.take({"GPU-2"})->device(), "GPU-2");
  EXPECT_THAT(said, ElementsAre(testing::_, HasSubstr("/nowhere")));
}

}  // namespace
}  // namespace grader
