// A linked list and a string class in unified memory, passed by value and by reference.
#include <cstdio>
#include "managed.h"

class String : public Managed {
  int length;
  char *data;
 public:
  String() : length(0), data(0) {}
  explicit String(const char *s) : length(0), data(0) { _realloc(strlen(s)); strcpy(data, s); }
  // unified memory copy constructor allows pass-by-value
  String(const String &s) : length(0), data(0) { _realloc(s.length); strcpy(data, s.data); }
  ~String() { cudaFree(data); }
  // assignment operator
  String &operator=(const char *s) {
    _realloc(strlen(s));
    strcpy(data, s);
    return *this;
  }
  __host__ __device__ char &operator[](int pos) { return data[pos]; }
  __host__ __device__ const char *c_str() const { return data; }
  __host__ __device__ int size() const { return length; }
 private:
  void _realloc(int len) {
    cudaFree(data);
    length = len;
    cudaMallocManaged(&data, length + 1);
  }
};

struct Node : public Managed {
  Node(int k, const char *n, Node *after) : key(k), name(n), next(after) {}
  int key;
  String name;
  Node *next;
};

__global__ void walk(Node *first, int *sum) {
  for (Node *n = first; n != nullptr; n = n->next) {
    *sum += n->key;
    n->name[0] = n->name[0] - 'a' + 'A';
    printf("device sees %d: %s\n", n->key, n->name.c_str());
  }
}
__global__ void by_value(String s) { printf("by value: %s (%d)\n", s.c_str(), s.size()); }

int main() {
  Node *list = nullptr;
  const char *names[] = {"carrot", "banana", "apple"};
  for (int i = 0; i < 3; ++i) list = new Node(3 - i, names[i], list);
  int *sum;
  cudaMallocManaged(&sum, sizeof(int), cudaMemAttachGlobal);
  *sum = 0;
  walk<<<1, 1>>>(list, sum);
  cudaDeviceSynchronize();
  printf("sum %d\n", *sum);
  for (Node *n = list; n != nullptr;) {
    printf("host sees %s\n", n->name.c_str());
    Node *next = n->next;
    delete n;
    n = next;
  }
  String *text = new String("hello");
  by_value<<<1, 1>>>(*text);
  cudaDeviceSynchronize();
  delete text;
  cudaFree(sum);
  return cudaGetLastError() != cudaSuccess;
}
