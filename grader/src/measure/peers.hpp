/// @file
/// Programs beside a lab's own in a table: their selection, their sources, and their columns.
#pragma once
#include "measure/measure.hpp"

namespace grader {

/// One program beside the lab's own.
struct Contestant {
  const Peer* peer = nullptr;
  std::shared_ptr<const Submission> submission;  ///< null if it could not be read
  std::string problem;                           ///< the reason then, in one sentence
  /// It runs both sides itself, in one process (Peer::with).
  bool in_turn() const { return !peer->with.empty(); }
};

/// Reads their sources. A missing source becomes the problem of its peer.
std::vector<Contestant> contestants(const MeasureSetup& setup, const TableSpec& spec);

/// A peer's case for a row: the arguments that it takes, then its own. @param c the row's
Case case_of_peer(const Peer& peer, const TableSpec& spec, const TableRow& row, Case c);

/// A digest of all that a table's values depend on: sources, parameters, compiler, device, driver. Values of an
/// earlier sweep are reused only if it is equal. @param shown the table's columns, including those of peers
std::string fingerprint(const MeasureSetup& setup, const TableSpec& shown,
                        const std::vector<Contestant>& others);

}  // namespace grader
