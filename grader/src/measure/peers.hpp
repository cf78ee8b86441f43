/// @file
/// The programs that a table compares with the lab's own: their selection, their sources, and their columns.
#pragma once
#include "measure/measure.hpp"

namespace grader {

/// One program that is compared with the lab's own.
struct Contestant {
  const Peer* peer = nullptr;
  std::shared_ptr<const Submission> submission;  ///< null if it could not be read
  std::string problem;                           ///< the reason then, in one sentence
  /// Whether the peer runs both sides itself, in one process (Peer::with).
  bool in_turn() const { return !peer->with.empty(); }
};

/// Reads the sources of the table's peers. A missing source becomes the problem of its peer.
std::vector<Contestant> contestants(const MeasureSetup& setup, const TableSpec& spec);

/// A peer's case for a row: the row's arguments that the peer accepts, then the peer's own. @param c the row's case
Case case_of_peer(const Peer& peer, const TableSpec& spec, const TableRow& row, Case c);

/// A digest of everything on which a table's values depend: sources, parameters, compiler, device, driver. Values of
/// an earlier sweep are reused only if the digests are equal. @param shown the table's columns, including those of
/// peers
std::string fingerprint(const MeasureSetup& setup, const TableSpec& shown,
                        const std::vector<Contestant>& others);

}  // namespace grader
