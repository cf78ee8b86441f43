// genetic.cu: sets of points evolve: the command line, devices and their memory, the phases, times, the output.
//
//      generation            P
//      each generation:      mutation   P → Q, exchange       evaluation   P → keys       selection   keys, sorted
//                            end?                             reproduction P               migration  from island to island
//
// An island has a population, a stream and a device; several islands may share a device. The evolution does
// not depend on the number of devices.
//
// Run it:  grader lab5.2                                     builds it, grades it, explains what is wrong
//          genetic 4096 1024 10 --version block              alone; tests itself
//          genetic --parameters genes.txt                    parameters from a file, lines like SETS = 4096
#include <lab/frames.hpp>
#include <lab/lab.hpp>
#include <lab/parameter_file.hpp>

#include <memory>

#include "archipelago.h"
#include "genetic.h"

namespace {

#ifdef __CUEMU__  // a CPU takes a second for a GPU's tenth of a millisecond
constexpr const char* DEFAULT_SETS = "64";
constexpr const char* DEFAULT_POINTS = "24";
constexpr const char* DEFAULT_GENERATIONS = "20";
#else
constexpr const char* DEFAULT_SETS = "4096";
constexpr const char* DEFAULT_POINTS = "1024";
constexpr const char* DEFAULT_GENERATIONS = "1200";
#endif

// ----------------------------------------------------------------------------------------------------- versions

struct NamedVersion {
  const char* name;
  void (*generate)(const Population&, cudaStream_t);
  void (*mutate)(Population&, int generation, cudaStream_t);
  void (*evaluate)(Population&, cudaStream_t);
  void (*reproduce)(const Population&, int generation, cudaStream_t);
};
constexpr NamedVersion versions[] = {
    {"sequential", nullptr, nullptr, nullptr, nullptr},
    {"individual", generateSets, mutateSets, evaluateSets, reproduceSets},
    {"flat", generatePoints, mutatePoints, evaluatePoints, reproducePoints},
    {"block", generateInBlocks, mutateInBlocks, evaluateInBlocks, reproduceInBlocks},
};

struct NamedSort {
  const char* name;
  void (*sort)(Population&, cudaStream_t);
};
// Sorts on the host, with the copies that this needs: the reference for the times of the device's sorts.
void sortOnHost(Population& population, cudaStream_t stream) {
  std::vector<unsigned long long> keys(static_cast<std::size_t>(population.sets));
  const std::size_t bytes = sizeof(keys[0]) * keys.size();
  CUDA_CHECK(cudaMemcpyAsync(keys.data(), population.keys, bytes, cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  std::sort(keys.begin(), keys.end());
  CUDA_CHECK(cudaMemcpyAsync(population.keys, keys.data(), bytes, cudaMemcpyHostToDevice, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
}
constexpr NamedSort sorts[] = {
    {"bitonic", sortBitonic}, {"quick", sortQuick}, {"radix", sortRadix}, {"host", sortOnHost}};

bool is(const char* name, const char* other) {
  return std::string(name) == other;
}

// The element of `named` that the option names.
template <typename Named, std::size_t count>
const Named& findNamed(const lab::Args& args, const char* option, const Named (&named)[count]) {
  std::string all;
  for (const Named& one : named) {
    if (args.text(option) == one.name) return one;
    all += std::string(all.empty() ? "" : ", ") + one.name;
  }
  args.fail(std::string("--") + option + " must be one of " + all + ", but is '" + args.text(option) + "'");
}

// --------------------------------------------------------------------------------------------------- parameters

constexpr std::int64_t most_points_of_all = 1 << 28;  // of a population

// The parameters that a file may set, and their presets. On the command line they are options of the same names; the first
// three are arguments.
const lab::Presets defaults = {{"sets", DEFAULT_SETS},
                               {"points", DEFAULT_POINTS},
                               {"generations", DEFAULT_GENERATIONS},
                               {"islands", ""},
                               {"collisions", "all"},
                               {"path", "1"},
                               {"radius", "0.02"},
                               {"step", "0.05"},
                               {"set-mutation", "0.5"},
                               {"point-mutation", "0.5"},
                               {"survival", "0.25"},
                               {"migration", "0"},
                               {"obstacles", "8"},
                               {"red-radius", "0.25"},
                               {"goal", "0"},
                               {"key", "1"},
                               {"dump", ""},
                               {"dump-ratio", "1"}};

// All parameters except the number of islands, for which the devices must be known.
lab::GeneticParameters parametersOf(const lab::Args& args) {
  lab::GeneticParameters parameters;
  parameters.sets =
      static_cast<int>(args.integer("sets", 2, lab::most_sets, "the number of a set has 16 bits in its key"));
  parameters.points = static_cast<int>(args.integer("points", 1, lab::most_points));
  if (args.text("collisions") != "all" && args.text("collisions") != "obstacles")
    args.fail("--collisions must be all or obstacles, but is '" + args.text("collisions") + "'");
  parameters.between_points = args.text("collisions") == "all";
  parameters.whole_path = args.integer("path", 0, 1) == 1;
  parameters.radius = args.real("radius", 0, 0.5);
  parameters.step = args.real("step", 0, 2);
  parameters.set_mutation = args.real("set-mutation", 0, 1);
  parameters.point_mutation = args.real("point-mutation", 0, 1);
  parameters.survival = args.real("survival", 0, 1);
  parameters.migration = static_cast<int>(args.integer("migration", 0, 1000000));
  parameters.key = static_cast<std::uint32_t>(args.integer("key", 0, 4294967295));
  return parameters;
}

std::vector<lab::Sphere> spheresOf(const lab::Args& args) {
  const int count = static_cast<int>(args.integer("obstacles", 1, lab::most_spheres));
  const double red = args.real("red-radius", 0.01, 0.9);
  if (args.inputs().empty()) {
    lab::Random random(args.seed());
    const std::vector<lab::Sphere> spheres = lab::draw_spheres(random, count, red);
    if (static_cast<int>(spheres.size()) < count)
      args.fail(
          "the red sphere leaves no room for other obstacles: choose a smaller --red-radius, or --obstacles "
          "1");
    return spheres;
  }
  const std::vector<float> rows =
      lab::load<float>(args.inputs()[0], "spheres", {static_cast<std::size_t>(count), 4});
  std::vector<lab::Sphere> spheres;
  for (std::size_t i = 0; i < rows.size(); i += 4) {
    for (std::size_t k = 0; k < 4; ++k)
      if (!(std::fabs(rows[i + k]) <= 4) || (k == 3 && rows[i + k] < 0))
        args.fail("row " + std::to_string(i / 4) + " of " + args.inputs()[0] +
                  " is no obstacle: it must be x, y and z from -4 to 4, and a radius from 0 to 4");
    spheres.push_back({rows[i], rows[i + 1], rows[i + 2], rows[i + 3]});
  }
  return spheres;
}

// Ends the program with a message about the first sizes that do not fit each other.
void checkSizes(const lab::Args& args, const NamedVersion& version, const lab::GeneticParameters& parameters,
                const std::vector<lab::Sphere>& spheres) {
  if (is(version.name, "flat") && parameters.between_points)
    args.fail(
        "--version flat moves all points at once, so that they can't be tested against each other: add "
        "--collisions obstacles");
  if (is(version.name, "block") && parameters.points > most_points_in_block)
    args.fail("points must be at most " + std::to_string(most_points_in_block) +
              " for --version block (a set lies in shared memory), but is " + args.text("points"));
  if (static_cast<std::int64_t>(parameters.sets) * parameters.points > most_points_of_all)
    args.fail(args.text("sets") + " sets of " + args.text("points") + " points are more than " +
              std::to_string(most_points_of_all) + " points, 3 GiB: choose fewer");
  const lab::World world = lab::world_of(parameters, static_cast<int>(spheres.size()));
  lab::World alone = world;
  alone.between_points = 0;
  if (lab::room_for(alone, spheres) < 0.05)
    args.fail("the obstacles leave no room for points of radius " + args.text("radius") +
              ": choose fewer or smaller ones (--obstacles, --red-radius), or a smaller --radius");
  if (lab::room_for(world, spheres) < 0.05)
    args.fail(
        args.text("points") + " points of radius " + args.text("radius") +
        " don't fit between the obstacles without touching: choose fewer points, a smaller --radius, or "
        "--collisions obstacles");
}

// The devices to which islands are assigned.
int devicesOf(const lab::Args& args) {
  int there = 0;
  CUDA_CHECK(cudaGetDeviceCount(&there));
  if (!args.has("devices")) return there;
  const int wanted = static_cast<int>(args.integer("devices", 1, 1024));
  if (wanted > there)
    args.fail(
        "--devices " + args.text("devices") + " asks for more devices than there are (" +
        std::to_string(there) +
        "). Leave it out to use all of them, and look at CUDA_VISIBLE_DEVICES (in emulation: CUEMU_DEVICES)");
  return wanted;
}

// ---------------------------------------------------------------------------------------------------------- runs

// How far a run goes, and its dump.
struct Plan {
  int generations = 0;
  lab::Phase after = lab::Phase::end;
  unsigned long long goal = 0;  // of lab::goal_score
  std::string dump;             // file; empty: none
  int ratio = 1;                // generations from frame to frame
  bool phases = false;          // is each phase timed? Then all islands wait for each other after each phase
};

// A dump of the best sets of all islands.
class BestSets {
 public:
  BestSets(const Plan& plan, const lab::GeneticParameters& parameters,
           const std::vector<lab::Sphere>& spheres) {
    if (plan.dump.empty()) return;
    lab::FramesHead head;
    head.points = static_cast<std::uint32_t>(parameters.points * parameters.islands);
    head.groups = static_cast<std::uint32_t>(parameters.islands);
    head.frames = static_cast<std::uint32_t>(plan.generations / plan.ratio);
    for (int axis = 0; axis < 3; ++axis) head.low[axis] = -1;
    head.radius = static_cast<float>(parameters.radius);
    head.seconds = 1.0f / 30;
    head.goal = true;  // the first sphere is the sets' goal
    for (const lab::Sphere& s : spheres)
      head.obstacles.insert(head.obstacles.end(), {s.x, s.y, s.z, s.radius});
    file_ = std::make_unique<lab::FramesWriter>(plan.dump, head);
  }
  bool wanted() const { return file_ != nullptr; }
  void add(const std::vector<lab::Point>& points) {
    std::vector<std::uint16_t> frame;
    for (const lab::Point& p : points)
      for (const float x : {p.x, p.y, p.z}) frame.push_back(lab::quantised(x, -1, 65535.0f / 2));
    file_->add(frame.data());
  }
  void finish() {
    if (file_) file_->finish();
  }

 private:
  std::unique_ptr<lab::FramesWriter> file_;
};

// A stopwatch for each phase.
struct Stopwatches {
  lab::Timer first, all, mutation, evaluation, selection, reproduction;
};

// Generations on the devices. @return how many
int evolve(Archipelago& archipelago, const NamedVersion& version, const NamedSort& sort,
           const lab::GeneticParameters& parameters, const Plan& plan, BestSets& dump, Stopwatches& times) {
  // A phase on all islands. The host waits for its end only if phases are timed.
  const auto phase = [&](lab::Timer& timer, auto work) {
    if (plan.phases) timer.start();
    archipelago.onEach([&](Island& island, std::size_t) { work(island.population, island.stream); });
    if (!plan.phases) return;
    archipelago.wait();
    timer.stop();
  };
  times.first.start();
  archipelago.onEach(
      [&](Island& island, std::size_t) { version.generate(island.population, island.stream); });
  if (!archipelago.generated())
    lab::usage_error(
        "genetic: in " + std::to_string(lab::most_attempts) +
        " attempts a point found no place: choose fewer points, a smaller --radius, or fewer obstacles.");
  times.first.stop();
  int done = 0;
  times.all.start();
  for (int generation = 1; generation <= plan.generations && plan.after != lab::Phase::generation;
       ++generation) {
    const bool last = generation == plan.generations;
    done = generation;
    if (parameters.set_mutation > 0)
      phase(times.mutation,
            [&](Population& p, cudaStream_t stream) { version.mutate(p, generation, stream); });
    if (last && plan.after == lab::Phase::mutation) break;
    phase(times.evaluation, [&](Population& p, cudaStream_t stream) { version.evaluate(p, stream); });
    if (last && plan.after == lab::Phase::evaluation) break;
    phase(times.selection, [&](Population& p, cudaStream_t stream) { sort.sort(p, stream); });
    archipelago.noteBest(generation);
    const bool reached = plan.goal > 0 && archipelago.bestScore(generation) <= plan.goal;
    if (dump.wanted() && (reached || generation % plan.ratio == 0)) dump.add(archipelago.bestSets());
    if (reached) break;
    if (last && (plan.after < lab::Phase::reproduction || plan.after == lab::Phase::end)) break;
    phase(times.reproduction,
          [&](Population& p, cudaStream_t stream) { version.reproduce(p, generation, stream); });
    if (last && plan.after == lab::Phase::reproduction) break;
    if (parameters.migrates(generation)) migrate(archipelago.islands());
  }
  archipelago.wait();
  times.all.stop();
  dump.finish();
  return done;
}

void printPhase(const char* name, double ms, double sequential_ms) {
  lab::print_time(name, ms);
  lab::print_time(std::string(name) + ", sequential", sequential_ms);
  if (ms > 0) std::printf("%s, speed-up: %.2f\n", name, sequential_ms / ms);
}

// Prints the times. Then writes the result for the grader, which compares it with its own, or tests the result.
int finish(const lab::Args& args, const lab::GeneticParameters& parameters,
           const std::vector<lab::Sphere>& spheres, const Plan& plan, int generations,
           const Stopwatches& times, const Result& result) {
  const PhaseTimes sequential = sequentialTimes(parameters, spheres);
  const double each = generations > 0 ? 1.0 / generations : 0, ms = times.all.ms() * each;
  const double sequential_ms = parameters.islands * sequential.of_a_generation();
  if (plan.phases) {
    printPhase("Generation", times.first.ms(), parameters.islands * sequential.generation);
    printPhase("Mutation", times.mutation.ms() * each, parameters.islands * sequential.mutation);
    printPhase("Evaluation", times.evaluation.ms() * each, parameters.islands * sequential.evaluation);
    printPhase("Selection", times.selection.ms() * each, parameters.islands * sequential.selection);
    printPhase("Reproduction", times.reproduction.ms() * each, parameters.islands * sequential.reproduction);
  }
  lab::print_time("First generation", times.first.ms());
  lab::print_time("Time per generation", ms);
  lab::print_time("Sequential program", sequential_ms);
  if (ms > 0) std::printf("Speed-up: %.2f\n", sequential_ms / ms);
  lab::print_time("Whole run", times.first.ms() + times.all.ms());
  std::printf("Generations: %d\n", generations);
  if (!result.history.empty()) {
    const auto last = result.history.end() - parameters.islands;
    std::printf("Best set: its points are %.4f from the origin, the red sphere's radius is %.4f\n",
                lab::mean_distance(*std::min_element(last, result.history.end()), parameters.points),
                static_cast<double>(spheres[0].radius));
  }
  if (!args.output().empty()) {
    const lab::ResultRows rows =
        lab::result_rows(plan.after, plan.generations, result.islands, result.history);
    lab::save(args.output(), {rows.rows, rows.columns}, rows.values);
    return lab::finish(true);
  }
  if (plan.after != lab::Phase::end) return lab::finish(true);
  const bool passed = checkEvolution(parameters, spheres, generations, result);
  std::printf("Check ok? %s\n", passed ? "Passed." : "Failed.");
  return lab::finish(passed);
}

int runOnHost(const lab::Args& args, const lab::GeneticParameters& parameters,
              const std::vector<lab::Sphere>& spheres, Plan plan) {
  plan.phases = false;
  Stopwatches times;
  times.all.start();
  lab::SequentialEvolution evolution(parameters, spheres);
  Result result;
  result.history = evolution.run(plan.generations, plan.after, plan.goal);
  times.all.stop();
  result.islands = evolution.islands();
  const int generations = static_cast<int>(result.history.size()) / parameters.islands;
  return finish(args, parameters, spheres, plan, generations, times, result);
}

}  // namespace

int main(int argc, char** argv) {
  const lab::Presets presets = lab::with_parameter_file(argc, argv, defaults);
  const auto preset = [&](const char* name) { return presets.at(name); };
  lab::Args args("genetic", "sets of points evolve towards a sphere, between obstacles");
  args.argument("sets", "of a population", preset("sets"));
  args.argument("points", "of a set", preset("points"));
  args.argument("generations", "at most", preset("generations"));
  args.option("version", "V", "sequential, individual, flat or block", "individual");
  args.option("sort", "S", "bitonic, quick, radix or host", "bitonic");
  args.option("islands", "I", "populations [one for each device]", preset("islands"));
  args.option("devices", "D", "that are used, at most [all]", "");
  args.option("migration", "G", "the best sets go to the next island after every G generations; 0: never",
              preset("migration"));
  args.option("collisions", "C", "all: between points too; obstacles: with these alone",
              preset("collisions"));
  args.option("path", "0|1", "is the whole way of a move tested?", preset("path"));
  args.option("radius", "R", "of a point; the world goes from -1 to 1", preset("radius"));
  args.option("step", "S", "longest move", preset("step"));
  args.option("set-mutation", "P", "probability that a set mutates", preset("set-mutation"));
  args.option("point-mutation", "P", "probability that a point of such a set moves",
              preset("point-mutation"));
  args.option("survival", "S", "share of the sets that survive", preset("survival"));
  args.option("obstacles", "K", "spheres, with the red one", preset("obstacles"));
  args.option("red-radius", "R", "of the red sphere, at the origin", preset("red-radius"));
  args.option("goal", "D", "end when the best set is so near to the red sphere; 0: never", preset("goal"));
  args.option("key", "K", "of the random numbers", preset("key"));
  args.option("dump", "FILE", "write the best sets to a file of frames", preset("dump"));
  args.option("dump-ratio", "K", "a frame after every K generations", preset("dump-ratio"));
  args.option("after", "PHASE", "end the last generation after a phase", "end");
  args.flag("phases", "time each phase");
  args.option("parameters", "FILE", "read parameters from a file: lines like SETS = 4096", "");
  args.reads({"spheres"}).writes("result").parse(argc, argv);

  lab::GeneticParameters parameters = parametersOf(args);
  const NamedVersion& version = findNamed(args, "version", versions);
  const NamedSort& sort = findNamed(args, "sort", sorts);
  const std::vector<lab::Sphere> spheres = spheresOf(args);
  checkSizes(args, version, parameters, spheres);
  Plan plan;
  plan.generations = static_cast<int>(args.integer("generations", 0, 1000000));
  plan.goal =
      lab::goal_score(args.real("goal", 0, 4), static_cast<double>(spheres[0].radius), parameters.points);
  plan.dump = args.text("dump");
  plan.ratio = static_cast<int>(args.integer("dump-ratio", 1, 1000000));
  plan.phases = args.has("phases");
  if (!lab::find_phase(args.text("after"), plan.after))
    args.fail(
        "--after must be generation, mutation, evaluation, selection, reproduction, migration or end, but is "
        "'" +
        args.text("after") + "'");
  if (!plan.dump.empty() && plan.ratio > plan.generations)
    args.fail("a dump with a frame after every " + args.text("dump-ratio") +
              " generations (--dump-ratio) needs so many at least, but there are " +
              args.text("generations"));
  const bool on_host = is(version.name, "sequential");
  if (!plan.dump.empty() && on_host) args.fail("--version sequential has no dump");
  const int devices = on_host ? 1 : devicesOf(args);
  parameters.islands = args.has("islands") ? static_cast<int>(args.integer("islands", 1, 64)) : devices;
  if (on_host) return runOnHost(args, parameters, spheres, plan);

  std::printf("%s, %s: %d %s on %d of %d %s, %d sets of %d points\n", version.name, sort.name,
              parameters.islands, parameters.islands == 1 ? "island" : "islands",
              std::min(devices, parameters.islands), devices, devices == 1 ? "device" : "devices",
              parameters.sets, parameters.points);
  if (is(sort.name, "quick") && parameters.sets > 8192) {
    for (int device = 0; device < devices; ++device) {
      CUDA_CHECK(cudaSetDevice(device));
      setLaunches(parameters.sets / 4);
    }
  }
  int code = 0;
  {
    Archipelago archipelago(parameters, spheres, std::min(devices, parameters.islands), plan.generations,
                            is(sort.name, "radix") ? radixBytes(parameters.sets) : 0);
    BestSets dump(plan, parameters, spheres);
    Stopwatches times;
    const int generations = evolve(archipelago, version, sort, parameters, plan, dump, times);
    if (is(sort.name, "quick"))
      archipelago.onEach([](Island&, std::size_t) {
        lab::check_cuda(static_cast<cudaError_t>(dynamicError()), "launch from a kernel", "quick.cu", 0);
      });
    // A run that ends before the selection has no best set in its last generation.
    const bool selected = plan.after >= lab::Phase::selection;
    const Result result = archipelago.result(generations - (selected || generations == 0 ? 0 : 1));
    code = finish(args, parameters, spheres, plan, generations, times, result);
  }
  return code;
}
