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
  return fmt::format("{:.0f} %", share * 100);
}

std::string rounded(double number) {
  return value_text(number, "1");
}

/// What to change, by the limit that binds.
const char* advice(Limit limit) {
  switch (limit) {
    case Limit::issue: return "It issues too many instructions: let each thread do more with an address, a condition or a load.";
    case Limit::fp32:
    case Limit::fp64:
    case Limit::integer: return "Its arithmetic binds it, which is as it should be: only fewer operations are faster.";
    case Limit::special: return "Divisions, roots and exponentials bind it: fewer of them, or their fast versions, are faster.";
    case Limit::turns: return "Its accesses bind it: each load should serve more arithmetic, by lanes side by side, wider loads, or registers.";
    case Limit::l2: return "It loads the same data in many blocks: larger tiles load them less often.";
    case Limit::dram: return "It moves its data at the memory's rate: only fewer bytes are faster.";
    case Limit::atomics: return "Its lanes wait for each other at one address: add up in registers or in shared memory first.";
    case Limit::begin: return "Its blocks are so short that beginning them binds it: let each do more.";
    case Limit::latency: return "Its warps wait: more warps on a multiprocessor, more blocks, or independent loads side by side hide it.";
    case Limit::launch: return "It does so little that its launch takes longest: do more in one launch.";
  }
  return "";
}

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

std::string roofline_text(const Work& work, const Prediction& p, const KnownGpu& gpu) {
  const double flops = work.mix.flops * 32 * work.scale();
  if (flops == 0) return "";
  const double peak = 2 * (work.mix.fp64 > work.mix.fp32 ? gpu.architecture->fp64 : gpu.architecture->fp32) *
                      gpu.multiprocessors() * gpu.clock();
  const double bytes = p.in_l2 ? p.l2_bytes : p.dram_bytes;
  const double rate = p.in_l2 ? gpu.architecture->l2_total * gpu.clock() : gpu.dram();
  if (bytes == 0) return "";
  const double roof = std::min(peak, flops / bytes * rate);
  return fmt::format("  roofline: {} operations for a byte of {}; the roof there is {}, and it reaches {} of it ({})\n",
                     rounded(flops / bytes), p.in_l2 ? "the L2 cache" : "device memory", value_text(roof, "FLOP/s"),
                     percent(flops / p.seconds / roof), value_text(flops / p.seconds, "FLOP/s"));
}

std::string repair_text(const Work& work, const Repair& repair, const Style& style) {
  std::string text = fmt::format("{} saves {} of {} {}: {} of the time.", repair.change, rounded(repair.saved),
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

std::string work_text(const Work& work, const KnownGpu& gpu, const Style& style) {
  const Prediction p = predict(work, gpu);
  std::string out = style.strong(fmt::format("{}: {}", printable(work.kernel), time_of(p.seconds))) +
                    fmt::format(" ({} to {})", time_of(p.lowest), time_of(p.highest)) +
                    (work.launches > 1 ? fmt::format(", {} times", static_cast<long>(work.launches)) : "") + "\n";
  out += fmt::format("  {} of {} threads; occupancy {} ({})\n",
                     how_many(static_cast<std::uint64_t>(work.blocks), "block"), work.threads,
                     percent(p.occupancy.share), p.occupancy.limit);
  out += "  " + wrap(fmt::format("{} binds: {}", style.strong(name_of(p.binds)), advice(p.binds)), style.width, 2) + "\n";
  out += limits_text(p, style) + roofline_text(work, p, gpu);
  const std::vector<Repair> repairs = repairs_of(work, gpu);
  if (!repairs.empty()) out += "  what would help:\n";
  constexpr std::size_t most = 4;
  for (std::size_t i = 0; i < std::min(most, repairs.size()); ++i) out += repair_text(work, repairs[i], style);
  return out;
}

double rate_of(const KnownGpu& gpu) {
  return std::min(model::pageable, gpu.architecture->link);
}

}  // namespace

std::string explanation_text(const Explained& explained, const KnownGpu& gpu, const Style& style) {
  std::string out;
  double kernels = 0, launches = 0;
  for (const Work& work : explained.works) {
    const Prediction p = predict(work, gpu);
    kernels += work.launches * p.seconds;
    launches += work.launches;
  }
  std::vector<const Work*> order;
  for (const Work& work : explained.works) order.push_back(&work);
  std::stable_sort(order.begin(), order.end(), [&](const Work* a, const Work* b) {
    return a->launches * predict(*a, gpu).seconds > b->launches * predict(*b, gpu).seconds;
  });
  for (const Work* work : order) out += work_text(*work, gpu, style) + "\n";

  const double between = launches * model::between_s;
  const Copies& copies = explained.copies;
  const double in = copies.to_device / rate_of(gpu), back = copies.to_host / rate_of(gpu);
  out += fmt::format("On an {}: kernels {}, launching them {}, copies {} to it and {} back.\n", gpu.device->name,
                     time_of(kernels), time_of(between), time_of(in), time_of(back));
  const double largest = std::max({kernels, between, in + back});
  if (largest == between)
    out += wrap("The launches take longest: fewer launches, each with more work, are faster.", style.width) + "\n";
  else if (largest == in + back)
    out += wrap(fmt::format("The copies take longest: {} of the whole. Data that stay on the device between kernels, or pinned "
                            "memory ({}), are faster.",
                            percent((in + back) / (kernels + between + in + back)),
                            value_text(gpu.architecture->link, "B/s")),
                style.width) + "\n";
  std::string others;
  for (const KnownGpu& other : gpus()) {
    double seconds = 0;
    for (const Work& work : explained.works) seconds += work.launches * predict(work, other).seconds;
    others += fmt::format("{}{} {}", others.empty() ? "" : ", ", other.device->name, time_of(seconds));
  }
  out += wrap("Kernels on the GPUs that are known: " + others + ".", style.width) + "\n\n";
  out += wrap(fmt::format("A prediction, not a measurement: {}its arithmetic is that of the emulation's machine code, 32 registers for a "
                          "thread are assumed, and copies run at {} as from memory that is not pinned. It doesn't know what nvcc "
                          "joins, unrolls or predicates, nor waits of blocks for each other.",
                          explained.sampled ? "some blocks of each launch ran (the first, the last, and others at equal distances), and count for all; " : "",
                          value_text(rate_of(gpu), "B/s")),
              style.width) + "\n";
  return out;
}

}  // namespace grader
