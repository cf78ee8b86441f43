#include "serve/git_push.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <semaphore>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/removal.hpp"
#include "base/scratch.hpp"
#include "course/git_clone.hpp"
#include "serve/hand_in_body.hpp"

namespace grader {
namespace {

constexpr std::uint64_t MiB = 1 << 20;
constexpr const char* flush = "0000";
constexpr std::size_t longest_packet = 65000;
constexpr std::ptrdiff_t at_once = 4;
constexpr std::chrono::seconds longest_wait{20};
constexpr std::size_t most_refs = 50;  // their answers fit into one packet

[[noreturn]] void refuse(const std::string& what, const std::string& next) {
  throw Error(ErrorKind::usage, what, next);
}

std::string packet(const std::string& text) {
  return fmt::format("{:04x}", text.size() + 4) + text;
}

/// Takes the next packet. No value at the end of a list. @throws Error (usage) if there is no packet
std::optional<std::string_view> take_packet(std::string_view& body) {
  std::size_t size = 0;
  const auto [end, error] =
      std::from_chars(body.data(), body.data() + std::min<std::size_t>(body.size(), 4), size, 16);
  const bool number = error == std::errc() && end == body.data() + 4;
  if (!number || (size != 0 && size < 4) || size > body.size())
    refuse("This is no push of git.", "git push ADDRESS HEAD:main");
  const std::string_view out = body.substr(4, size == 0 ? 0 : size - 4);
  body.remove_prefix(std::max<std::size_t>(size, 4));
  return size == 0 ? std::nullopt : std::optional(out);
}

bool is_object_name(std::string_view text) {
  return text.size() == 40 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

/// Whether the text is a ref that can be printed unchanged and fits into a packet.
bool is_ref(std::string_view text) {
  return text.starts_with("refs/") && text.size() < 1000 && printable(std::string(text)) == text;
}

/// Unpacks the objects with git's own checks, and prints the archive. No name in the pack determines a path.
constexpr const char* script =
    "git init --quiet --bare r && git -C r index-pack --strict --stdin --max-input-size=$2 < pack > "
    "/dev/null && "
    "exec git -C r archive --format=zip \"$1\"";

ProcessRequest unpacking(const std::string& commit) {
  ProcessRequest request;
  request.argv = {"sh", "-c", script, "sh", commit, std::to_string(largest_hand_in)};
  request.environment = quiet_git();
  request.environment.insert({{"GIT_TEMPLATE_DIR", ""},
                              {"GIT_ATTR_NOSYSTEM", "1"},
                              {"LC_ALL", "C"},
                              {"GIT_CONFIG_COUNT", "3"},
                              {"GIT_CONFIG_KEY_0", "core.hooksPath"},
                              {"GIT_CONFIG_VALUE_0", "/dev/null"},
                              {"GIT_CONFIG_KEY_1", "core.bigFileThreshold"},
                              {"GIT_CONFIG_VALUE_1", "1m"},
                              {"GIT_CONFIG_KEY_2", "pack.threads"},
                              {"GIT_CONFIG_VALUE_2", "1"}});
  request.limits.wall_s = 20;
  request.limits.memory = 512 * MiB;
  request.limits.output = largest_hand_in;
  request.limits.file_size = 64 * MiB;
  request.limits.folder_size = 128 * MiB;
  request.limits.processes = 16;
  return request;
}

}  // namespace

bool takes_pushes() {
  static const bool here = !find_program("git").empty();
  return here;
}

std::string git_advertisement() {
  const std::string none(40, '0');
  return packet("# service=git-receive-pack\n") + flush +
         packet(none + " capabilities^{}" + '\0' +
                "report-status side-band-64k ofs-delta agent=cuda-lab-kit\n") +
         flush;
}

GitPush read_push(const std::string& body) {
  GitPush out;
  std::string_view rest = body, can;
  if (rest == flush) return out;
  while (const auto line = take_packet(rest)) {
    if (line->starts_with("shallow ")) {
      out.shallow = true;
      continue;
    }
    // The line is "OLD NEW REF". The first line also has a zero byte, followed by the client's capabilities.
    const std::size_t zero = line->find('\0');
    const std::string_view command = line->substr(0, zero);
    const bool whole = command.size() > 82 && command[40] == ' ' && command[81] == ' ' &&
                       is_object_name(command.substr(41, 40)) && is_ref(command.substr(82));
    if (out.refs.empty()) can = zero == line->npos ? "" : line->substr(zero);
    if (!whole || can.find("report-status") == can.npos || can.find("side-band-64k") == can.npos)
      refuse("This push can't be read.", "git push ADDRESS HEAD:main, with git 2.0 or newer");
    if (out.refs.size() == most_refs)
      refuse("Too many branches were pushed.", "push one: git push ADDRESS HEAD:main");
    out.commit = command.substr(41, 40);
    out.refs.emplace_back(command.substr(82));
  }
  if (out.refs.empty()) refuse("Nothing was pushed.", "git push ADDRESS HEAD:main");
  out.pack = rest;
  return out;
}

std::string archive_of(const GitPush& push, const fs::path& scratch, const Machine& machine) {
  if (push.refs.size() != 1) refuse("Several branches were pushed.", "push one: git push ADDRESS HEAD:main");
  if (push.shallow)
    refuse("The clone is shallow, so it lacks history that git checks.", "git fetch --unshallow");
  if (push.commit.find_first_not_of('0') == std::string::npos)
    refuse("A hand-in can't be deleted by a push.", "take it back on the page, while it waits");
  static std::counting_semaphore<> places(at_once);
  struct Place {
    Place() {
      if (!places.try_acquire_for(longest_wait))
        throw Error(ErrorKind::environment, "The server is reading too many pushes.",
                    "push again in a minute");
    }
    ~Place() { places.release(); }
  } const place;
  const ScratchFolder own(scratch, "push");
  SandboxSpec spec;
  spec.work_folder = own.path() / "work";
  ProcessRequest request = unpacking(push.commit);
  request.limits.watched_folder = spec.work_folder;
  write_file(spec.work_folder / "pack", std::string(push.pack));
  ProcessResult done = run_unless_killed(
      [&] {
        remove_tree(spec.work_folder / "r");
        return machine.commands.run_confined(request, spec);
      },
      Messages::quoting);
  using End = ProcessResult::End;
  if (done.end == End::killed) throw killed_twice("git");
  if (done.end == End::not_started || done.end == End::interrupted)
    throw Error(ErrorKind::environment, fmt::format("The push can't be read: git {}.", describe_end(done)),
                "push it again later, and report it: nothing of it was kept");
  if (ran_out_of_disk(machine, done, spec.work_folder)) throw disk_is_full("the push could not be unpacked");
  if (done.end == End::exited && done.code == 127)
    throw Error(ErrorKind::environment, "The sandbox has no git, so the push can't be read.",
                "hand in on the page; an instructor installs git in /usr");
  if (done.end == End::time_out || done.end == End::memory_limit)
    refuse("Reading the push took too much time or memory.", "push it again, or hand in on the page");
  if (done.end != End::exited || done.out.size() >= largest_hand_in)
    refuse(fmt::format("The push is too large: its files and its history may have {} MiB.",
                       largest_hand_in >> 20),
           "push a repository of the sources alone, without data and programs");
  if (!done.ok()) {
    const auto lines = split_lines(done.err);
    refuse(fmt::format("git refuses what was pushed{}.",
                       lines.empty() ? "" : ": " + printable(lines.front().substr(0, 200))),
           "git fsck, in your clone, shows what is wrong");
  }
  return std::move(done.out);
}

std::string push_answer(const GitPush& push, const std::string& said, const std::string& refused) {
  if (push.refs.empty()) return flush;
  std::string out;
  for (std::size_t at = 0; at < said.size(); at += longest_packet)
    out += packet("\x02" + said.substr(at, longest_packet));
  std::string report = packet("unpack ok\n");
  for (const std::string& ref : push.refs)
    report += packet(refused.empty() ? fmt::format("ok {}\n", ref) : fmt::format("ng {} {}\n", ref, refused));
  report += flush;
  return out + packet("\x01" + report) + flush;
}

}  // namespace grader
