// Reads the [[case]]s of lab.toml.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "catalog/lab_toml.hpp"

namespace grader {
namespace {

constexpr double longest_timeout_s = 3600;
constexpr int most_devices = 16;  // limit of emulated devices
const char* const case_characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";

void read_timeouts(TomlTable& of_case, Case& c) {
  auto table = of_case.table("timeout_s");
  if (!table) return;
  c.timeout_gpu = table->number_or("gpu", c.timeout_gpu, 0);
  c.timeout_emu = table->number_or("emu", c.timeout_emu, 0);
  for (const auto& [key, seconds] : {std::pair{"gpu", c.timeout_gpu}, std::pair{"emu", c.timeout_emu}}) {
    if (seconds <= 0 || seconds > longest_timeout_s)
      table->fail(key, fmt::format("\"{}\" is {} s; expected more than 0 and at most {} s", key, seconds,
                                   longest_timeout_s));
  }
  table->finish();
}

std::vector<int> read_proved_parts(TomlTable& of_case, const Lab& lab) {
  std::vector<int> parts;
  if (!of_case.has("parts")) {
    for (const Part& part : lab.parts) parts.push_back(part.id);
    return parts;
  }
  const std::vector<std::int64_t> ids = of_case.integers("parts", 1, most_parts);
  if (ids.empty())
    of_case.fail("parts", "proves no part; expected numbers of parts, or no \"parts\" for all of them");
  if (const auto i = first_repeated(ids))
    of_case.fail("parts", fmt::format("part {} is listed twice", ids[*i]), i);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] > static_cast<std::int64_t>(lab.parts.size()))
      of_case.fail("parts",
                   fmt::format("there is no part {}; the lab has parts 1 to {}", ids[i], lab.parts.size()),
                   i);
    parts.push_back(static_cast<int>(ids[i]));
  }
  return parts;
}

/// Whether a case has requirements besides the right result.
bool asks_more(const Case& c) {
  return !c.requirements.empty() || !c.counts.empty();
}

/// Reads decides = [2], which names some of the parts that the case proves.
std::vector<int> read_decided_parts(TomlTable& of_case, const Case& c) {
  std::vector<int> parts;
  const std::vector<std::int64_t> ids = of_case.integers("decides", 1, most_parts);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const int id = static_cast<int>(ids[i]);
    if (std::find(c.parts.begin(), c.parts.end(), id) == c.parts.end())
      of_case.fail("decides",
                   fmt::format("the case does not prove part {}; expected some of its \"parts\"", id), i);
    parts.push_back(id);
  }
  if (!parts.empty() && !asks_more(c))
    of_case.fail("decides",
                 "the case requires nothing besides the right result; expected \"requires\" or \"counts\"");
  return parts;
}

const std::map<std::string, Requirement> requirement_names = {{"freed", Requirement::freed},
                                                              {"judge", Requirement::judge},
                                                              {"shared", Requirement::shared},
                                                              {"timers", Requirement::timers}};

std::vector<Requirement> read_requirements(TomlTable& of_case, const Lab& lab) {
  const std::vector<std::string> names = of_case.texts("requires");
  forbid_repeats(of_case, "requires", names);
  std::vector<Requirement> requirements;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == "no_findings")
      of_case.fail(
          "requires",
          "every case with \"checked\" asks for no findings by itself now; expected no such word, or "
          "unchecked = \"…\" in a case that is to be left out",
          i);
    const auto known = requirement_names.find(names[i]);
    if (known == requirement_names.end()) {
      std::vector<std::string> all;
      for (const auto& [name, requirement] : requirement_names) all.push_back(name);
      const std::string near = did_you_mean(names[i], all);
      of_case.fail("requires",
                   fmt::format("unknown requirement \"{}\"; expected {}{}", names[i], quoted_list(all, "or"),
                               near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)),
                   i);
    }
    if (names[i] == "timers" && lab.printed_timers.empty())
      of_case.fail("requires", "\"timers\" needs a [[timer]] that says what is printed", i);
    requirements.push_back(known->second);
  }
  return requirements;
}

/// Reads counts = [{ of = "shared_loads", at_least = 1024, at_most = 4096, says = "…" }].
std::vector<Count> read_counts(TomlTable& of_case) {
  std::vector<Count> counts;
  for (TomlTable& table : of_case.tables("counts")) {
    Count count;
    count.of = table.text("of");
    if (std::find(countable().begin(), countable().end(), count.of) == countable().end()) {
      const std::string near = did_you_mean(count.of, countable());
      table.fail("of", fmt::format("nothing called \"{}\" is counted; {}", count.of,
                                   near.empty() ? "expected " + quoted_list(countable(), "or")
                                                : "did you mean \"" + near + "\"?"));
    }
    if (table.has("per")) count.per = table.choice("per", {"launches", "blocks", "warps", "threads"});
    if (table.has("at_least")) count.least = table.number("at_least", 0);
    if (table.has("at_most")) count.most = table.number("at_most", 0);
    if (!count.least && !count.most)
      table.fail("of", fmt::format("nothing is required of \"{}\"; expected at_least or at_most", count.of));
    if (count.least && count.most && *count.least > *count.most)
      table.fail(
          "at_least",
          fmt::format("at least {:g} and at most {:g} contradict each other; expected at_least <= at_most",
                      *count.least, *count.most));
    count.says = table.text("says");
    table.finish();
    counts.push_back(std::move(count));
  }
  return counts;
}

/// Reads how the result is verified, which must fit the kind of result: lines on standard output, or an
/// array.
Verify read_verify(TomlTable& of_case, const Lab& lab) {
  if (of_case.has("check"))
    of_case.fail("check", "how a case is verified is called \"verify\" now; expected verify = \"…\"");
  const Verify usual = lab.output.is_printed() ? Verify::judge : Verify::oracle;
  if (!of_case.has("verify")) return usual;
  constexpr std::array all = {Verify::oracle, Verify::gold, Verify::freivalds,
                              Verify::judge,  Verify::none, Verify::sample};
  std::vector<std::string> names;
  for (const Verify one : all) names.emplace_back(to_string(one));
  const std::string name = of_case.choice("verify", names);
  const Verify verify =
      *std::find_if(all.begin(), all.end(), [&](Verify one) { return name == to_string(one); });
  if (verify == Verify::none) return verify;
  if (lab.output.is_printed() && verify != Verify::judge)
    of_case.fail(
        "verify",
        fmt::format("\"{}\" compares arrays, but the lab's output is \"stdout\"; expected \"judge\"", name));
  if (verify != Verify::freivalds) return verify;
  if (lab.output.layout() || std::any_of(lab.inputs.begin(), lab.inputs.end(), is_own_format))
    of_case.fail("verify", "\"freivalds\" multiplies .npy arrays, but the lab has files of its own format");
  if (lab.inputs.size() != 2)
    of_case.fail("verify", fmt::format("\"freivalds\" verifies the product of two inputs, but the lab has {}",
                                       lab.inputs.size()));
  return verify;
}

/// Reads drawn = ["--length={257..511}"], the arguments in a class. The handout's arguments must be possible
/// values.
std::vector<DrawnArgument> read_drawn(TomlTable& of_case, const Case& c) {
  std::vector<DrawnArgument> drawn;
  if (!of_case.has("drawn")) return drawn;
  const std::vector<std::string> texts = of_case.texts("drawn");
  if (c.verify == Verify::gold)
    of_case.fail("drawn", "gold is stored for one size; expected no \"drawn\", or another \"verify\"");
  if (texts.size() != c.args.size())
    of_case.fail("drawn", fmt::format("{} arguments, but \"args\" has {}; expected one for each",
                                      texts.size(), c.args.size()));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto argument = DrawnArgument::parse(texts[i]);
    if (!argument)
      of_case.fail("drawn",
                   fmt::format("\"{}\" does not say what is drawn; expected limits, as in "
                               "\"--length={{257..511}}\"",
                               texts[i]),
                   i);
    if (!argument->can_be(c.args[i]))
      of_case.fail("drawn",
                   fmt::format("\"{}\" can't come to \"{}\" of \"args\"; expected limits around it", texts[i],
                               c.args[i]),
                   i);
    drawn.push_back(*argument);
  }
  return drawn;
}

/// Reads whether the result must come from the device. A case that verifies no result can't require this.
bool read_origin_of_case(TomlTable& of_case, const Lab& lab, Verify verify) {
  if (verify != Verify::none) return read_origin(of_case, lab, lab.from_device);
  if (of_case.has("origin"))
    of_case.fail("origin", "a case with verify = \"none\" looks at no result; expected no \"origin\"");
  return false;
}

Case read_case(TomlTable& table, const Lab& lab) {
  Case c;
  c.id = table.text("id");
  if (!all_of(c.id, case_characters) || c.id[0] == '.')
    table.fail(
        "id", fmt::format("\"{}\" can't name a folder in gold/; expected letters, digits, _, - and .", c.id));
  for (const Case& other : lab.cases) {
    if (other.id == c.id)
      table.fail("id", fmt::format("case \"{}\" is declared twice; expected an id of its own", c.id));
  }
  c.args = table.texts("args");
  if (auto macros = table.table("macros")) c.macros = read_macros(*macros);
  c.verify = read_verify(table, lab);
  c.drawn = read_drawn(table, c);
  if (table.has("seed"))
    c.seed = static_cast<std::uint64_t>(table.integer("seed", 0, std::numeric_limits<std::int64_t>::max()));
  if (c.verify == Verify::gold && !c.seed)
    table.fail("seed", "gold is made with a fixed seed; expected seed = …");
  c.points = table.number_or("points", 1, 0);
  if (c.points == 0) table.fail("points", "a case of weight 0 proves nothing; expected more than 0");
  c.about = table.text_or("about", "");
  const std::string visibility = table.choice("visibility", {"visible", "after_due_date", "hidden"});
  c.visibility = visibility == "hidden"    ? Visibility::hidden
                 : visibility == "visible" ? Visibility::visible
                                           : Visibility::after_due_date;
  c.tolerance = read_tolerance(table);
  if (const std::string problem = tolerance_problem(c.verify, c.tolerance); !problem.empty())
    table.fail("tolerance", fmt::format("\"{}\" {}", to_string(c.verify), problem));
  read_timeouts(table, c);
  c.backends = read_backends(table);
  c.devices = read_devices(table);
  c.parts = read_proved_parts(table, lab);
  c.requirements = read_requirements(table, lab);
  c.from_device = read_origin_of_case(table, lab, c.verify);
  c.counts = read_counts(table);
  c.decides = read_decided_parts(table, c);
  if (c.verify == Verify::none && !asks_more(c))
    table.fail("verify", "\"none\" judges what the case requires; expected \"requires\" or \"counts\" in it");
  if (table.has("checked")) c.checked = table.texts("checked");
  if (table.has("unchecked")) c.unchecked = table.text("unchecked");
  table.finish();
  return c;
}

}  // namespace

Tolerance read_tolerance(TomlTable& of) {
  Tolerance tolerance;
  auto table = of.table("tolerance");
  if (!table) return tolerance;
  tolerance.abs = table->number_or("abs", 0, 0);
  tolerance.rel = table->number_or("rel", 0, 0);
  tolerance.of_max = table->number_or("of_max", 0, 0);
  tolerance.why = table->text_or("why", "");
  if (!tolerance.exact() && tolerance.why.find_first_not_of(" \t") == std::string::npos)
    table->fail("why", "a tolerance needs its reason; expected why = \"…\" beside abs, rel and of_max");
  table->finish();
  return tolerance;
}

int read_devices(TomlTable& of) {
  return static_cast<int>(of.integer_or("devices", 1, 1, most_devices));
}

std::vector<Backend> read_backends(TomlTable& of) {
  if (!of.has("backends")) return {Backend::emu, Backend::gpu};
  const std::vector<std::string> names = of.texts("backends");
  forbid_repeats(of, "backends", names);
  std::vector<Backend> backends;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != "emu" && names[i] != "gpu")
      of.fail("backends", fmt::format("unknown backend \"{}\"; expected \"emu\" or \"gpu\"", names[i]), i);
    backends.push_back(names[i] == "gpu" ? Backend::gpu : Backend::emu);
  }
  if (backends.empty()) of.fail("backends", "no backend; expected \"emu\", \"gpu\" or both");
  return backends;
}

bool read_origin(TomlTable& of, const Lab& lab, bool otherwise) {
  if (!of.has("origin")) return otherwise;
  const bool from_device = of.choice("origin", {"device", "anywhere"}) == "device";
  if (from_device && lab.output.is_printed())
    of.fail("origin", "what is printed holds no bytes of the device; expected an output that is a file");
  return from_device;
}

std::map<std::string, std::string> read_macros(TomlTable table) {
  std::map<std::string, std::string> macros;
  for (const std::string& name : table.keys()) {
    if (!is_word(name)) table.fail(name, fmt::format("\"{}\" can't name a macro", name));
    macros[name] = table.text(name);
  }
  table.finish();
  return macros;
}

void read_cases(TomlTable& root, Lab& lab) {
  for (TomlTable& table : root.tables("case")) lab.cases.push_back(read_case(table, lab));
  if (lab.cases.empty()) root.fail("case", "expected at least one [[case]]");
  for (const Part& part : lab.parts) {
    const bool proved = std::any_of(lab.cases.begin(), lab.cases.end(), [&](const Case& c) {
      return std::find(c.parts.begin(), c.parts.end(), part.id) != c.parts.end();
    });
    if (!proved)
      root.fail("case", fmt::format("no case proves part {}; expected it in the \"parts\" of some [[case]]",
                                    part.id));
  }
}

}  // namespace grader
