#include "race_report.hpp"

#include <algorithm>

#include "naming.hpp"

namespace cuemu::check {

namespace {

struct Side {
  const Actor& actor;
  Era era;

  bool is_host() const { return era.doing == Doing::host; }
  Line queued_at() const {
    return era.doing == Doing::kernel ? launch_line_of(era.stack) : line_of(era.stack);
  }
  std::string name() const {
    switch (era.doing) {
      case Doing::kernel:
        return "kernel " + era.kernel;
      case Doing::copy:
        return "a copy";
      case Doing::fill:
        return "a memset";
      case Doing::host:
        return "the host";
      case Doing::host_function:
        return "a host function";
    }
    return "";
  }
  Party party() const {
    if (era.doing == Doing::copy || era.doing == Doing::fill)
      return {verb_of(actor.kind) + " by " + name(), line_of(era.stack), access_of(actor.kind)};
    Party party{verb_of(actor.kind) + " by " + name(), line_of(address_of(actor.site)),
                access_of(actor.kind)};
    if (era.doing != Doing::kernel) return party;
    party.what = verb_of(actor.kind) + " by thread " + point(era.block, actor.thread) + " of block " +
                 point(era.grid, actor.block);
    party.thread = index_of(era.block, actor.thread);
    party.block = index_of(era.grid, actor.block);
    return party;
  }
};

std::string at_line(const Line& line) {
  return line.known() ? short_path(line.file) + ":" + std::to_string(line.line) : "an unknown line";
}

std::string hint_for(const Side& before, const Side& now) {
  if (now.is_host()) {
    const Line line = line_of(address_of(now.actor.site));
    return "the host does not wait for " +
           (before.era.doing == Doing::kernel ? before.name() : std::string("what it has queued")) +
           ": call cudaDeviceSynchronize() or cudaStreamSynchronize() " +
           (line.known() ? "before line " + std::to_string(line.line) : "first") +
           ", and check what it returns";
  }
  if (before.is_host())
    return "what is queued may run at once: let the host change the memory before that, or when it is done";
  const auto kinds = {before.era.kind, now.era.kind};
  const auto has = [&](QueueKind kind) { return std::find(kinds.begin(), kinds.end(), kind) != kinds.end(); };
  if (before.era.kind != QueueKind::child && now.era.kind == QueueKind::child)
    return "a grid that a kernel launches runs beside that kernel, up to the kernel's end: use what it makes "
           "in a kernel "
           "that comes later (cudaStreamTailLaunch), and let the launching thread finish what it needs "
           "before the launch "
           "(the others of its block by a __syncthreads() before it)";
  if (has(QueueKind::child))
    return "grids that kernels launch run at the same time, unless one block launches them into one stream: "
           "let one "
           "thread launch both, or give each its own part of the memory";
  if (has(QueueKind::graph))
    return "nodes of a graph run at the same time unless one depends on the other: add the edge";
  if (has(QueueKind::legacy) && has(QueueKind::non_blocking))
    return "a stream made with cudaStreamNonBlocking does not wait for the default stream: use one stream "
           "for "
           "both, or cudaEventRecord and cudaStreamWaitEvent";
  return "different streams run at the same time: use one stream for both, or let the second wait for the "
         "first with cudaEventRecord and cudaStreamWaitEvent";
}

}  // namespace

unsigned kind_of(const Stamp& stamp, bool write) {
  const unsigned atomic = is_volatile_at(stamp.site) ? is_volatile : is_atomic;
  return (write ? writes : reads) | (stamp.atomic != 0 ? atomic : 0u);
}

Actor actor_of(const Stamp& stamp, bool write) {
  return {stamp.era, kind_of(stamp, write), stamp.site, stamp.thread, stamp.block};
}

Actor actor_of(const BoxAccess& box) {
  return {box.era, box.write ? writes : reads, 0, 0, 0};
}

void report_unordered(const Region& region, std::uintptr_t address, std::size_t size, const Actor& before,
                      const Actor& now) {
  // Two accesses of launches or copies are reported once for each pair of places in the program, however many
  // times the places run.
  const Side first{before, Timeline::get().era(before.era)};
  const Side second{now, Timeline::get().era(now.era)};
  const auto place = [](const Side& side) -> std::uint64_t {
    return side.actor.site != 0 ? side.actor.site
                                : reinterpret_cast<std::uintptr_t>(users_address(side.era.stack));
  };
  Findings::get().add(
      {static_cast<std::uint64_t>(Rule::race), 100, place(first), place(second), region.begin,
       before.kind & writes, now.kind & writes},
      std::uint64_t{now.era} << 32, [&] {
        Finding finding;
        finding.rule = Rule::race;
        finding.kernel = second.era.doing == Doing::kernel ? second.era.kernel : first.era.kernel;
        const std::size_t element = size != 0 ? size : 4;
        finding.array = name_of_region(region);
        const auto at = static_cast<std::int64_t>((address - region.begin) / element);
        finding.element = {space_of(region), {at}, at, element};
        const std::string index = std::to_string(at);
        const std::string what = finding.array.empty() ? "element " + index + " of " + described(region)
                                                       : finding.array + "[" + index + "]";
        const bool alike = first.name() == second.name() && first.era.doing != Doing::kernel;
        const std::string who = alike && first.era.doing == Doing::copy ? "two copies"
                                : first.era.doing == Doing::kernel && second.era.doing == Doing::kernel
                                    ? (first.era.kernel == second.era.kernel
                                           ? "two launches of kernel " + first.era.kernel
                                           : "kernels " + first.era.kernel + " and " + second.era.kernel)
                                    : first.name() + " and " + second.name();
        finding.headline = who + " touch " + what + " with no order between them";
        finding.parties = {first.party(), second.party()};
        for (const Side* side : {&first, &second})
          if (side->era.doing == Doing::kernel || side->era.doing == Doing::host_function) {
            const std::string note = side->name() + " was launched at " + at_line(side->queued_at());
            if (finding.notes.empty() || finding.notes.back() != note) finding.notes.push_back(note);
          }
        finding.weight = 100;
        finding.hint = hint_for(first, second);
        return finding;
      });
}

}  // namespace cuemu::check
