// Tests the peers in a table, their columns, and their arguments.
#include "measure/peers.hpp"

#include "base/test_folder.hpp"
#include "catalog/test_kit.hpp"

namespace grader {
namespace {

TableSpec sizes() {
  TableSpec spec;
  spec.id = "sizes";
  spec.title = "Time by size";
  spec.baseline = "8";
  spec.axes = {{"Size", Axis::Kind::argument, {"8", "16"}, {}, {}},
               {"Version", Axis::Kind::argument, {"--version=a"}, {}, {}},
               {"TILE", Axis::Kind::macro, {"4"}, {}, {}}};
  spec.columns = {{"in", "Transfer in", {Measure::Kind::h2d}, "s"},
                  {"gpu", "GPU time", {Measure::Kind::kernel}, "s"}};
  return spec;
}

Lab lab_with_peers() {
  Lab lab;
  lab.id = "lab9.1";
  Peer library;
  library.name = "cublas";
  library.title = "cuBLAS";
  library.source = "cublas.cu";
  library.takes = std::vector<std::string>{"Size"};
  library.args = {"--math=fast"};
  library.backends = {Backend::gpu};
  Peer earlier;
  earlier.name = "naive";
  earlier.title = "naive";
  earlier.lab = "lab1.1";
  earlier.tables = {"sizes"};
  Peer in_turn;
  in_turn.name = "cub";
  in_turn.title = "CUB";
  in_turn.source = "cub.cu";
  in_turn.with = {"kernel.cu"};
  in_turn.tables = {"best"};
  lab.peers = {library, earlier, in_turn};
  lab.tables = {sizes()};
  return lab;
}

std::vector<std::string> names(const std::vector<const Peer*>& peers) {
  std::vector<std::string> out;
  for (const Peer* peer : peers) out.push_back(peer->name);
  return out;
}

std::vector<std::string> ids(const TableSpec& spec) {
  std::vector<std::string> out;
  for (const Column& column : spec.columns) out.push_back(column.id);
  return out;
}

TEST(Peers, AreInTheTablesThatTheyNameOnTheirBackends) {
  const Lab lab = lab_with_peers();
  TableSpec spec = sizes();
  EXPECT_EQ(names(peers_of(lab, spec, Backend::gpu)), (std::vector<std::string>{"cublas", "naive"}));
  EXPECT_EQ(names(peers_of(lab, spec, Backend::emu)), std::vector<std::string>{"naive"});
  spec.id = "best";
  spec.search = true;
  EXPECT_EQ(names(peers_of(lab, spec, Backend::gpu)), std::vector<std::string>{"cub"})
      << "one that names no table stands in none that searches";
}

TEST(Peers, HaveAColumnOfTheirTimesAndOneOfSpeeds) {
  const TableSpec spec = with_peers(lab_with_peers(), sizes(), Backend::gpu);
  EXPECT_EQ(spec.id, "sizes-peers");
  EXPECT_EQ(spec.title, "Time by size, beside cuBLAS and naive");
  EXPECT_EQ(ids(spec),
            (std::vector<std::string>{"gpu", "peer:cublas", "speed:cublas", "peer:naive", "speed:naive"}));
  EXPECT_EQ(spec.columns[2].title, "× cuBLAS");
  EXPECT_EQ(spec.baseline, "");
}

TEST(Peers, HaveTheSharedHeadersOfTheirLab) {
  const TestKit kit;
  kit.write("labs/lab1.1-scale/peer/other.cu", "int main() {}\n");
  kit.write("labs/lab1.1-scale/shared/rules.hpp", "#pragma once\n");
  const Catalog catalog = Catalog::load(kit.kit);
  const Toolchain toolchain;
  Lab lab = kit.lab();
  lab.peers.emplace_back().source = "other.cu";
  const Submission solution = read_submission(kit.kit, lab, 1, Origin::solution);
  const MeasureSetup setup{kit.kit, catalog, toolchain, solution, Backend::emu};
  for (const std::vector<std::string>& with : {std::vector<std::string>{}, {"scale.cu"}}) {
    lab.peers[0].with = with;
    const auto files = contestants(setup, sizes()).at(0).submission->files;
    EXPECT_EQ(std::count_if(files.begin(), files.end(),
                            [](const SubmissionFile& file) { return file.name == "rules.hpp"; }),
              1);
  }
}

TEST(Peers, OneThatRunsBothSidesHasTimesOfTheLabsOwnToo) {
  Lab lab = lab_with_peers();
  lab.peers[2].tables.clear();
  lab.peers.erase(lab.peers.begin(), lab.peers.begin() + 2);
  EXPECT_EQ(ids(with_peers(lab, sizes(), Backend::emu)),
            (std::vector<std::string>{"own:cub", "peer:cub", "speed:cub"}));
}

TEST(Peers, ATableWithoutThemSaysSo) {
  Lab lab = lab_with_peers();
  TableSpec spec = sizes();
  spec.columns.pop_back();
  EXPECT_THAT([&] { with_peers(lab, spec, Backend::gpu); },
              throws_error(ErrorKind::usage, "has no kernel times to compare"));
  lab.peers.clear();
  EXPECT_THAT([&] { with_peers(lab, sizes(), Backend::gpu); },
              throws_error(ErrorKind::usage, "lab9.1 has no peer for its table sizes"));
}

TEST(Peers, AreGivenTheArgumentsThatTheyTake) {
  const Lab lab = lab_with_peers();
  const TableSpec spec = sizes();
  const TableRow row = table_rows(spec, Backend::gpu)[1];
  Case c;
  c.args = arguments_of(spec, row);
  EXPECT_EQ(c.args, (std::vector<std::string>{"16", "--version=a"}));
  EXPECT_EQ(case_of_peer(lab.peers[0], spec, row, c).args, (std::vector<std::string>{"16", "--math=fast"}));
  EXPECT_EQ(case_of_peer(lab.peers[1], spec, row, c).args, c.args);
  EXPECT_EQ(macros_of(spec, row), (Macros{{"TILE", "4"}}));
}

}  // namespace
}  // namespace grader
