/// @file
/// Programs that stand beside a lab's own in a table:
/// which ones, what they are built from, and the columns that they get.
#pragma once
#include "measure/measure.hpp"

namespace grader {

/// One program beside the lab's own.
struct Contestant {
  const Peer* peer = nullptr;
  std::shared_ptr<const Submission> submission;  ///< none when it could not be read
  std::string problem;                           ///< then, in one sentence
  /// It runs both sides itself, in one process (Peer::with).
  bool in_turn() const { return !peer->with.empty(); }
};

/// The peers of a lab that stand in a table and run on a backend. @param spec of the lab, not of with_peers()
std::vector<const Peer*> peers_of(const Lab& lab, const TableSpec& spec, Backend backend);

/// Reads what they are built from. What is missing becomes a problem of that one.
std::vector<Contestant> contestants(const MeasureSetup& setup, const TableSpec& spec);

/// The table with its kernel times alone, beside those of the peers: columns with the measures peer, speed
/// (the peer's time over the lab's own, sample by sample) and, for a peer that runs both sides itself, own. Its id is that of the table with "-peers" behind it.
/// @throws Error (usage) when the table has no kernel times or the lab no peers for it
TableSpec with_peers(const Lab& lab, const TableSpec& spec, Backend backend);

/// The case that a row is for a peer: the arguments that it takes, and its own. @param c the row's
Case case_of_peer(const Peer& peer, const TableSpec& spec, const TableRow& row, Case c);

/// What a table's values depend on: sources, parameters, compiler, device, driver. They are taken over from
/// an earlier sweep only when all of it is the same. @param shown the table's columns, those of peers too
std::string fingerprint(const MeasureSetup& setup, const TableSpec& shown,
                        const std::vector<Contestant>& others);

}  // namespace grader
