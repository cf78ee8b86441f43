// Adds the columns of peers to a table.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "model/table.hpp"

namespace grader {
namespace {

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

}  // namespace grader
