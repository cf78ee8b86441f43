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

/// The peer's source with the headers beside it and, where it runs both sides, the files of the submission.
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

Column column_beside(const Peer& peer, Measure::Kind kind, const std::string& title, const char* unit) {
  const Measure measure{kind, peer.name};
  return {measure.text(), title, measure, unit};
}

}  // namespace

std::vector<const Peer*> peers_of(const Lab& lab, const TableSpec& spec, Backend backend) {
  std::vector<const Peer*> out;
  for (const Peer& peer : lab.peers) {
    const bool is_listed =
        peer.tables.empty() ? !spec.search
                            : std::find(peer.tables.begin(), peer.tables.end(), spec.id) != peer.tables.end();
    const bool runs = std::find(peer.backends.begin(), peer.backends.end(), backend) != peer.backends.end();
    if (is_listed && runs) out.push_back(&peer);
  }
  return out;
}

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

TableSpec with_peers(const Lab& lab, const TableSpec& spec, Backend backend) {
  const std::vector<const Peer*> peers = peers_of(lab, spec, backend);
  const auto main = main_column(spec);
  const std::string next = fmt::format("grader table {} --id {}", lab.id, spec.id);
  if (peers.empty())
    throw Error(ErrorKind::usage,
                fmt::format("{} has no peer for its table {} with the {} backend.", lab.id, spec.id,
                            to_string(backend)),
                next);
  if (!main)
    throw Error(ErrorKind::usage,
                fmt::format("Table {} of {} has no kernel times to compare.", spec.id, lab.id), next);
  const Column own = spec.columns[*main];
  TableSpec out = spec;
  out.columns.clear();
  out.baseline.clear();
  out.id += "-peers";
  std::string titles;
  for (const Peer* peer : peers) {
    titles += (titles.empty() ? "" : peer == peers.back() ? " and " : ", ") + peer->title;
    if (peer->with.empty()) {
      if (out.columns.empty() || out.columns.front().id != own.id)
        out.columns.insert(out.columns.begin(), own);
    } else {
      out.columns.push_back(column_beside(*peer, Measure::Kind::own, own.title, "s"));
    }
    out.columns.push_back(column_beside(*peer, Measure::Kind::peer, peer->title, "s"));
    out.columns.push_back(column_beside(*peer, Measure::Kind::speed, "× " + peer->title, "1"));
  }
  out.title += ", beside " + titles;
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
