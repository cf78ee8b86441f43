// Words, their lengths and a sparse histogram, by Thrust.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/count.h>
#include <thrust/copy.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/functional.h>
#include <cstring>
#include <iostream>

// determines whether the character is alphabetical
__host__ __device__ inline bool is_alpha(const char c) { return c >= 'A' && c <= 'z'; }

// determines whether the right character begins a new word
struct is_word_start {
  __host__ __device__ bool operator()(const char& left, const char& right) const { return is_alpha(right) && !is_alpha(left); }
};

static int word_count(const thrust::device_vector<char>& input) {
  if (input.empty()) return 0;
  // compute the number characters that start a new word
  int wc = thrust::inner_product(input.begin(), input.end() - 1, input.begin() + 1, 0, thrust::plus<int>(), is_word_start());
  if (is_alpha(input.front())) wc++;
  return wc;
}

int main() {
  const char raw_input[] =
      "  But the raven, sitting lonely on the placid bust, spoke only,\n"
      "  That one word, as if his soul in that one word he did outpour.\n"
      "  Nothing further then he uttered - not a feather then he fluttered -\n"
      "  Till I scarcely more than muttered `Other friends have flown before -\n";
  thrust::device_vector<char> input(raw_input, raw_input + sizeof(raw_input) - 1);
  std::cout << "There are " << word_count(input) << " words" << std::endl;

  // sparse histogram of the letters
  thrust::device_vector<int> letters(input.size());
  auto end = thrust::copy_if(input.begin(), input.end(), letters.begin(), [] __host__ __device__(char c) { return is_alpha(c); });
  letters.resize(end - letters.begin());
  thrust::transform(letters.begin(), letters.end(), letters.begin(), [] __host__ __device__(int c) { return c | 0x20; });
  thrust::sort(letters.begin(), letters.end());
  thrust::device_vector<int> keys(128), counts(128);
  auto ends = thrust::reduce_by_key(letters.begin(), letters.end(), thrust::constant_iterator<int>(1), keys.begin(), counts.begin());
  const int n = ends.first - keys.begin();
  keys.resize(n);
  counts.resize(n);
  // most frequent first, alphabetically among equals
  thrust::stable_sort_by_key(counts.begin(), counts.end(), keys.begin(), thrust::greater<int>());
  thrust::host_vector<int> k = keys, c = counts;
  for (int i = 0; i < 5; ++i) std::cout << static_cast<char>(k[i]) << " " << c[i] << "\n";
  std::cout << letters.size() << " letters, " << n << " different, sum " << thrust::reduce(counts.begin(), counts.end()) << "\n";
  return 0;
}
