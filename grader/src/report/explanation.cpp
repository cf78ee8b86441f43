#include "report/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/columns.hpp"
#include "report/table.hpp"

namespace grader {
namespace {

std::string time_of(double seconds) {
  return value_text(seconds, "s");
}

std::string percent(double share) {
  return share < 0.01 ? "less than 1 %" : fmt::format("{:.0f} %", share * 100);
}

/// A whole number below a million, else three digits and a power of ten.
std::string rounded(double number) {
  if (number < 100) return fmt::format("{:.3g}", number);
  if (number < 1e6) return fmt::format("{:.0f}", number);
  return number < 1e9 ? fmt::format("{:.3g}·10⁶", number / 1e6) : fmt::format("{:.3g}·10⁹", number / 1e9);
}

std::string flop_rate(double flops) {
  return fmt::format("{:.1f} GFLOP/s", flops / 1e9);
}

/// The advice for the binding limit.
const char* advice(Limit limit) {
  switch (limit) {
    case Limit::issue:
      return "It issues too many instructions: let each thread do more with an address, a condition or a "
             "load.";
    case Limit::fp32:
    case Limit::fp64:
    case Limit::integer:
      return "Its arithmetic binds it, which is as it should be: only fewer operations are faster.";
    case Limit::special:
      return "Divisions, roots and exponentials bind it: fewer of them, or their fast versions, are faster.";
    case Limit::turns:
      return "Its accesses bind it: each load should serve more arithmetic, by lanes side by side, wider "
             "loads, or registers.";
    case Limit::l2:
      return "It loads the same data in many blocks: larger tiles load them less often.";
    case Limit::dram:
      return "It moves data at the memory's full rate: only fewer bytes make it faster.";
    case Limit::atomics:
      return "Its lanes wait for each other at one address: add up in registers or in shared memory first.";
    case Limit::begin:
      return "Its blocks are so short that starting them is the limit: let each do more.";
    case Limit::latency:
      return "Its warps wait: more warps on a multiprocessor, more blocks, or independent loads side by side "
             "hide it.";
    case Limit::launch:
      return "It does so little that its launch takes longest: do more in one launch.";
  }
  return "";
}

constexpr double least_gain = 0.001;

std::string limits_text(const Prediction& p, const Style& style) {
  std::vector<int> order;
  for (int i = 0; i < limit_count; ++i)
    if (p.by_limit[static_cast<unsigned>(i)] >= 0.05 * p.seconds) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return p.by_limit[static_cast<unsigned>(a)] > p.by_limit[static_cast<unsigned>(b)];
  });
  Columns columns({Align::left, Align::right, Align::left});
  for (const int i : order) {
    const double seconds = p.by_limit[static_cast<unsigned>(i)];
    const int bar = static_cast<int>(20 * seconds / p.by_limit[static_cast<unsigned>(order.front())] + 0.5);
    std::string drawn;
    for (int k = 0; k < bar; ++k) drawn += "█";
    columns.add({name_of(static_cast<Limit>(i)), time_of(seconds), drawn});
  }
  return columns.text(4, style.width);
}

std::string roofline_text(const KernelWork& work, const Prediction& p, const KnownGpu& gpu,
                          const Style& style) {
  const double flops = work.mix.flops * 32 * work.scale();
  if (flops == 0) return "";
  const double peak = 2 * (work.mix.fp64 > work.mix.fp32 ? gpu.architecture->fp64 : gpu.architecture->fp32) *
                      gpu.multiprocessors() * gpu.clock();
  const double bytes = p.in_l2 ? p.l2_bytes : p.dram_bytes;
  const double rate = p.in_l2 ? gpu.architecture->l2_total * gpu.clock() : gpu.dram();
  if (bytes == 0) return "";
  const double roof = std::min(peak, flops / bytes * rate);
  return "  " +
         wrap(fmt::format("roofline: {} operations for a byte of {}; the roof there is {}, and it reaches {} "
                          "of it ({})",
                          rounded(flops / bytes), p.in_l2 ? "the L2 cache" : "device memory", flop_rate(roof),
                          percent(flops / p.seconds / roof), flop_rate(flops / p.seconds)),
              style.width, 2) +
         "\n";
}

std::string repair_text(const KernelWork& work, const Repair& repair, const Style& style) {
  std::string text =
      fmt::format("{} would save {} of {} {}: {} of the time.", repair.change, rounded(repair.saved),
                  rounded(repair.of), repair.unit, style.strong(percent(repair.gain)));
  if (repair.line >= 0) {
    const WorkLine& line = work.lines[static_cast<unsigned>(repair.line)];
    const std::string name = line.file.substr(line.file.rfind('/') + 1);
    text = fmt::format("{}:{}: {}\n", printable(name), line.line, cut_to(printable(line.text), 60)) +
           "      " + wrap(text, style.width, 6);
  } else {
    text = wrap(text, style.width, 6);
  }
  return "    " + text + "\n";
}

std::string work_text(const KernelWork& work, const KnownGpu& gpu, const Style& style) {
  const Prediction p = predict(work, gpu);
  std::string out =
      style.strong(fmt::format("{}: {} ({})", printable(work.kernel), time_of(p.seconds), gpu.device->name)) +
      fmt::format(", {} to {}", time_of(p.lowest), time_of(p.highest)) +
      (work.launches > 1 ? fmt::format(", {} times", static_cast<long>(work.launches)) : "") + "\n";
  out += fmt::format("  {} of {} threads; occupancy {} ({})\n",
                     how_many(static_cast<std::uint64_t>(work.blocks), "block"), work.threads,
                     percent(p.occupancy.share), p.occupancy.limit);
  out += "  " +
         wrap(fmt::format("The limit that binds: {}. {}", style.strong(name_of(p.binds)), advice(p.binds)),
              style.width, 2) +
         "\n";
  out += limits_text(p, style) + roofline_text(work, p, gpu, style);
  const std::vector<Repair> repairs = repairs_of(work, gpu, least_gain);
  if (!repairs.empty()) out += "  what would help:\n";
  constexpr std::size_t most = 4;
  for (std::size_t i = 0; i < std::min(most, repairs.size()); ++i)
    out += repair_text(work, repairs[i], style);
  return out;
}

double rate_of(const KnownGpu& gpu) {
  return std::min(model::pageable, gpu.architecture->link);
}

}  // namespace

std::string explanation_text(const Explained& explained, const KnownGpu& gpu, const Style& style) {
  std::string out;
  double kernels = 0, launches = 0;
  for (const KernelWork& work : explained.works) {
    const Prediction p = predict(work, gpu);
    kernels += work.launches * p.seconds;
    launches += work.launches;
  }
  std::vector<const KernelWork*> order;
  for (const KernelWork& work : explained.works) order.push_back(&work);
  std::stable_sort(order.begin(), order.end(), [&](const KernelWork* a, const KernelWork* b) {
    return a->launches * predict(*a, gpu).seconds > b->launches * predict(*b, gpu).seconds;
  });
  for (const KernelWork* work : order) out += work_text(*work, gpu, style) + "\n";

  const double between = (launches - 1) * model::between_s;
  const Copies& copies = explained.copies;
  const double copied = (copies.to_device + copies.to_host) / rate_of(gpu) + copies.count * model::copy_s;
  out += wrap(fmt::format(
                  "In all: {} in kernels, {} between their launches{}.", time_of(kernels), time_of(between),
                  copies.count == 0
                      ? ""
                      : fmt::format(", {} in {}", time_of(copied),
                                    how_many(static_cast<std::uint64_t>(copies.count), "copy", "copies"))),
              style.width) +
         "\n";
  if (between > kernels)
    out += wrap("Launching takes longer than the kernels: fewer launches, each with more work, are faster.",
                style.width) +
           "\n";
  if (copied > kernels + between)
    out += wrap(fmt::format("Copying takes {} of the whole: data that stay on the device between kernels, or "
                            "pinned memory ({}), are faster.",
                            percent(copied / (kernels + between + copied)),
                            value_text(gpu.architecture->link, "B/s")),
                style.width) +
           "\n";
  std::string others;
  for (const KnownGpu& other : gpus()) {
    if (other.device == gpu.device) continue;
    double seconds = 0;
    for (const KernelWork& work : explained.works) seconds += work.launches * predict(work, other).seconds;
    others += fmt::format("{}{} {}", others.empty() ? "" : ", ", other.device->name, time_of(seconds));
  }
  out += wrap("The kernels on other GPUs: " + others + ".", style.width) + "\n\n";
  out += wrap(fmt::format(
                  "This is a prediction. {}The arithmetic is that of the emulation's machine code. {} Copies "
                  "run at {}, as "
                  "from memory that is not pinned. The model does not know what nvcc joins, unrolls or "
                  "predicates, nor "
                  "waits of blocks for each other.",
                  std::any_of(explained.works.begin(), explained.works.end(),
                              [](const KernelWork& work) { return work.is_sampled(); })
                      ? "The first block, the last and others at equal distances ran, and count for all. "
                      : "",
                  explained.registers_known ? "nvcc gives the registers."
                                            : "A thread is taken to have 32 registers.",
                  value_text(rate_of(gpu), "B/s")),
              style.width) +
         "\n";
  return out;
}

}  // namespace grader
