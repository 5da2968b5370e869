/*
 * Makes syncs of files below given folders, and reads and writes past the page cache (O_DIRECT), take as
 * long as on another device. What is made slow is the answer: the data is really read, or written and
 * synced, first. Reads through the page cache are not made slower.
 *
 * HUBMARK_DEVICES names a file with one line a folder:
 *   REVOLUTION_NS LATENCY_NS BYTES_PER_S CACHE_BYTES READ_NS DEVICES RAID FOLDER
 * where 0 means none. READ_NS is what a read at a random place takes before its first byte comes; without
 * it only syncs are slow. DEVICES of them, each as the numbers before say, make an array of the level RAID:
 * 0, 5 or 10. Beside it, FILE.clock is shared by all processes: when each device is free, where its head is, and what was done,
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
    int stripes, raid;
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
    int stripes, raid;
    if (sscanf(line, "%lld %lld %lld %lld %lld %d %d %4095[^\n]", &revolution, &latency, &rate,
               &cache, &read, &stripes, &raid, d->folder) != 8 || stripes < 1
        || stripes > STRIPES_MAX || (raid == 5 && stripes < 3) || (raid == 10 && stripes % 2 != 0))
        return 0;
    d->stripes = stripes;
    d->raid = raid;
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

enum access { READS, WRITES, WRITES_ANEW };

/*
 * When one device would have answered a read or write of so many bytes past the page cache. The head
 * stays where it is for what begins where the last access ended. For the first write after a sync too: the
 * revolution of that sync was its positioning. A cache puts writes in order. What is written anew was read
 * just before: if nothing came in between, its sector comes round again.
 */
static int64_t access_of(struct device *d, int stripe, int64_t began, int64_t bytes,
                         uint64_t first, uint64_t end, enum access kind)
{
    uint64_t head = atomic_exchange(&d->clock->head[stripe], end);
    int writes = kind != READS;
    int stays = head == first || (writes && (head == AFTER_SYNC || d->cache_bytes > 0));
    int64_t transfer = transfer_of(d, bytes);
    int64_t again = max(0, d->revolution_ns - transfer);
    int64_t positioning = kind == WRITES_ANEW && head == end ? again : d->read_ns;
    int64_t takes = transfer + (stays ? 0 : positioning);
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

/* Stripes of content in a row of an array. */
static int columns_of(const struct device *d)
{
    return d->raid == 10 ? d->stripes / 2 : d->raid == 5 ? d->stripes - 1 : d->stripes;
}

/* An access of one disk of an array, at a place of the disk. */
static int64_t part_of(struct device *d, int disk, const struct stat *file, int64_t began,
                       int64_t at, int64_t bytes, enum access kind)
{
    return access_of(d, disk, began, bytes, mark_of(file, at), mark_of(file, at + bytes), kind);
}

/* A part of a stripe of a RAID 10: read from the disk of the pair that is free first, written to both. */
static int64_t mirrored(struct device *d, int column, const struct stat *file, int64_t began,
                        int64_t at, int64_t bytes, enum access kind)
{
    int one = 2 * column, other = one + 1;
    uint64_t first = mark_of(file, at);

    if (kind != READS) {
        int64_t answer = part_of(d, one, file, began, at, bytes, kind);
        return max(answer, part_of(d, other, file, began, at, bytes, kind));
    }
    if (atomic_load(&d->clock->head[one]) != first
        && (atomic_load(&d->clock->head[other]) == first
            || atomic_load(&d->clock->busy_until[other])
                   < atomic_load(&d->clock->busy_until[one])))
        one = other;
    return part_of(d, one, file, began, at, bytes, READS);
}

/*
 * A part of a stripe of a RAID 5. Of a row that is written whole the parity is known; else what was there and
 * its parity are read, and written when both are known.
 */
static int64_t with_parity(struct device *d, int disk, int parity, const struct stat *file,
                           int64_t began, int64_t at, int64_t bytes, enum access kind, int whole)
{
    int64_t known, answer;

    if (kind == READS || whole)
        return part_of(d, disk, file, began, at, bytes, kind);
    known = part_of(d, disk, file, began, at, bytes, READS);
    known = max(known, part_of(d, parity, file, began, at, bytes, READS));
    answer = part_of(d, disk, file, known, at, bytes, WRITES_ANEW);
    return max(answer, part_of(d, parity, file, known, at, bytes, WRITES_ANEW));
}

/* When the disks of a RAID 5 or 10 would have answered, stripe by stripe. */
static int64_t array_access(struct device *d, const struct stat *file, int64_t began, int64_t at,
                            int64_t bytes, enum access kind)
{
    int64_t begin = at, end = at + bytes, answer = 0;
    int64_t row = (int64_t)columns_of(d) * STRIPE_BYTES;

    while (at < end) {
        int column = (int)(at % row / STRIPE_BYTES);
        int64_t left = STRIPE_BYTES - at % STRIPE_BYTES;
        int64_t size = left < end - at ? left : end - at;
        int64_t stripe = at / row * STRIPE_BYTES;
        int64_t there = stripe + at % STRIPE_BYTES;
        if (d->raid == 10) {
            answer = max(answer, mirrored(d, column, file, began, there, size, kind));
        } else {
            int parity = (int)(at / row % d->stripes);
            int disk = column < parity ? column : column + 1;
            int64_t from = at / row * row;
            int whole = kind != READS && from >= begin && from + row <= end;
            answer = max(answer, with_parity(d, disk, parity, file, began, there, size, kind, whole));
            if (whole && column == 0)
                answer = max(answer, part_of(d, parity, file, began, stripe, STRIPE_BYTES, kind));
        }
        at += size;
    }
    return answer;
}

/* Waits until the devices would have answered that have a part of it, by its place in the file. */
static void access_file(struct device *d, const struct stat *file, int64_t began, int64_t at,
                        int64_t bytes, enum access kind)
{
    int64_t first[STRIPES_MAX], last[STRIPES_MAX], part[STRIPES_MAX] = {0}, answer = 0;
    int64_t end = at + bytes, row = (int64_t)d->stripes * STRIPE_BYTES;

    if (d->raid > 0) {
        answer = array_access(d, file, began, at, bytes, kind);
    } else if (d->stripes == 1) {
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
                                           mark_of(file, last[i]), kind));
    if (answer > nanos())
        sleep_until(answer);
}

/*
 * When the two disks of a RAID 5 or 10 would have answered that have a little that is synced. What was there
 * and its parity take a revolution to be read.
 */
static int64_t array_answer(struct device *d, int64_t began, int64_t now, int64_t bytes)
{
    int64_t turn = atomic_fetch_add(&d->clock->next_stripe, 1), answer = 0;
    int disks[2];

    disks[0] = (int)(d->raid == 10 ? turn % (d->stripes / 2) * 2 : turn % d->stripes);
    disks[1] = (disks[0] + 1) % d->stripes;
    for (int i = 0; i < 2; i++) {
        if (d->raid == 5)
            answer = max(answer, answer_of(d, disks[i], began, now, 0));
        answer = max(answer, answer_of(d, disks[i], began, now, bytes));
    }
    return answer;
}

/* Waits until the device would have answered; of an array, all devices that got some of it. */
static void settle(struct device *d, int64_t began, int64_t bytes)
{
    int64_t now = nanos(), answer = 0;

    if (d->stripes > 1 && bytes > STRIPE_BYTES) {
        for (int i = 0; i < d->stripes; i++)
            answer = max(answer, answer_of(d, i, began, now, bytes / columns_of(d)));
    } else if (d->raid > 0) {
        answer = array_answer(d, began, now, bytes);
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
        access_file(d, &file, began, place_of(fd, at, read), read, READS);
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
            access_file(d, &file, began, place_of(fd, at, written), written, WRITES);
        else
            atomic_fetch_add(&d->clock->unsynced_bytes, written);
    }
    errno = error;
}
