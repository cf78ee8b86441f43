// NVTX: names for ranges and moments of a program, which a profiler shows. The calls count nested ranges, as NVTX does
// when a profiler runs, and have no other effect.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)(sizeof(nvtxEventAttributes_t)))
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;
typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;

/// The appearance of a range or a mark. Programs initialise it with `= {0}`, and then set version and size.
typedef struct nvtxEventAttributes_v2 {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_v2;
typedef nvtxEventAttributes_v2 nvtxEventAttributes_t;

#if defined(__cplusplus)
#define CUEMU_NVTX inline
#define CUEMU_NVTX_DEPTH thread_local int
#else
#define CUEMU_NVTX static inline
#define CUEMU_NVTX_DEPTH _Thread_local int
#endif

CUEMU_NVTX int* cuemu_nvtx_depth(void) {
  static CUEMU_NVTX_DEPTH depth = 0;
  return &depth;
}

/// \name Nested ranges of a thread. The functions return the depth before the push, or after the pop.
/// @{
CUEMU_NVTX int nvtxRangePushA(const char* message) {
  (void)message;
  return (*cuemu_nvtx_depth())++;
}
CUEMU_NVTX int nvtxRangePushW(const wchar_t* message) {
  (void)message;
  return (*cuemu_nvtx_depth())++;
}
CUEMU_NVTX int nvtxRangePushEx(const nvtxEventAttributes_t* attributes) {
  (void)attributes;
  return (*cuemu_nvtx_depth())++;
}
CUEMU_NVTX int nvtxRangePop(void) {
  return *cuemu_nvtx_depth() > 0 ? --*cuemu_nvtx_depth() : -1;
}
/// @}

/// \name Ranges of the process, marks, names
/// @{
CUEMU_NVTX nvtxRangeId_t nvtxRangeStartA(const char* message) {
  (void)message;
  return 0;
}
CUEMU_NVTX nvtxRangeId_t nvtxRangeStartW(const wchar_t* message) {
  (void)message;
  return 0;
}
CUEMU_NVTX nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t* attributes) {
  (void)attributes;
  return 0;
}
CUEMU_NVTX void nvtxRangeEnd(nvtxRangeId_t id) {
  (void)id;
}
CUEMU_NVTX void nvtxMarkA(const char* message) {
  (void)message;
}
CUEMU_NVTX void nvtxMarkW(const wchar_t* message) {
  (void)message;
}
CUEMU_NVTX void nvtxMarkEx(const nvtxEventAttributes_t* attributes) {
  (void)attributes;
}
CUEMU_NVTX void nvtxNameCategoryA(uint32_t category, const char* name) {
  (void)category;
  (void)name;
}
CUEMU_NVTX void nvtxNameOsThreadA(uint32_t thread, const char* name) {
  (void)thread;
  (void)name;
}
CUEMU_NVTX void nvtxInitialize(const void* reserved) {
  (void)reserved;
}
/// @}

/// \name The same within a domain
/// @{
CUEMU_NVTX nvtxDomainHandle_t nvtxDomainCreateA(const char* name) {
  (void)name;
  return NULL;
}
CUEMU_NVTX void nvtxDomainDestroy(nvtxDomainHandle_t domain) {
  (void)domain;
}
CUEMU_NVTX int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  (void)domain;
  return nvtxRangePushEx(attributes);
}
CUEMU_NVTX int nvtxDomainRangePop(nvtxDomainHandle_t domain) {
  (void)domain;
  return nvtxRangePop();
}
CUEMU_NVTX nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain,
                                                const nvtxEventAttributes_t* attributes) {
  (void)domain;
  return nvtxRangeStartEx(attributes);
}
CUEMU_NVTX void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t id) {
  (void)domain;
  nvtxRangeEnd(id);
}
CUEMU_NVTX void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  (void)domain;
  nvtxMarkEx(attributes);
}
CUEMU_NVTX void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category, const char* name) {
  (void)domain;
  nvtxNameCategoryA(category, name);
}
CUEMU_NVTX nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char* text) {
  (void)domain;
  (void)text;
  return NULL;
}
/// @}

#undef CUEMU_NVTX
#undef CUEMU_NVTX_DEPTH

#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
