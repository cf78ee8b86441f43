// cuFFT on FFTW: plans of one to three dimensions, in batches and with strides.
//
// When a transform first runs in a direction, in place or not, FFTW creates a plan of its own on the
// libraries' thread. The cuFFT plan stores FFTW's plan. An out-of-place transform to real numbers does not
// change its input in cuFFT, but does in FFTW. So FFTW gets a copy of the input.
//
// Callbacks are device code of the user. The kernel's thread calls them for each element of a side. The load
// callback fills a buffer with the layout of the input, which FFTW then reads. The store callback receives
// the values from a buffer that FFTW has written.
#include "cufft.h"

#include "cufftXt.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "operation.hpp"

namespace cuemu::cufft {

namespace {

using library::Access;
using library::Call;
using library::Uses;

/// The functions of FFTW for one precision; their prefixes depend on the precision.
struct Fftw {
  const char* file;
  const char* package;
  std::string prefix;
  std::size_t real_bytes;

  bool is_present() const { return library::is_present(file, "cuFFT", package); }
  template <class Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(library::find_function(file, prefix + name));
  }
};
const Fftw& fftw_of(cufftType type) {
  static const Fftw* const single = new Fftw{"libfftw3f.so.3", "libfftw3-single3", "fftwf_", sizeof(float)};
  static const Fftw* const twice = new Fftw{"libfftw3.so.3", "libfftw3-double3", "fftw_", sizeof(double)};
  return type == CUFFT_C2C || type == CUFFT_R2C || type == CUFFT_C2R ? *single : *twice;
}
bool is_known(cufftType type) {
  for (const cufftType one : {CUFFT_C2C, CUFFT_R2C, CUFFT_C2R, CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D})
    if (one == type) return true;
  return false;
}
bool takes_reals(cufftType type) {
  return type == CUFFT_R2C || type == CUFFT_D2Z;
}
bool gives_reals(cufftType type) {
  return type == CUFFT_C2R || type == CUFFT_Z2D;
}

/// One side of a transform.
struct Side {
  bool real = false;
  std::vector<int> size;   ///< elements in each dimension
  std::vector<int> embed;  ///< of the memory that holds them; the first does not matter
  int stride = 1, distance = 0;

  /// Elements from the first element of one transform to the end of the last.
  std::size_t extent() const {
    std::size_t last = 0;
    for (std::size_t d = 0; d < size.size(); ++d)
      last = last * static_cast<std::size_t>(embed[d]) + static_cast<std::size_t>(size[d] - 1);
    return last * static_cast<std::size_t>(stride) + 1;
  }
  /// Whether no memory lies between the elements of a transform.
  bool is_dense() const {
    std::size_t elements = 1;
    for (const int one : size) elements *= static_cast<std::size_t>(one);
    return elements == extent();
  }
};

/// A plan of FFTW.
struct Prepared {
  void* plan = nullptr;
  const Fftw* fftw;
  explicit Prepared(const Fftw& of) : fftw(&of) {}
  Prepared(const Prepared&) = delete;
  ~Prepared();
};
/// Locks FFTW's planner, since FFTW can create or destroy only one plan at a time.
std::mutex& planner() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}
Prepared::~Prepared() {
  const std::lock_guard<std::mutex> lock(planner());
  if (plan != nullptr) fftw->function<void(void*)>("destroy_plan")(plan);
}

/// A function of the user, and its additional argument.
struct Callback {
  void* function = nullptr;
  void* info = nullptr;
  std::size_t shared_bytes = 0;
};
/// Calls a callback for one element, which is at `offset` in the side's memory and at `element` in a buffer.
using EachElement = void (*)(const Callback&, void* memory, std::size_t offset, void* element, void* shared);
template <class Load, class Element>
void load_element(const Callback& callback, void* memory, std::size_t offset, void* element, void* shared) {
  *static_cast<Element*>(element) =
      reinterpret_cast<Load>(callback.function)(memory, offset, callback.info, shared);
}
template <class Store, class Element>
void store_element(const Callback& callback, void* memory, std::size_t offset, void* element, void* shared) {
  reinterpret_cast<Store>(callback.function)(memory, offset, *static_cast<const Element*>(element),
                                             callback.info, shared);
}
/// Indexed by CUFFT_CB_….
constexpr EachElement each_element[] = {
    load_element<cufftCallbackLoadC, cufftComplex>,   load_element<cufftCallbackLoadZ, cufftDoubleComplex>,
    load_element<cufftCallbackLoadR, cufftReal>,      load_element<cufftCallbackLoadD, cufftDoubleReal>,
    store_element<cufftCallbackStoreC, cufftComplex>, store_element<cufftCallbackStoreZ, cufftDoubleComplex>,
    store_element<cufftCallbackStoreR, cufftReal>,    store_element<cufftCallbackStoreD, cufftDoubleReal>};

struct Plan {
  bool made = false;
  cufftType type = CUFFT_C2C;
  std::vector<int> n;
  int batch = 1;
  Side in, out;        ///< the sides of a transform that is not in place
  Side in_place;       ///< the real side of an in-place transform: padded to its complex side
  bool dense = false;  ///< whether no layout was given
  cudaStream_t stream = nullptr;
  Callback load, store;
  std::map<std::pair<int, bool>, std::unique_ptr<Prepared>> prepared;  ///< by direction, and whether in place

  std::size_t bytes(const Side& side) const { return fftw_of(type).real_bytes * (side.real ? 1 : 2); }
  /// Returns the bytes from the first element of all transforms to the end of the last one.
  std::size_t memory(const Side& side) const {
    return bytes(side) *
           (static_cast<std::size_t>(batch - 1) * static_cast<std::size_t>(side.distance) + side.extent());
  }
  const Side& input(bool placed) const { return placed && in.real && dense ? in_place : in; }
  const Side& output(bool placed) const { return placed && out.real && dense ? in_place : out; }

  void use(Uses& uses, const char* name, const void* at, const Side& side, Access access) const {
    if (side.is_dense())
      uses.matrix(name, at, bytes(side), side.extent(), static_cast<std::size_t>(batch),
                  batch == 1 ? side.extent() : static_cast<std::size_t>(side.distance), access);
    else
      uses.storage(name, at, memory(side), access);
  }

  /// Returns the type that a callback for this side must have.
  cufftXtCallbackType callback_type(bool of_output) const {
    const bool real = of_output ? gives_reals(type) : takes_reals(type);
    const int type_of = (of_output ? CUFFT_CB_ST_COMPLEX : CUFFT_CB_LD_COMPLEX) + (real ? 2 : 0) +
                        (fftw_of(type).real_bytes == sizeof(double) ? 1 : 0);
    return static_cast<cufftXtCallbackType>(type_of);
  }
  /// Calls `visit(offset)` for each element of a side, in all transforms.
  template <class Visit>
  void each_offset(const Side& side, const Visit& visit) const {
    std::size_t elements = 1;
    for (const int one : side.size) elements *= static_cast<std::size_t>(one);
    for (int b = 0; b < batch; ++b)
      for (std::size_t element = 0; element < elements; ++element) {
        std::size_t offset = 0, row = 1, rest = element;
        for (std::size_t d = side.size.size(); d-- > 0;) {
          const auto size = static_cast<std::size_t>(side.size[d]);
          offset += rest % size * row;
          rest /= size;
          row *= static_cast<std::size_t>(side.embed[d]);
        }
        visit(static_cast<std::size_t>(b) * static_cast<std::size_t>(side.distance) +
              offset * static_cast<std::size_t>(side.stride));
      }
  }
  /// Calls a side's callback for all elements. It copies between the user's memory and a buffer.
  void call(const Callback& callback, bool of_output, const Side& side, void* memory, unsigned char* buffer,
            unsigned char* shared) const {
    const EachElement each = each_element[callback_type(of_output)];
    each_offset(side, [&](std::size_t offset) {
      each(callback, memory, offset, buffer + offset * bytes(side), shared);
    });
  }

  void* prepare(int direction, bool placed, void* from, void* to);
  void run(int direction, void* from, void* to);
  library::Operation with_callbacks(const std::shared_ptr<Plan>& self, int direction, void* from, void* to);
};

/// Runs on the libraries' thread. FFTW reads no elements, since it only estimates costs.
void* Plan::prepare(int direction, bool placed, void* from, void* to) {
  constexpr unsigned destroy_input = 1, unaligned = 2, preserve_input = 16, estimate = 64;
  const Fftw& fftw = fftw_of(type);
  std::unique_ptr<Prepared>& kept = prepared[{direction, placed}];
  if (kept != nullptr) return kept->plan;
  kept = std::make_unique<Prepared>(fftw);
  const std::lock_guard<std::mutex> lock(planner());
  const Side &a = input(placed), &b = output(placed);
  const int rank = static_cast<int>(n.size());
  using Many =
      void*(int, const int*, int, void*, const int*, int, int, void*, const int*, int, int, unsigned);
  using ManyOneWay =
      void*(int, const int*, int, void*, const int*, int, int, void*, const int*, int, int, int, unsigned);
  if (takes_reals(type))
    kept->plan = fftw.function<Many>("plan_many_dft_r2c")(rank, n.data(), batch, from, a.embed.data(),
                                                          a.stride, a.distance, to, b.embed.data(), b.stride,
                                                          b.distance, unaligned | estimate | preserve_input);
  else if (gives_reals(type))
    kept->plan = fftw.function<Many>("plan_many_dft_c2r")(rank, n.data(), batch, from, a.embed.data(),
                                                          a.stride, a.distance, to, b.embed.data(), b.stride,
                                                          b.distance, unaligned | estimate | destroy_input);
  else
    kept->plan = fftw.function<ManyOneWay>("plan_many_dft")(
        rank, n.data(), batch, from, a.embed.data(), a.stride, a.distance, to, b.embed.data(), b.stride,
        b.distance, direction, unaligned | estimate | preserve_input);
  return kept->plan;
}

void Plan::run(int direction, void* from, void* to) {
  const bool placed = from == to;
  std::vector<unsigned char> copy;
  if (gives_reals(type) && !placed) {
    copy.resize(memory(in));
    std::memcpy(copy.data(), from, copy.size());
    from = copy.data();
  }
  void* const plan = prepare(direction, placed, from, to);
  if (plan == nullptr) throw std::runtime_error("FFTW has no plan for this layout");
  const char* const execute = takes_reals(type)   ? "execute_dft_r2c"
                              : gives_reals(type) ? "execute_dft_c2r"
                                                  : "execute_dft";
  fftw_of(type).function<void(void*, void*, void*)>(execute)(plan, from, to);
}

/// Makes a transform with buffers. Callbacks copy between the user's memory and the buffers. An in-place
/// transform has a single buffer.
library::Operation Plan::with_callbacks(const std::shared_ptr<Plan>& self, int direction, void* from,
                                        void* to) {
  struct Buffers {
    std::vector<unsigned char> in, out, shared;
    Callback load, store;
  };
  const auto kept = std::make_shared<Buffers>();
  kept->load = load;
  kept->store = store;
  kept->shared.resize(std::max<std::size_t>({load.shared_bytes, store.shared_bytes, 1}));
  const bool placed = from == to;
  const bool loads = load.function != nullptr, stores = store.function != nullptr;
  if (loads || placed) kept->in.resize(memory(input(placed)));
  if (placed)
    kept->in.resize(std::max(kept->in.size(), memory(output(placed))));
  else if (stores)
    kept->out.resize(memory(output(placed)));
  void* const source = loads || placed ? kept->in.data() : from;
  void* const target = placed ? kept->in.data() : stores ? kept->out.data() : to;

  library::Operation operation;
  if (loads)
    operation.before = [=] {
      self->call(kept->load, false, self->input(placed), from, static_cast<unsigned char*>(source),
                 kept->shared.data());
    };
  operation.work = [=] {
    if (placed && !loads) std::memcpy(source, from, self->memory(self->input(placed)));
    self->run(direction, source, target);
    if (!placed || stores) return;
    const Side& side = self->output(placed);
    self->each_offset(side, [&](std::size_t offset) {
      const std::size_t at = offset * self->bytes(side);
      std::memcpy(static_cast<unsigned char*>(to) + at, static_cast<unsigned char*>(target) + at,
                  self->bytes(side));
    });
  };
  if (stores)
    operation.after = [=] {
      self->call(kept->store, true, self->output(placed), to, static_cast<unsigned char*>(target),
                 kept->shared.data());
    };
  return operation;
}

// ---- Handles

struct Plans {
  std::mutex mutex;
  std::map<cufftHandle, std::shared_ptr<Plan>> all;
  cufftHandle next = 1;
  static Plans& get() {
    static auto* const plans = new Plans;
    return *plans;
  }
  std::shared_ptr<Plan> find(cufftHandle handle) {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto found = all.find(handle);
    return found != all.end() ? found->second : nullptr;
  }
};

cufftResult create(cufftHandle* handle) {
  if (handle == nullptr) return CUFFT_INVALID_VALUE;
  Plans& plans = Plans::get();
  const std::lock_guard<std::mutex> lock(plans.mutex);
  *handle = plans.next++;
  plans.all[*handle] = std::make_shared<Plan>();
  return CUFFT_SUCCESS;
}
cufftResult destroy(cufftHandle handle) {
  Plans& plans = Plans::get();
  const std::lock_guard<std::mutex> lock(plans.mutex);
  return plans.all.erase(handle) > 0 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

/// Returns the dense layout of a side.
Side dense_side(const std::vector<int>& n, bool real, bool halved) {
  Side side;
  side.real = real;
  side.size = n;
  if (halved) side.size.back() = n.back() / 2 + 1;
  side.embed = side.size;
  side.distance = 1;
  for (const int one : side.size) side.distance *= one;
  return side;
}

/// Stores the caller's layout. @param embed null: the layout is dense
bool lay_out(Side& side, const long long* embed, long long stride, long long distance, long long batch) {
  if (embed == nullptr) return true;
  for (std::size_t d = 0; d < side.size.size(); ++d) {
    if (embed[d] < 1 || embed[d] > INT32_MAX) return false;
    side.embed[d] = static_cast<int>(embed[d]);
  }
  if (stride < 1 || stride > INT32_MAX || distance < (batch > 1 ? 1 : 0) || distance > INT32_MAX)
    return false;
  side.stride = static_cast<int>(stride);
  side.distance = static_cast<int>(distance);
  return true;
}

cufftResult make(cufftHandle handle, const std::vector<long long>& n, const long long* inembed,
                 long long istride, long long idist, const long long* onembed, long long ostride,
                 long long odist, cufftType type, long long batch, std::size_t* work) {
  const std::shared_ptr<Plan> found = Plans::get().find(handle);
  if (found == nullptr || found->made) return CUFFT_INVALID_PLAN;
  Plan& plan = *found;
  if (!is_known(type)) return CUFFT_INVALID_TYPE;
  if (work == nullptr) return CUFFT_INVALID_VALUE;
  if (n.empty() || n.size() > 3 || batch < 1 || batch > INT32_MAX) return CUFFT_INVALID_SIZE;
  plan.n.clear();
  for (const long long one : n) {
    if (one < 1 || one > INT32_MAX) return CUFFT_INVALID_SIZE;
    plan.n.push_back(static_cast<int>(one));
  }
  if (!fftw_of(type).is_present()) return CUFFT_SETUP_FAILED;
  plan.type = type;
  plan.batch = static_cast<int>(batch);
  const bool reals_in = takes_reals(type), reals_out = gives_reals(type);
  plan.in = dense_side(plan.n, reals_in, reals_out);
  plan.out = dense_side(plan.n, reals_out, reals_in);
  plan.in_place = dense_side(plan.n, true, false);
  const Side& complex = reals_in ? plan.out : plan.in;
  plan.in_place.embed.back() = 2 * complex.size.back();
  plan.in_place.distance = 2 * complex.distance;
  // As in cuFFT, layouts are used only if both sides have one.
  plan.dense = inembed == nullptr || onembed == nullptr;
  if (!plan.dense && (!lay_out(plan.in, inembed, istride, idist, batch) ||
                      !lay_out(plan.out, onembed, ostride, odist, batch)))
    return CUFFT_INVALID_SIZE;
  plan.made = true;
  *work = 0;
  return CUFFT_SUCCESS;
}

/// Makes a handle and its plan.
template <class Make>
cufftResult create_and_make(cufftHandle* handle, const Make& make_it) {
  if (const cufftResult result = create(handle); result != CUFFT_SUCCESS) return result;
  std::size_t work = 0;
  const cufftResult result = make_it(*handle, &work);
  if (result != CUFFT_SUCCESS) destroy(*handle);
  return result;
}
/// Returns whether such a plan can be made. It needs no workspace.
template <class Make>
cufftResult ask_size(std::size_t* work, const Make& make_it) {
  if (work == nullptr) return CUFFT_INVALID_VALUE;
  cufftHandle handle = 0;
  const cufftResult result = create_and_make(&handle, make_it);
  if (result == CUFFT_SUCCESS) destroy(handle);
  *work = 0;
  return result;
}

std::unique_ptr<std::vector<long long>> wide(const int* values, int rank) {
  if (values == nullptr || rank < 1) return nullptr;
  return std::make_unique<std::vector<long long>>(values, values + rank);
}
const long long* data(const std::unique_ptr<std::vector<long long>>& values) {
  return values != nullptr ? values->data() : nullptr;
}

/// Returns the plan's callback of this type; null if its transform has no such callback.
Callback* callback_of(Plan& plan, cufftXtCallbackType type) {
  if (type == plan.callback_type(false)) return &plan.load;
  return type == plan.callback_type(true) ? &plan.store : nullptr;
}

cufftResult execute(cufftHandle handle, cufftType type, void* from, void* to, int direction) {
  const std::shared_ptr<Plan> plan = Plans::get().find(handle);
  if (plan == nullptr || !plan->made) return CUFFT_INVALID_PLAN;
  if (plan->type != type) return CUFFT_INVALID_TYPE;
  if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) return CUFFT_INVALID_VALUE;
  const bool placed = from == to;
  const bool loads = plan->load.function != nullptr, stores = plan->store.function != nullptr;
  library::Operation operation;
  if (loads || stores)
    operation = plan->with_callbacks(plan, direction, from, to);
  else
    operation.work = [=] { plan->run(direction, from, to); };
  // The code of a callback records its own accesses.
  if (!loads) plan->use(operation.uses, "input", from, plan->input(placed), Access::reads);
  if (!stores) plan->use(operation.uses, "output", to, plan->output(placed), Access::writes);
  const cudaError_t error = library::submit(plan->stream, std::move(operation));
  return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

}  // namespace

}  // namespace cuemu::cufft

using namespace cuemu::cufft;

extern "C" {

cufftResult cufftCreate(cufftHandle* handle) {
  return create(handle);
}
cufftResult cufftDestroy(cufftHandle handle) {
  return destroy(handle);
}

cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* work) {
  return make(plan, {nx}, nullptr, 1, 0, nullptr, 1, 0, type, batch, work);
}
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* work) {
  return make(plan, {nx, ny}, nullptr, 1, 0, nullptr, 1, 0, type, 1, work);
}
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* work) {
  return make(plan, {nx, ny, nz}, nullptr, 1, 0, nullptr, 1, 0, type, 1, work);
}
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist,
                              int* onembed, int ostride, int odist, cufftType type, int batch, size_t* work) {
  if (rank < 1 || rank > 3 || n == nullptr) return CUFFT_INVALID_SIZE;
  const auto in = wide(inembed, rank), out = wide(onembed, rank);
  return make(plan, *wide(n, rank), data(in), istride, idist, data(out), ostride, odist, type, batch, work);
}
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long int* n, long long int* inembed,
                                long long int istride, long long int idist, long long int* onembed,
                                long long int ostride, long long int odist, cufftType type,
                                long long int batch, size_t* work) {
  if (rank < 1 || rank > 3 || n == nullptr) return CUFFT_INVALID_SIZE;
  return make(plan, {n, n + rank}, inembed, istride, idist, onembed, ostride, odist, type, batch, work);
}

cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch) {
  return create_and_make(
      plan, [=](cufftHandle h, size_t* work) { return cufftMakePlan1d(h, nx, type, batch, work); });
}
cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type) {
  return create_and_make(plan,
                         [=](cufftHandle h, size_t* work) { return cufftMakePlan2d(h, nx, ny, type, work); });
}
cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type) {
  return create_and_make(
      plan, [=](cufftHandle h, size_t* work) { return cufftMakePlan3d(h, nx, ny, nz, type, work); });
}
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist,
                          int* onembed, int ostride, int odist, cufftType type, int batch) {
  return create_and_make(plan, [=](cufftHandle h, size_t* work) {
    return cufftMakePlanMany(h, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, work);
  });
}

cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t* work) {
  return ask_size(work,
                  [=](cufftHandle h, size_t* size) { return cufftMakePlan1d(h, nx, type, batch, size); });
}
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t* work) {
  return ask_size(work, [=](cufftHandle h, size_t* size) { return cufftMakePlan2d(h, nx, ny, type, size); });
}
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t* work) {
  return ask_size(work,
                  [=](cufftHandle h, size_t* size) { return cufftMakePlan3d(h, nx, ny, nz, type, size); });
}
cufftResult cufftEstimateMany(int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                              int ostride, int odist, cufftType type, int batch, size_t* work) {
  return ask_size(work, [=](cufftHandle h, size_t* size) {
    return cufftMakePlanMany(h, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, size);
  });
}
cufftResult cufftGetSize1d(cufftHandle, int nx, cufftType type, int batch, size_t* work) {
  return cufftEstimate1d(nx, type, batch, work);
}
cufftResult cufftGetSize2d(cufftHandle, int nx, int ny, cufftType type, size_t* work) {
  return cufftEstimate2d(nx, ny, type, work);
}
cufftResult cufftGetSize3d(cufftHandle, int nx, int ny, int nz, cufftType type, size_t* work) {
  return cufftEstimate3d(nx, ny, nz, type, work);
}
cufftResult cufftGetSizeMany(cufftHandle, int rank, int* n, int* inembed, int istride, int idist,
                             int* onembed, int ostride, int odist, cufftType type, int batch, size_t* work) {
  return cufftEstimateMany(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, work);
}
cufftResult cufftGetSize(cufftHandle handle, size_t* work) {
  const auto plan = Plans::get().find(handle);
  if (plan == nullptr || !plan->made) return CUFFT_INVALID_PLAN;
  if (work == nullptr) return CUFFT_INVALID_VALUE;
  *work = 0;
  return CUFFT_SUCCESS;
}
cufftResult cufftSetWorkArea(cufftHandle handle, void*) {
  return Plans::get().find(handle) != nullptr ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetAutoAllocation(cufftHandle handle, int) {
  return Plans::get().find(handle) != nullptr ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  const auto plan = Plans::get().find(handle);
  if (plan == nullptr) return CUFFT_INVALID_PLAN;
  plan->stream = stream;
  return CUFFT_SUCCESS;
}
cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* from, cufftComplex* to, int direction) {
  const Call call("cufftExecC2C", __builtin_return_address(0));
  return execute(plan, CUFFT_C2C, from, to, direction);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* from, cufftComplex* to) {
  const Call call("cufftExecR2C", __builtin_return_address(0));
  return execute(plan, CUFFT_R2C, from, to, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* from, cufftReal* to) {
  const Call call("cufftExecC2R", __builtin_return_address(0));
  return execute(plan, CUFFT_C2R, from, to, CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* from, cufftDoubleComplex* to, int direction) {
  const Call call("cufftExecZ2Z", __builtin_return_address(0));
  return execute(plan, CUFFT_Z2Z, from, to, direction);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* from, cufftDoubleComplex* to) {
  const Call call("cufftExecD2Z", __builtin_return_address(0));
  return execute(plan, CUFFT_D2Z, from, to, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* from, cufftDoubleReal* to) {
  const Call call("cufftExecZ2D", __builtin_return_address(0));
  return execute(plan, CUFFT_Z2D, from, to, CUFFT_INVERSE);
}

cufftResult cufftXtSetCallback(cufftHandle handle, void** callback_routine, cufftXtCallbackType type,
                               void** caller_info) {
  const auto plan = Plans::get().find(handle);
  if (plan == nullptr || !plan->made) return CUFFT_INVALID_PLAN;
  if (callback_routine == nullptr || *callback_routine == nullptr) return CUFFT_INVALID_VALUE;
  Callback* const callback = callback_of(*plan, type);
  if (callback == nullptr) return CUFFT_INVALID_TYPE;
  callback->function = *callback_routine;
  callback->info = caller_info != nullptr ? *caller_info : nullptr;
  return CUFFT_SUCCESS;
}
cufftResult cufftXtClearCallback(cufftHandle handle, cufftXtCallbackType type) {
  const auto plan = Plans::get().find(handle);
  if (plan == nullptr || !plan->made) return CUFFT_INVALID_PLAN;
  Callback* const callback = callback_of(*plan, type);
  if (callback == nullptr) return CUFFT_INVALID_TYPE;
  *callback = {};
  return CUFFT_SUCCESS;
}
cufftResult cufftXtSetCallbackSharedSize(cufftHandle handle, cufftXtCallbackType type, size_t bytes) {
  constexpr std::size_t most = 16 * 1024;
  const auto plan = Plans::get().find(handle);
  if (plan == nullptr || !plan->made) return CUFFT_INVALID_PLAN;
  Callback* const callback = callback_of(*plan, type);
  if (callback == nullptr) return CUFFT_INVALID_TYPE;
  if (bytes > most) return CUFFT_INVALID_VALUE;
  callback->shared_bytes = bytes;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetVersion(int* version) {
  if (version == nullptr) return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetProperty(libraryPropertyType type, int* value) {
  static constexpr int numbers[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
  if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUFFT_INVALID_VALUE;
  *value = numbers[type];
  return CUFFT_SUCCESS;
}
}
