/*
 * Makes syncs of files below given folders, and reads and writes past the page cache (O_DIRECT), take as
 * long as on another device. What is made slow is the answer: the data is really read, or written and
 * synced, first. Reads through the page cache are not made slower.
 *
 * HUBMARK_DEVICES names a file with one line a folder:
 *   REVOLUTION_NS LATENCY_NS BYTES_PER_S CACHE_BYTES READ_NS DEVICES FOLDER
 * where 0 means none. READ_NS is what a read at a random place takes before its first byte comes; without
 * it only syncs are slow. DEVICES of them, each as the numbers before say, make a RAID 0. Beside it,
 * FILE.clock is shared by all processes: when each device is free, where its head is, and what was done,
 * as 14 numbers of 64 bits for each line (struct shared_clock).
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
#define AFTER_SYNC 0

struct shared_clock {
    _Atomic int64_t busy_until[STRIPES_MAX]; /* CLOCK_MONOTONIC */
    _Atomic int64_t unsynced_bytes;
    _Atomic int64_t syncs; /* answered since the file was made */
    _Atomic int64_t sync_ns; /* that they took, from call to answer */
    _Atomic int64_t next_stripe;
    _Atomic uint64_t head[STRIPES_MAX]; /* where the last access ended (mark_of), or AFTER_SYNC */
    _Atomic int64_t reads; /* past the page cache, answered since the file was made */
    _Atomic int64_t read_ns; /* that they took, from call to answer */
};

struct device {
    int64_t revolution_ns, latency_ns, bytes_per_s, cache_bytes, read_ns;
    int stripes;
    size_t length;
    char folder[PATH_MAX];
    struct shared_clock *clock;
};

static struct device devices[DEVICES_MAX];
static int device_count;
static int counts_bytes, slows_reads;

static int read_device(const char *line, struct device *d)
{
    long long revolution, latency, rate, cache, read;
    int stripes;
    if (sscanf(line, "%lld %lld %lld %lld %lld %d %4095[^\n]", &revolution, &latency, &rate, &cache,
               &read, &stripes, d->folder) != 7 || stripes < 1 || stripes > STRIPES_MAX)
        return 0;
    d->stripes = stripes;
    d->revolution_ns = revolution;
    d->latency_ns = latency;
    d->bytes_per_s = rate;
    d->cache_bytes = cache;
    d->read_ns = read;
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
        slows_reads |= devices[i].read_ns > 0;
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
static struct device *device_of(int fd, struct stat *status)
{
    char link[40], path[PATH_MAX];
    struct device *best = NULL;
    ssize_t length;

    if (fstat(fd, status) != 0 || !(S_ISREG(status->st_mode) || S_ISDIR(status->st_mode)))
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

/* How long the medium takes for so many bytes. */
static int64_t transfer_of(const struct device *d, int64_t bytes)
{
    return d->bytes_per_s > 0 ? (int64_t)(bytes * 1e9 / (double)d->bytes_per_s) : 0;
}

/* When one device would have answered a sync of so many bytes that began then. */
static int64_t answer_of(struct device *d, int stripe, int64_t began, int64_t now, int64_t bytes)
{
    int64_t transfer = transfer_of(d, bytes);
    int64_t ahead = transfer_of(d, d->cache_bytes);
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
    atomic_store(&d->clock->head[stripe], AFTER_SYNC);
    return answer;
}

/* A place on a device: of the file, what lies there. Two places hardly ever have the same mark. */
static uint64_t mark_of(const struct stat *file, int64_t at)
{
    uint64_t mark = (uint64_t)file->st_dev * 0x9e3779b97f4a7c15ULL + file->st_ino;
    mark = (mark ^ mark >> 29) * 0xbf58476d1ce4e5b9ULL + (uint64_t)at;
    mark = (mark ^ mark >> 32) * 0x94d049bb133111ebULL;
    return mark | 1;
}

/*
 * When one device would have answered a read or write of so many bytes past the page cache. The head
 * stays where it is for what begins where the last access ended. For the first write after a sync too: the
 * revolution of that sync was its positioning. A cache puts writes in order.
 */
static int64_t access_of(struct device *d, int stripe, int64_t began, int64_t bytes,
                         uint64_t first, uint64_t end, int writes)
{
    uint64_t head = atomic_exchange(&d->clock->head[stripe], end);
    int stays = head == first || (writes && (head == AFTER_SYNC || d->cache_bytes > 0));
    int64_t takes = transfer_of(d, bytes) + (stays ? 0 : d->read_ns);
    int64_t busy = atomic_load(&d->clock->busy_until[stripe]);
    int64_t next;

    if (d->bytes_per_s == 0) /* flash: reads don't wait for each other */
        return began + takes;
    do {
        int64_t from = busy > began + HORIZON_NS ? 0 : busy;
        next = max(from, began) + takes;
    } while (!atomic_compare_exchange_weak(&d->clock->busy_until[stripe], &busy, next));
    return writes ? next - transfer_of(d, d->cache_bytes) : next;
}

/* Waits until the devices would have answered that have a part of it, by its place in the file. */
static void access_file(struct device *d, const struct stat *file, int64_t began, int64_t at,
                        int64_t bytes, int writes)
{
    int64_t first[STRIPES_MAX], last[STRIPES_MAX], part[STRIPES_MAX] = {0}, answer = 0;
    int64_t end = at + bytes, row = (int64_t)d->stripes * STRIPE_BYTES;

    if (d->stripes == 1) {
        first[0] = at;
        last[0] = end;
        part[0] = bytes;
    } else {
        while (at < end) {
            int i = (int)(at / STRIPE_BYTES % d->stripes);
            int64_t size = STRIPE_BYTES - at % STRIPE_BYTES;
            int64_t there = at / row * STRIPE_BYTES + at % STRIPE_BYTES;
            size = size < end - at ? size : end - at;
            if (part[i] == 0)
                first[i] = there;
            last[i] = there + size;
            part[i] += size;
            at += size;
        }
    }
    for (int i = 0; i < d->stripes; i++)
        if (part[i] > 0)
            answer = max(answer, access_of(d, i, began, part[i], mark_of(file, first[i]),
                                           mark_of(file, last[i]), writes));
    if (answer > nanos())
        sleep_until(answer);
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
    struct stat file;
    struct device *d = device_count > 0 ? device_of(fd, &file) : NULL;
    if (d)
        settle(d, began, atomic_exchange(&d->clock->unsynced_bytes, 0));
    errno = error;
}

/* Where something began; at is -1 for a call that moves the file's own place. */
static int64_t place_of(int fd, int64_t at, ssize_t bytes)
{
    return at >= 0 ? at : lseek(fd, 0, SEEK_CUR) - bytes;
}

int devices_slow_read(int fd)
{
    int flags;
    if (!slows_reads)
        return 0;
    flags = fcntl(fd, F_GETFL);
    return flags >= 0 && (flags & O_DIRECT);
}

void devices_after_read(int fd, int64_t began, off_t at, ssize_t read)
{
    int error = errno;
    struct stat file;
    struct device *d;
    if (read > 0 && (d = device_of(fd, &file)) && d->read_ns > 0) {
        access_file(d, &file, began, place_of(fd, at, read), read, 0);
        atomic_fetch_add(&d->clock->reads, 1);
        atomic_fetch_add(&d->clock->read_ns, nanos() - began);
    }
    errno = error;
}

void devices_after_write(int fd, int64_t began, off_t at, ssize_t written)
{
    int flags, error = errno;
    struct stat file;
    struct device *d;
    if (written <= 0 || device_count == 0)
        return;
    flags = fcntl(fd, F_GETFL);
    if ((counts_bytes || (flags > 0 && (flags & O_DSYNC))) && (d = device_of(fd, &file))) {
        if (flags > 0 && (flags & O_DSYNC))
            settle(d, began, written);
        else if (flags > 0 && (flags & O_DIRECT) && d->read_ns > 0 && d->bytes_per_s > 0)
            access_file(d, &file, began, place_of(fd, at, written), written, 1);
        else
            atomic_fetch_add(&d->clock->unsynced_bytes, written);
    }
    errno = error;
}
