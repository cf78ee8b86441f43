// CUB's device-wide reductions, scans and selections. Each algorithm runs sequentially, as a kernel of one
// thread in its stream. So results, including floating-point sums, are the same in every run.
//
// As in CUB, the first call passes no temporary storage, and only returns its size.
#pragma once

#include <limits>

#include "cuemu/cub/iterators.hpp"

namespace cub {

namespace detail {

template <typename Iterator>
using ValueOf = typename std::iterator_traits<Iterator>::value_type;

/// The greatest or the smallest value of the type.
template <typename T>
constexpr T lowest() {
  return std::numeric_limits<T>::lowest();
}
template <typename T>
constexpr T highest() {
  return std::numeric_limits<T>::max();
}

}  // namespace detail

struct DeviceReduce {
  template <typename In, typename Out, typename Count, typename Operation, typename T>
  static cudaError_t Reduce(void* storage, size_t& bytes, In in, Out out, Count n, Operation operation,
                            T initial, cudaStream_t stream = nullptr) {
    return detail::two_calls("cub::DeviceReduce", storage, bytes, stream, [=]() mutable {
      T total = initial;
      for (Count i = 0; i < n; ++i) total = operation(total, in[i]);
      out[0] = total;
    });
  }
  template <typename In, typename Out, typename Count>
  static cudaError_t Sum(void* storage, size_t& bytes, In in, Out out, Count n,
                         cudaStream_t stream = nullptr) {
    return Reduce(storage, bytes, in, out, n, cub::Sum(), detail::ValueOf<In>(), stream);
  }
  template <typename In, typename Out, typename Count>
  static cudaError_t Min(void* storage, size_t& bytes, In in, Out out, Count n,
                         cudaStream_t stream = nullptr) {
    return Reduce(storage, bytes, in, out, n, cub::Min(), detail::highest<detail::ValueOf<In>>(), stream);
  }
  template <typename In, typename Out, typename Count>
  static cudaError_t Max(void* storage, size_t& bytes, In in, Out out, Count n,
                         cudaStream_t stream = nullptr) {
    return Reduce(storage, bytes, in, out, n, cub::Max(), detail::lowest<detail::ValueOf<In>>(), stream);
  }
  template <typename In, typename Out, typename Count>
  static cudaError_t ArgMin(void* storage, size_t& bytes, In in, Out out, Count n,
                            cudaStream_t stream = nullptr) {
    using Pair = KeyValuePair<int, detail::ValueOf<In>>;
    return Reduce(storage, bytes, ArgIndexInputIterator<In, int>(in), out, n, cub::ArgMin(),
                  Pair{1, detail::highest<detail::ValueOf<In>>()}, stream);
  }
  template <typename In, typename Out, typename Count>
  static cudaError_t ArgMax(void* storage, size_t& bytes, In in, Out out, Count n,
                            cudaStream_t stream = nullptr) {
    using Pair = KeyValuePair<int, detail::ValueOf<In>>;
    return Reduce(storage, bytes, ArgIndexInputIterator<In, int>(in), out, n, cub::ArgMax(),
                  Pair{1, detail::lowest<detail::ValueOf<In>>()}, stream);
  }
  template <typename In, typename Out, typename Count, typename Operation, typename Transform, typename T>
  static cudaError_t TransformReduce(void* storage, size_t& bytes, In in, Out out, Count n,
                                     Operation operation, Transform transform, T initial,
                                     cudaStream_t stream = nullptr) {
    return detail::two_calls("cub::DeviceReduce", storage, bytes, stream, [=]() mutable {
      T total = initial;
      for (Count i = 0; i < n; ++i) total = operation(total, transform(in[i]));
      out[0] = total;
    });
  }
  /// Computes one result for each run of equal keys.
  template <typename Keys, typename UniqueKeys, typename Values, typename Results, typename Runs,
            typename Operation, typename Count>
  static cudaError_t ReduceByKey(void* storage, size_t& bytes, Keys keys, UniqueKeys unique, Values values,
                                 Results results, Runs runs, Operation operation, Count n,
                                 cudaStream_t stream = nullptr) {
    return detail::two_calls("cub::DeviceReduce::ReduceByKey", storage, bytes, stream, [=]() mutable {
      Count found = 0;
      for (Count i = 0; i < n;) {
        detail::ValueOf<Values> total = values[i];
        Count next = i + 1;
        for (; next < n && keys[next] == keys[i]; ++next) total = operation(total, values[next]);
        unique[found] = keys[i];
        results[found++] = total;
        i = next;
      }
      runs[0] = static_cast<detail::ValueOf<Runs>>(found);
    });
  }
};

struct DeviceScan {
  template <typename In, typename Out, typename Operation, typename T, typename Count>
  static cudaError_t ExclusiveScan(void* storage, size_t& bytes, In in, Out out, Operation operation,
                                   T initial, Count n, cudaStream_t stream = nullptr) {
    return detail::two_calls("cub::DeviceScan", storage, bytes, stream, [=]() mutable {
      T total = initial;
      for (Count i = 0; i < n; ++i) {
        const detail::ValueOf<In> next = in[i];
        out[i] = total;
        total = operation(total, next);
      }
    });
  }
  template <typename In, typename Out, typename Operation, typename Count>
  static cudaError_t InclusiveScan(void* storage, size_t& bytes, In in, Out out, Operation operation, Count n,
                                   cudaStream_t stream = nullptr) {
    return detail::two_calls("cub::DeviceScan", storage, bytes, stream, [=]() mutable {
      if (n == 0) return;
      detail::ValueOf<In> total = in[0];
      out[0] = total;
      for (Count i = 1; i < n; ++i) {
        total = operation(total, in[i]);
        out[i] = total;
      }
    });
  }
  template <typename In, typename Out, typename Count>
  static cudaError_t ExclusiveSum(void* storage, size_t& bytes, In in, Out out, Count n,
                                  cudaStream_t stream = nullptr) {
    return ExclusiveScan(storage, bytes, in, out, cub::Sum(), detail::ValueOf<In>(), n, stream);
  }
  template <typename In, typename Out, typename Count>
  static cudaError_t InclusiveSum(void* storage, size_t& bytes, In in, Out out, Count n,
                                  cudaStream_t stream = nullptr) {
    return InclusiveScan(storage, bytes, in, out, cub::Sum(), n, stream);
  }
  template <typename Keys, typename In, typename Out, typename Count>
  static cudaError_t InclusiveSumByKey(void* storage, size_t& bytes, Keys keys, In in, Out out, Count n,
                                       cudaStream_t stream = nullptr) {
    return detail::two_calls("cub::DeviceScan", storage, bytes, stream, [=]() mutable {
      detail::ValueOf<In> total{};
      for (Count i = 0; i < n; ++i) {
        const detail::ValueOf<In> next = in[i];
        total = i > 0 && keys[i - 1] == keys[i] ? static_cast<detail::ValueOf<In>>(total + next) : next;
        out[i] = total;
      }
    });
  }
  template <typename Keys, typename In, typename Out, typename Count>
  static cudaError_t ExclusiveSumByKey(void* storage, size_t& bytes, Keys keys, In in, Out out, Count n,
                                       cudaStream_t stream = nullptr) {
    return detail::two_calls("cub::DeviceScan", storage, bytes, stream, [=]() mutable {
      detail::ValueOf<In> total{};
      for (Count i = 0; i < n; ++i) {
        const detail::ValueOf<In> next = in[i];
        if (i > 0 && !(keys[i - 1] == keys[i])) total = detail::ValueOf<In>{};
        out[i] = total;
        total = static_cast<detail::ValueOf<In>>(total + next);
      }
    });
  }
};

struct DeviceSelect {
  template <typename In, typename Flags, typename Out, typename Selected, typename Count>
  static cudaError_t Flagged(void* storage, size_t& bytes, In in, Flags flags, Out out, Selected selected,
                             Count n, cudaStream_t stream = nullptr) {
    return select(storage, bytes, in, out, selected, n, stream,
                  [=](Count i) { return static_cast<bool>(flags[i]); });
  }
  template <typename In, typename Out, typename Selected, typename Count, typename Predicate>
  static cudaError_t If(void* storage, size_t& bytes, In in, Out out, Selected selected, Count n,
                        Predicate predicate, cudaStream_t stream = nullptr) {
    return select(storage, bytes, in, out, selected, n, stream,
                  [=](Count i) mutable { return static_cast<bool>(predicate(in[i])); });
  }
  /// Selects the first item of each run of equal items.
  template <typename In, typename Out, typename Selected, typename Count>
  static cudaError_t Unique(void* storage, size_t& bytes, In in, Out out, Selected selected, Count n,
                            cudaStream_t stream = nullptr) {
    return select(storage, bytes, in, out, selected, n, stream,
                  [=](Count i) { return i == 0 || !(in[i - 1] == in[i]); });
  }

 private:
  template <typename In, typename Out, typename Selected, typename Count, typename Wanted>
  static cudaError_t select(void* storage, size_t& bytes, In in, Out out, Selected selected, Count n,
                            cudaStream_t stream, Wanted wanted) {
    return detail::two_calls("cub::DeviceSelect", storage, bytes, stream, [=]() mutable {
      Count found = 0;
      for (Count i = 0; i < n; ++i)
        if (wanted(i)) out[found++] = in[i];
      selected[0] = static_cast<detail::ValueOf<Selected>>(found);
    });
  }
};

/// Writes the selected items in their order, then the others in reverse order.
struct DevicePartition {
  template <typename In, typename Out, typename Selected, typename Count, typename Predicate>
  static cudaError_t If(void* storage, size_t& bytes, In in, Out out, Selected selected, Count n,
                        Predicate predicate, cudaStream_t stream = nullptr) {
    return partition(storage, bytes, in, out, selected, n, stream,
                     [=](Count i) mutable { return static_cast<bool>(predicate(in[i])); });
  }
  template <typename In, typename Flags, typename Out, typename Selected, typename Count>
  static cudaError_t Flagged(void* storage, size_t& bytes, In in, Flags flags, Out out, Selected selected,
                             Count n, cudaStream_t stream = nullptr) {
    return partition(storage, bytes, in, out, selected, n, stream,
                     [=](Count i) { return static_cast<bool>(flags[i]); });
  }

 private:
  template <typename In, typename Out, typename Selected, typename Count, typename Wanted>
  static cudaError_t partition(void* storage, size_t& bytes, In in, Out out, Selected selected, Count n,
                               cudaStream_t stream, Wanted wanted) {
    return detail::two_calls("cub::DevicePartition", storage, bytes, stream, [=]() mutable {
      Count found = 0, others = 0;
      for (Count i = 0; i < n; ++i) {
        if (wanted(i))
          out[found++] = in[i];
        else
          out[n - ++others] = in[i];
      }
      selected[0] = static_cast<detail::ValueOf<Selected>>(found);
    });
  }
};

struct DeviceRunLengthEncode {
  template <typename In, typename Unique, typename Lengths, typename Runs, typename Count>
  static cudaError_t Encode(void* storage, size_t& bytes, In in, Unique unique, Lengths lengths, Runs runs,
                            Count n, cudaStream_t stream = nullptr) {
    return detail::two_calls("cub::DeviceRunLengthEncode", storage, bytes, stream, [=]() mutable {
      Count found = 0;
      for (Count i = 0; i < n;) {
        Count next = i + 1;
        while (next < n && in[next] == in[i]) ++next;
        unique[found] = in[i];
        lengths[found++] = static_cast<detail::ValueOf<Lengths>>(next - i);
        i = next;
      }
      runs[0] = static_cast<detail::ValueOf<Runs>>(found);
    });
  }
};

struct DeviceSegmentedReduce {
  template <typename In, typename Out, typename Begins, typename Ends, typename Operation, typename T>
  static cudaError_t Reduce(void* storage, size_t& bytes, In in, Out out, int segments, Begins begins,
                            Ends ends, Operation operation, T initial, cudaStream_t stream = nullptr) {
    return detail::two_calls("cub::DeviceSegmentedReduce", storage, bytes, stream, [=]() mutable {
      for (int segment = 0; segment < segments; ++segment) {
        T total = initial;
        for (auto i = begins[segment]; i < ends[segment]; ++i) total = operation(total, in[i]);
        out[segment] = total;
      }
    });
  }
  template <typename In, typename Out, typename Begins, typename Ends>
  static cudaError_t Sum(void* storage, size_t& bytes, In in, Out out, int segments, Begins begins, Ends ends,
                         cudaStream_t stream = nullptr) {
    return Reduce(storage, bytes, in, out, segments, begins, ends, cub::Sum(), detail::ValueOf<In>(), stream);
  }
  template <typename In, typename Out, typename Begins, typename Ends>
  static cudaError_t Max(void* storage, size_t& bytes, In in, Out out, int segments, Begins begins, Ends ends,
                         cudaStream_t stream = nullptr) {
    return Reduce(storage, bytes, in, out, segments, begins, ends, cub::Max(),
                  detail::lowest<detail::ValueOf<In>>(), stream);
  }
  template <typename In, typename Out, typename Begins, typename Ends>
  static cudaError_t Min(void* storage, size_t& bytes, In in, Out out, int segments, Begins begins, Ends ends,
                         cudaStream_t stream = nullptr) {
    return Reduce(storage, bytes, in, out, segments, begins, ends, cub::Min(),
                  detail::highest<detail::ValueOf<In>>(), stream);
  }
};

struct DeviceHistogram {
  /// Counts the items in bins of equal width in [lower, upper). `levels` is the number of bins plus 1.
  template <typename In, typename Counter, typename Level, typename Count>
  static cudaError_t HistogramEven(void* storage, size_t& bytes, In in, Counter* histogram, int levels,
                                   Level lower, Level upper, Count n, cudaStream_t stream = nullptr) {
    return detail::two_calls("cub::DeviceHistogram", storage, bytes, stream, [=]() mutable {
      const int bins = levels - 1;
      for (int bin = 0; bin < bins; ++bin) histogram[bin] = 0;
      for (Count i = 0; i < n; ++i) {
        const Level value = static_cast<Level>(in[i]);
        if (value < lower || !(value < upper)) continue;
        const auto bin = static_cast<int>(
            std::is_integral_v<Level>
                ? static_cast<double>((value - lower) * static_cast<Level>(bins) / (upper - lower))
                : static_cast<double>((value - lower) / ((upper - lower) / static_cast<Level>(bins))));
        ++histogram[bin < bins ? bin : bins - 1];
      }
    });
  }
  template <typename In, typename Counter, typename Level, typename Count>
  static cudaError_t HistogramRange(void* storage, size_t& bytes, In in, Counter* histogram, int levels,
                                    const Level* edges, Count n, cudaStream_t stream = nullptr) {
    return detail::two_calls("cub::DeviceHistogram", storage, bytes, stream, [=]() mutable {
      for (int bin = 0; bin + 1 < levels; ++bin) histogram[bin] = 0;
      for (Count i = 0; i < n; ++i)
        for (int bin = 0; bin + 1 < levels; ++bin)
          if (!(in[i] < edges[bin]) && in[i] < edges[bin + 1]) ++histogram[bin];
    });
  }
};

struct DeviceFor {
  template <typename Count, typename Body>
  static cudaError_t Bulk(Count n, Body body, cudaStream_t stream = nullptr) {
    return cuemu::run_over("cub::DeviceFor", stream, static_cast<std::size_t>(n),
                           [=](std::size_t i) mutable { body(static_cast<Count>(i)); });
  }
  template <typename Iterator, typename Count, typename Body>
  static cudaError_t ForEachN(Iterator first, Count n, Body body, cudaStream_t stream = nullptr) {
    return cuemu::run_over("cub::DeviceFor", stream, static_cast<std::size_t>(n),
                           [=](std::size_t i) mutable { body(first[static_cast<std::ptrdiff_t>(i)]); });
  }
};

}  // namespace cub
