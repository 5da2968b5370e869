/*
 * Makes syncs of files below given folders take as long as on another device. What is made slow is the
 * answer: the data is really written and synced first. Reads are not made slower.
 *
 * HUBMARK_DEVICES names a file with one line a folder:
 *   REVOLUTION_NS LATENCY_NS BYTES_PER_S CACHE_BYTES DEVICES FOLDER
 * where 0 means none. DEVICES of them, each as the numbers before say, make a RAID 0. Beside it,
 * FILE.clock is shared by all processes: when each device is free, and what was done, as 8 numbers
 * of 64 bits for each line (struct shared_clock).
 *
 * A write to a file that was opened with O_SYNC or O_DSYNC is a sync too.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "preload.h"

#define DEVICES_MAX 16
#define STRIPES_MAX 4
/* What RAID 0 puts on one device before it goes on to the next: 64 KiB, as Linux and Btrfs do. */
#define STRIPE_BYTES 65536
/* A time that lies further ahead was written before the machine was started again. */
#define HORIZON_NS (600LL * 1000000000LL)

struct shared_clock {
    _Atomic int64_t busy_until[STRIPES_MAX]; /* CLOCK_MONOTONIC */
    _Atomic int64_t unsynced_bytes;
    _Atomic int64_t syncs; /* answered since the file was made */
    _Atomic int64_t sync_ns; /* that they took, from call to answer */
    _Atomic int64_t next_stripe;
};

struct device {
    int64_t revolution_ns, latency_ns, bytes_per_s, cache_bytes;
    int stripes;
    size_t length;
    char folder[PATH_MAX];
    struct shared_clock *clock;
};

static struct device devices[DEVICES_MAX];
static int device_count;
static int counts_bytes;

static int read_device(const char *line, struct device *d)
{
    long long revolution, latency, rate, cache;
    int stripes;
    if (sscanf(line, "%lld %lld %lld %lld %d %4095[^\n]", &revolution, &latency, &rate, &cache,
               &stripes, d->folder) != 6 || stripes < 1 || stripes > STRIPES_MAX)
        return 0;
    d->stripes = stripes;
    d->revolution_ns = revolution;
    d->latency_ns = latency;
    d->bytes_per_s = rate;
    d->cache_bytes = cache;
    d->length = strlen(d->folder);
    return 1;
}

void devices_start(void)
{
    const char *name = getenv("HUBMARK_DEVICES");
    char clock_name[PATH_MAX + 8], line[PATH_MAX + 128];
    struct shared_clock *clocks;
    FILE *file;
    int fd, count = 0;

    if (!name || !(file = fopen(name, "re")))
        return;
    while (count < DEVICES_MAX && fgets(line, sizeof line, file))
        if (read_device(line, &devices[count]))
            count++;
    fclose(file);
    snprintf(clock_name, sizeof clock_name, "%s.clock", name);
    fd = open(clock_name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 || ftruncate(fd, DEVICES_MAX * sizeof *clocks) != 0) {
        fprintf(stderr, "hubmark device emulation: %s: %s; nothing is emulated\n", clock_name,
                strerror(errno));
        if (fd >= 0)
            close(fd);
        return;
    }
    clocks = mmap(NULL, DEVICES_MAX * sizeof *clocks, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (clocks == MAP_FAILED)
        return;
    for (int i = 0; i < count; i++) {
        devices[i].clock = &clocks[i];
        counts_bytes |= devices[i].bytes_per_s > 0 || devices[i].stripes > 1;
    }
    device_count = count;
}

int devices_active(void)
{
    return device_count > 0;
}

static void sleep_until(int64_t at)
{
    static __thread int exact;
    struct timespec until = {at / 1000000000LL, at % 1000000000LL};
    if (!exact) {
        /* Else the kernel may wake a thread 50 us late, prctl(2). */
        prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
        exact = 1;
    }
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
}

/* The device below which an open file or folder lies, or NULL. The innermost folder wins. */
static struct device *device_of(int fd)
{
    char link[40], path[PATH_MAX];
    struct device *best = NULL;
    struct stat status;
    ssize_t length;

    if (fstat(fd, &status) != 0 || !(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)))
        return NULL;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return NULL;
    path[length] = 0;
    for (int i = 0; i < device_count; i++) {
        struct device *d = &devices[i];
        if (strncmp(path, d->folder, d->length) == 0
            && (path[d->length] == '/' || path[d->length] == 0)
            && (!best || d->length > best->length))
            best = d;
    }
    return best;
}

static int64_t max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* When one device would have answered a sync of so many bytes that began then. */
static int64_t answer_of(struct device *d, int stripe, int64_t began, int64_t now, int64_t bytes)
{
    double rate = (double)d->bytes_per_s;
    int64_t transfer = d->bytes_per_s > 0 ? (int64_t)(bytes * 1e9 / rate) : 0;
    int64_t ahead = d->bytes_per_s > 0 ? (int64_t)(d->cache_bytes * 1e9 / rate) : 0;
    int64_t busy = atomic_load(&d->clock->busy_until[stripe]);
    int64_t answer, next;

    do {
        int64_t from = busy > now + HORIZON_NS ? 0 : busy;
        if (d->revolution_ns > 0) {
            /* One spindle: the sector comes round once a revolution, and to one sync at a time. */
            int64_t there = max(from, now) + transfer;
            next = (there / d->revolution_ns + 1) * d->revolution_ns;
            answer = next;
        } else {
            /* A cache answers, as long as the medium behind it keeps pace. */
            next = max(from, began) + transfer;
            answer = max(began + d->latency_ns, next - ahead);
        }
    } while (!atomic_compare_exchange_weak(&d->clock->busy_until[stripe], &busy, next));
    return answer;
}

/* Waits until the device would have answered; of a RAID 0, all devices that got some of it. */
static void settle(struct device *d, int64_t began, int64_t bytes)
{
    int64_t now = nanos(), answer = 0;

    if (d->stripes > 1 && bytes > STRIPE_BYTES) {
        for (int i = 0; i < d->stripes; i++)
            answer = max(answer, answer_of(d, i, began, now, bytes / d->stripes));
    } else {
        /* Whatever fits in one stripe lies on one device, now this one and now that. */
        int64_t turn = d->stripes > 1 ? atomic_fetch_add(&d->clock->next_stripe, 1) : 0;
        answer = answer_of(d, (int)(turn % d->stripes), began, now, bytes);
    }
    if (answer > now)
        sleep_until(answer);
    atomic_fetch_add(&d->clock->syncs, 1);
    atomic_fetch_add(&d->clock->sync_ns, nanos() - began);
}

void devices_after_sync(int fd, int64_t began)
{
    int error = errno;
    struct device *d = device_count > 0 ? device_of(fd) : NULL;
    if (d)
        settle(d, began, atomic_exchange(&d->clock->unsynced_bytes, 0));
    errno = error;
}

void devices_after_write(int fd, int64_t began, ssize_t written)
{
    int flags, error = errno;
    struct device *d;
    if (written <= 0 || device_count == 0)
        return;
    flags = fcntl(fd, F_GETFL);
    if ((counts_bytes || (flags > 0 && (flags & O_DSYNC))) && (d = device_of(fd))) {
        if (flags > 0 && (flags & O_DSYNC))
            settle(d, began, written);
        else
            atomic_fetch_add(&d->clock->unsynced_bytes, written);
    }
    errno = error;
}
