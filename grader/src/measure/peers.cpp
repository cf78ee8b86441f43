#include "measure/peers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"

namespace grader {
namespace {

bool is_header(const fs::path& file) {
  const std::string ending = file.extension().string();
  return ending == ".h" || ending == ".hpp" || ending == ".cuh" || ending == ".inl";
}

/// The peer's source, with the headers in its folder. If it runs both sides itself, also the files of the
/// submission, otherwise the lab's shared headers.
Submission of_source(const MeasureSetup& setup, const Peer& peer) {
  const Lab& lab = *setup.submission.lab;
  const fs::path folder = lab.folder / "peer";
  constexpr std::uintmax_t limit = 4 << 20;
  Submission out;
  out.lab = &lab;
  out.origin = Origin::folder;
  out.folder = folder;
  out.files.push_back({peer.source, read_file(folder / peer.source, limit)});
  for (const fs::path& file : list_files(folder)) {
    if (is_header(file)) out.files.push_back({file.lexically_relative(folder), read_file(file, limit)});
  }
  if (peer.with.empty())
    for (const SubmissionFile& file : as_submitted(sources_in(shared_folder(setup.kit, lab))))
      out.files.push_back(file);
  std::vector<std::string> missing = peer.with;
  for (const SubmissionFile& file : setup.submission.files) {
    const auto named = std::find(missing.begin(), missing.end(), file.name.string());
    const bool wanted = named != missing.end() || (!peer.with.empty() && is_header(file.name));
    if (wanted) out.files.push_back(file);
    if (named != missing.end()) missing.erase(named);
  }
  if (!missing.empty())
    throw Error(ErrorKind::usage, fmt::format("the submission has no {}", missing.front()));
  summarise(out);
  return out;
}

Submission of_lab(const MeasureSetup& setup, const Peer& peer) {
  std::optional<int> level;
  const Lab& other = setup.catalog.find(peer.lab, level);
  if (other.inputs.size() != setup.submission.lab->inputs.size())
    throw Error(ErrorKind::usage, fmt::format("{} reads other inputs than this lab", other.id));
  return read_submission(setup.kit, other, 1, Origin::solution);
}

}  // namespace

std::vector<Contestant> contestants(const MeasureSetup& setup, const TableSpec& spec) {
  std::vector<Contestant> out;
  for (const Peer* peer : peers_of(*setup.submission.lab, spec, setup.backend)) {
    Contestant one;
    one.peer = peer;
    try {
      one.submission =
          std::make_shared<Submission>(peer->lab.empty() ? of_source(setup, *peer) : of_lab(setup, *peer));
    } catch (const Error& e) {
      if (e.kind() == ErrorKind::fault) throw;
      one.problem = e.what();
    }
    out.push_back(std::move(one));
  }
  return out;
}

Case case_of_peer(const Peer& peer, const TableSpec& spec, const TableRow& row, Case c) {
  if (peer.takes) {
    c.args.clear();
    for (std::size_t i = 0; i < spec.axes.size(); ++i) {
      const bool taken =
          std::find(peer.takes->begin(), peer.takes->end(), spec.axes[i].name) != peer.takes->end();
      if (spec.axes[i].kind == Axis::Kind::argument && taken) c.args.push_back(row.key[i]);
    }
  }
  c.args.insert(c.args.end(), peer.args.begin(), peer.args.end());
  return c;
}

}  // namespace grader
