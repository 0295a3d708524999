// A Vulkan layer that simulates a driver's faults, as a test sets them in a file of counters.
//
// The environment variable `HITMASK_FAULTS` names the file, an array of `uint32_t` in the order of `struct faults`. A
// count of n makes the nth call from then on fail, once; 0 makes none fail. Only the needed parts of Vulkan are
// declared here, so a C compiler is enough to build it.

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef int32_t result;
typedef void (*function)(void);
typedef function (*get_function)(void *, const char *);

enum {
    TIMEOUT = 2,
    NO_HOST_MEMORY = -1,
    NO_DEVICE_MEMORY = -2,
    LOST = -4,
    INSTANCE_LINK = 47,
    DEVICE_LINK = 48,
};

struct faults {
    uint32_t buffers;   // vkCreateBuffer runs out of memory
    uint32_t memory;    // vkAllocateMemory runs out of memory
    uint32_t pipelines; // vkCreateComputePipelines runs out of memory
    uint32_t submits;   // vkQueueSubmit loses the device
    uint32_t waits;     // vkWaitSemaphores loses the device
    uint32_t silent;    // not 0: submitted work never finishes
    uint32_t gone;      // not 0: there is no adapter
};

static volatile struct faults *faults;

static get_function next_instance, next_device;
static void *instance_made;
static result (*create_buffer)(void *, const void *, const void *, void *);
static result (*allocate_memory)(void *, const void *, const void *, void *);
static result (*create_pipelines)(void *, uint64_t, uint32_t, const void *, const void *, void *);
static result (*queue_submit)(void *, uint32_t, const void *, uint64_t);
static result (*wait_semaphores)(void *, const void *, uint64_t);
static result (*semaphore_value)(void *, uint64_t, uint64_t *);
static void (*end_semaphore)(void *, uint64_t, const void *);
static result (*list_adapters)(void *, uint32_t *, void *);

// Counts down, and returns whether this call is the one to fail.
static int due(volatile uint32_t *count) {
    return *count > 0 && --*count == 0;
}

static result faulty_buffer(void *device, const void *info, const void *memory, void *out) {
    return due(&faults->buffers) ? NO_DEVICE_MEMORY : create_buffer(device, info, memory, out);
}

static result faulty_memory(void *device, const void *info, const void *memory, void *out) {
    return due(&faults->memory) ? NO_DEVICE_MEMORY : allocate_memory(device, info, memory, out);
}

static result faulty_pipelines(void *device, uint64_t cache, uint32_t count, const void *infos, const void *memory,
                               void *out) {
    if (due(&faults->pipelines)) {
        memset(out, 0, count * sizeof(uint64_t));
        return NO_HOST_MEMORY;
    }
    return create_pipelines(device, cache, count, infos, memory, out);
}

static result faulty_submit(void *queue, uint32_t count, const void *infos, uint64_t fence) {
    return due(&faults->submits) ? LOST : queue_submit(queue, count, infos, fence);
}

static result faulty_wait(void *device, const void *info, uint64_t nanoseconds) {
    if (due(&faults->waits)) return LOST;
    if (faults->silent) {
        usleep(nanoseconds > 1000000 ? 1000 : 0);
        return TIMEOUT;
    }
    return wait_semaphores(device, info, nanoseconds);
}

// A semaphore, and the value that it last had; 0 is none.
struct kept {
    uint64_t semaphore, value;
};

// Returns the place of a semaphore, a new one if it has none; of 0, a free place.
static struct kept *kept(uint64_t semaphore) {
    static struct kept all[1 << 10];
    for (unsigned at = 0; at < sizeof all / sizeof *all; at++) {
        if (all[at].semaphore == semaphore) return &all[at];
    }
    if (semaphore == 0) {
        fputs("there are more semaphores than the layer of faults can keep\n", stderr);
        abort();
    }
    struct kept *made = kept(0);
    *made = (struct kept){semaphore, 0};
    return made;
}

static void faulty_end_semaphore(void *device, uint64_t semaphore, const void *memory) {
    if (semaphore != 0) kept(semaphore)->semaphore = 0;
    end_semaphore(device, semaphore, memory);
}

static result faulty_value(void *device, uint64_t semaphore, uint64_t *value) {
    result answer = semaphore_value(device, semaphore, value);
    struct kept *last = kept(semaphore);
    if (faults->silent) *value = last->value;
    last->value = *value;
    return answer;
}

static result faulty_list(void *instance, uint32_t *count, void *adapters) {
    if (!faults->gone) return list_adapters(instance, count, adapters);
    *count = 0;
    return 0;
}

#define REPLACE(called, kept, ours)                        \
    if (strcmp(name, called) == 0) {                       \
        function found = next(handle, name);               \
        if (found == NULL) return NULL;                    \
        *(function *)&kept = found;                        \
        return (function)ours;                             \
    }

static function device_function(void *handle, const char *name) {
    get_function next = next_device;
    if (strcmp(name, "vkGetDeviceProcAddr") == 0) return (function)device_function;
    REPLACE("vkCreateBuffer", create_buffer, faulty_buffer)
    REPLACE("vkAllocateMemory", allocate_memory, faulty_memory)
    REPLACE("vkCreateComputePipelines", create_pipelines, faulty_pipelines)
    REPLACE("vkQueueSubmit", queue_submit, faulty_submit)
    REPLACE("vkWaitSemaphores", wait_semaphores, faulty_wait)
    REPLACE("vkWaitSemaphoresKHR", wait_semaphores, faulty_wait)
    REPLACE("vkDestroySemaphore", end_semaphore, faulty_end_semaphore)
    REPLACE("vkGetSemaphoreCounterValue", semaphore_value, faulty_value)
    REPLACE("vkGetSemaphoreCounterValueKHR", semaphore_value, faulty_value)
    return next(handle, name);
}

// The loader's chain of structs that describe the next layer.
struct link {
    void *next_layer;
    get_function instance_functions;
    get_function device_functions;
};

struct chained {
    int32_t type;
    const struct chained *next;
    int32_t purpose;
    struct link *link;
};

struct create_info {
    int32_t type;
    struct chained *next;
};

static struct chained *link_in(const struct create_info *info, int32_t type) {
    struct chained *at = info->next;
    while (at != NULL && !(at->type == type && at->purpose == 0)) at = (struct chained *)at->next;
    return at;
}

static result create_instance(const struct create_info *info, const void *memory, void **instance) {
    struct chained *chain = link_in(info, INSTANCE_LINK);
    if (chain == NULL) return -3;
    next_instance = chain->link->instance_functions;
    chain->link = chain->link->next_layer;
    result (*create)(const void *, const void *, void **) = (void *)next_instance(NULL, "vkCreateInstance");
    result answer = create(info, memory, instance);
    if (answer != 0) return answer;
    instance_made = *instance;
    list_adapters = (void *)next_instance(*instance, "vkEnumeratePhysicalDevices");
    return answer;
}

static result create_device(void *adapter, const struct create_info *info, const void *memory, void **device) {
    struct chained *chain = link_in(info, DEVICE_LINK);
    if (chain == NULL) return -3;
    next_device = chain->link->device_functions;
    get_function instance_functions = chain->link->instance_functions;
    chain->link = chain->link->next_layer;
    result (*create)(void *, const void *, const void *, void **) =
        (void *)instance_functions(instance_made, "vkCreateDevice");
    return create(adapter, info, memory, device);
}

static function instance_function(void *handle, const char *name) {
    if (strcmp(name, "vkGetInstanceProcAddr") == 0) return (function)instance_function;
    if (strcmp(name, "vkGetDeviceProcAddr") == 0) return (function)device_function;
    if (strcmp(name, "vkCreateInstance") == 0) return (function)create_instance;
    if (strcmp(name, "vkCreateDevice") == 0) return (function)create_device;
    if (strcmp(name, "vkEnumeratePhysicalDevices") == 0) return (function)faulty_list;
    return next_instance == NULL ? NULL : next_instance(handle, name);
}

struct negotiation {
    int32_t type;
    void *next;
    uint32_t version;
    get_function instance_functions;
    get_function device_functions;
    get_function adapter_functions;
};

result vkNegotiateLoaderLayerInterfaceVersion(struct negotiation *negotiation) {
    const char *path = getenv("HITMASK_FAULTS");
    int file = path == NULL ? -1 : open(path, O_RDWR);
    if (file < 0) return -3;
    faults = mmap(NULL, sizeof *faults, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (faults == MAP_FAILED) return -3;
    negotiation->version = 2;
    negotiation->instance_functions = instance_function;
    negotiation->device_functions = device_function;
    negotiation->adapter_functions = NULL;
    return 0;
}
