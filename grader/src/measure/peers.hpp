/// @file
/// The programs that a table compares with the lab's own: their choice, their sources, and their columns.
#pragma once
#include "measure/measure.hpp"

namespace grader {

/// One program with which the lab's own is compared.
struct Contestant {
  const Peer* peer = nullptr;
  std::shared_ptr<const Submission> submission;  ///< null if it could not be read
  std::string problem;                           ///< why it could not be read, in one sentence
  /// Whether the peer runs both sides itself, in one process (Peer::with).
  bool in_turn() const { return !peer->with.empty(); }
};

/// Reads the sources of the table's peers. A missing source becomes the problem of its peer.
std::vector<Contestant> contestants(const MeasureSetup& setup, const TableSpec& spec);

/// The case of a peer in a row: those of the row's arguments that the peer takes, then the peer's own.
/// @param c the row's case
Case case_of_peer(const Peer& peer, const TableSpec& spec, const TableRow& row, Case c);

/// A digest of everything that affects a table's values: sources, parameters, compiler, device, driver.
/// Values of an earlier sweep are reused only if the digests are equal.
/// @param shown the table's columns, with those of peers
std::string fingerprint(const MeasureSetup& setup, const TableSpec& shown,
                        const std::vector<Contestant>& others);

}  // namespace grader
