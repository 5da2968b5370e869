/*
 * Makes writes and syncs below a folder fail, tears a write, and steps the clock, when told to.
 * Preloaded into a server (LD_PRELOAD); needs no privileges.
 *
 * HUBMARK_FAULTS names a file of 13 numbers of 64 bits (struct faults): the process that tests the
 * server changes the first 8 while it runs, and reads what became of them in the others.
 * HUBMARK_FAULTS_BELOW names the folder. HUBMARK_FAULTS_WATCHED names one of which it is noted since
 * when something in it waits for a sync; only for a server that is one process.
 *
 * Not seen: io_uring, mapped writes, statically linked programs, and clocks read without the C library.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define SECTOR 512
#define WATCHED_MAX 128

struct faults {
    _Atomic int64_t tear_at; /* the nth write from now is torn and kills the process; 0 is never */
    _Atomic int64_t tear_share; /* how much of it is done, in thousandths */
    _Atomic int64_t write_eio_at; /* the nth write from now fails */
    _Atomic int64_t sync_eio_at; /* the nth sync from now fails */
    _Atomic int64_t eio_forever; /* and so does each one after it */
    _Atomic int64_t full; /* whether there is a limit to what can be written */
    _Atomic int64_t bytes_left; /* until there is no space */
    _Atomic int64_t clock_offset_ns; /* of CLOCK_REALTIME */
    _Atomic int64_t seen; /* writes and syncs below the folder */
    _Atomic int64_t struck; /* writes, syncs and looks at the clock that got a fault */
    _Atomic int64_t unsynced_since; /* the oldest write that no sync has covered; 0 is none */
    _Atomic int64_t sync_started; /* the sync that is under way; 0 is none */
    _Atomic int64_t unproven_since; /* the oldest write after which nothing was written that could
                                       say that it was synced */
    _Atomic int64_t longest_sync_ns; /* of the watched files */
};

static struct faults *faults;
static char below[PATH_MAX], watched[PATH_MAX];
static size_t below_length, watched_length;

/* A file in the watched folder; times are of CLOCK_MONOTONIC, and 0 is never. */
static struct file {
    dev_t device;
    ino_t inode;
    int64_t since; /* the oldest write that no sync has covered */
    int64_t during; /* the oldest one that was begun while a sync was under way */
    int syncing;
} files[WATCHED_MAX];
static pthread_mutex_t files_lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t dirty_since; /* when all was synced for the last time, the next write was then */

static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static ssize_t (*real_pwritev)(int, const struct iovec *, int, off_t);
static int (*real_clock_gettime)(clockid_t, struct timespec *);

static void resolve(void)
{
    if (real_clock_gettime)
        return;
    *(void **)&real_fsync = dlsym(RTLD_NEXT, "fsync");
    *(void **)&real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    *(void **)&real_write = dlsym(RTLD_NEXT, "write");
    *(void **)&real_pwrite = dlsym(RTLD_NEXT, "pwrite");
    *(void **)&real_writev = dlsym(RTLD_NEXT, "writev");
    *(void **)&real_pwritev = dlsym(RTLD_NEXT, "pwritev");
    *(void **)&real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
}

__attribute__((constructor)) static void start(void)
{
    const char *name = getenv("HUBMARK_FAULTS"), *folder = getenv("HUBMARK_FAULTS_BELOW");
    const char *watch = getenv("HUBMARK_FAULTS_WATCHED");
    void *shared;
    int fd;

    resolve();
    if (!name || !folder || !realpath(folder, below))
        return;
    below_length = strlen(below);
    fd = open(name, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return;
    shared = mmap(NULL, sizeof *faults, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (shared == MAP_FAILED)
        return;
    if (watch && realpath(watch, watched))
        watched_length = strlen(watched);
    faults = shared;
}

static int within(const char *path, const char *folder, size_t length)
{
    return length > 0 && strncmp(path, folder, length) == 0 && path[length] == '/';
}

/* Whether a descriptor is a file below the folder; file_watched is set if it is watched too. */
static int concerned(int fd, struct stat *status, int *file_watched)
{
    char link[40], path[PATH_MAX];
    ssize_t length;

    *file_watched = 0;
    if (!faults || fstat(fd, status) != 0 || !S_ISREG(status->st_mode))
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    if (!within(path, below, below_length))
        return 0;
    atomic_fetch_add(&faults->seen, 1);
    *file_watched = within(path, watched, watched_length);
    return 1;
}

static int64_t now_ns(void)
{
    struct timespec now;
    real_clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* With the lock. Where there is no room for one more, the oldest write just stays the oldest. */
static struct file *find(const struct stat *status)
{
    struct file *unused = NULL;
    for (int i = 0; i < WATCHED_MAX; i++) {
        if (files[i].device == status->st_dev && files[i].inode == status->st_ino)
            return &files[i];
        if (!unused && !files[i].since && !files[i].syncing)
            unused = &files[i];
    }
    if (unused)
        *unused = (struct file) {.device = status->st_dev, .inode = status->st_ino};
    return unused;
}

/* With the lock. */
static int64_t oldest(void)
{
    int64_t since = 0;
    for (int i = 0; i < WATCHED_MAX; i++)
        if (files[i].since && (!since || files[i].since < since))
            since = files[i].since;
    return since;
}

/* What a write has replaced in a watched file, the newest first, while a sync is to fail. */
static struct undo {
    struct undo *next;
    dev_t device;
    ino_t inode;
    off_t at;
    ssize_t size;
    char bytes[];
} *undos;

static void remember(int fd, const struct stat *status, off_t at, size_t size)
{
    char link[40];
    int reader;
    struct undo *undo;

    if (atomic_load(&faults->sync_eio_at) <= 0)
        return;
    /* The descriptor itself may be for writing only. */
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if ((reader = open(link, O_RDONLY | O_CLOEXEC)) < 0)
        return;
    if ((undo = malloc(sizeof *undo + size))) {
        undo->device = status->st_dev;
        undo->inode = status->st_ino;
        undo->at = at >= 0 ? at : lseek(fd, 0, SEEK_CUR);
        undo->size = pread(reader, undo->bytes, size, undo->at);
        pthread_mutex_lock(&files_lock);
        undo->next = undos;
        undos = undo;
        pthread_mutex_unlock(&files_lock);
    }
    close(reader);
}

/* After a failed sync the pages of the file are what the medium has, as most kernels make them. */
static void forget(int fd, const struct stat *status, int lost)
{
    struct undo **link = &undos, *undo;
    pthread_mutex_lock(&files_lock);
    while ((undo = *link)) {
        if (undo->device != status->st_dev || undo->inode != status->st_ino) {
            link = &undo->next;
            continue;
        }
        if (lost && undo->size > 0)
            (void)!real_pwrite(fd, undo->bytes, undo->size, undo->at);
        *link = undo->next;
        free(undo);
    }
    pthread_mutex_unlock(&files_lock);
}

static void write_begins(const struct stat *status)
{
    int64_t now = now_ns();
    struct file *file;
    pthread_mutex_lock(&files_lock);
    if (!oldest())
        dirty_since = now;
    if ((file = find(status))) {
        if (!file->since)
            file->since = now;
        if (file->syncing && !file->during)
            file->during = now;
    }
    atomic_store(&faults->unsynced_since, oldest());
    pthread_mutex_unlock(&files_lock);
}

static void write_ended(void)
{
    pthread_mutex_lock(&files_lock);
    /* What was written says of all that was synced before that it was. */
    if (oldest())
        atomic_store(&faults->unproven_since, oldest());
    pthread_mutex_unlock(&files_lock);
}

static int64_t sync_begins(const struct stat *status)
{
    int64_t now = now_ns();
    struct file *file;
    pthread_mutex_lock(&files_lock);
    if ((file = find(status)))
        file->syncing++;
    atomic_store(&faults->sync_started, now);
    pthread_mutex_unlock(&files_lock);
    return now;
}

static void sync_ended(const struct stat *status, int done, int64_t began)
{
    int64_t took = now_ns() - began;
    struct file *file;
    pthread_mutex_lock(&files_lock);
    if (took > atomic_load(&faults->longest_sync_ns))
        atomic_store(&faults->longest_sync_ns, took);
    if ((file = find(status)) && file->syncing) {
        file->syncing--;
        if (done)
            file->since = file->during;
        file->during = 0;
    }
    atomic_store(&faults->unsynced_since, oldest());
    if (!oldest())
        atomic_store(&faults->unproven_since, dirty_since);
    atomic_store(&faults->sync_started, 0);
    pthread_mutex_unlock(&files_lock);
}

/* Counts down to 1; true for the one that comes to it, and afterwards if that is for good. */
static int due(_Atomic int64_t *count)
{
    int64_t now = atomic_load(count);
    while (now > 0) {
        int forever = now == 1 && atomic_load(&faults->eio_forever);
        if (forever || atomic_compare_exchange_weak(count, &now, now - 1)) {
            if (now == 1)
                atomic_fetch_add(&faults->struck, 1);
            return now == 1;
        }
    }
    return 0;
}

static size_t total(const struct iovec *data, int count)
{
    size_t bytes = 0;
    for (int i = 0; i < count; i++)
        bytes += data[i].iov_len;
    return bytes;
}

/* Does a part of the sectors and dies. */
static void tear(int fd, const struct iovec *data, int count, off_t at)
{
    size_t bytes = total(data, count), done = 0;
    char *all = malloc(bytes + 1), *end = all;
    atomic_fetch_add(&faults->struck, 1);
    if (all) {
        for (int i = 0; i < count; i++) {
            memcpy(end, data[i].iov_base, data[i].iov_len);
            end += data[i].iov_len;
        }
        done = (size_t)((double)bytes * (double)atomic_load(&faults->tear_share) / 1000.0);
        done -= done % SECTOR;
        if (at >= 0)
            (void)!real_pwrite(fd, all, done, at);
        else
            (void)!real_write(fd, all, done);
    }
    kill(getpid(), SIGKILL);
    pause();
}

/* 0, or the error that the write gets. */
/* What a file is filled with before its use; it holds nothing that was acknowledged. */
static int only_zeros(const struct iovec *data, int count)
{
    for (int i = 0; i < count; i++) {
        const char *octets = data[i].iov_base;
        size_t size = data[i].iov_len;
        if (size > 0 && (octets[0] || memcmp(octets, octets + 1, size - 1)))
            return 0;
    }
    return 1;
}

static int before_write(
    int fd, const struct iovec *data, int count, off_t at, int *file_watched)
{
    int64_t bytes;
    struct stat status;
    if (!concerned(fd, &status, file_watched))
        return 0;
    *file_watched = *file_watched && !only_zeros(data, count);
    if (*file_watched) {
        write_begins(&status);
        remember(fd, &status, at, total(data, count));
    }
    if (atomic_load(&faults->tear_at) > 0 && atomic_fetch_sub(&faults->tear_at, 1) == 1)
        tear(fd, data, count, at);
    if (due(&faults->write_eio_at))
        return EIO;
    if (atomic_load(&faults->full)) {
        bytes = (int64_t)total(data, count);
        if (atomic_fetch_sub(&faults->bytes_left, bytes) < bytes) {
            atomic_fetch_add(&faults->struck, 1);
            return ENOSPC;
        }
    }
    return 0;
}

#define WRITE(name, real, parameters, arguments, data, count, at)                                  \
    ssize_t name parameters                                                                        \
    {                                                                                              \
        int error, file_watched;                                                                   \
        ssize_t done;                                                                              \
        resolve();                                                                                 \
        if (!faults)                                                                               \
            return real arguments;                                                                 \
        error = before_write(fd, data, count, at, &file_watched);                                  \
        if (error) {                                                                               \
            errno = error;                                                                         \
            return -1;                                                                             \
        }                                                                                          \
        done = real arguments;                                                                     \
        if (file_watched && done > 0)                                                              \
            write_ended();                                                                         \
        return done;                                                                               \
    }

#define ONE (&(struct iovec){(void *)buffer, size})

WRITE(write, real_write, (int fd, const void *buffer, size_t size), (fd, buffer, size), ONE, 1, -1)
WRITE(writev, real_writev, (int fd, const struct iovec *list, int count), (fd, list, count), list,
      count, -1)
WRITE(pwrite, real_pwrite, (int fd, const void *buffer, size_t size, off_t at),
      (fd, buffer, size, at), ONE, 1, at)
WRITE(pwritev, real_pwritev, (int fd, const struct iovec *list, int count, off_t at),
      (fd, list, count, at), list, count, at)
#if __SIZEOF_LONG__ == 8
WRITE(pwrite64, real_pwrite, (int fd, const void *buffer, size_t size, off64_t at),
      (fd, buffer, size, at), ONE, 1, at)
WRITE(pwritev64, real_pwritev, (int fd, const struct iovec *list, int count, off64_t at),
      (fd, list, count, at), list, count, at)
#endif

#define SYNC(name)                                                                                 \
    int name(int fd)                                                                               \
    {                                                                                              \
        struct stat status;                                                                        \
        int file_watched, result, error = 0;                                                       \
        int64_t began = 0;                                                                         \
        resolve();                                                                                 \
        if (!faults || !concerned(fd, &status, &file_watched))                                     \
            return real_##name(fd);                                                                \
        if (file_watched)                                                                          \
            began = sync_begins(&status);                                                          \
        if (due(&faults->sync_eio_at)) {                                                           \
            result = -1;                                                                           \
            error = EIO;                                                                           \
        } else if ((result = real_##name(fd)) != 0) {                                              \
            error = errno;                                                                         \
        }                                                                                          \
        if (file_watched)                                                                          \
            forget(fd, &status, result != 0);                                                      \
        if (file_watched)                                                                          \
            sync_ended(&status, result == 0, began);                                               \
        if (error)                                                                                 \
            errno = error;                                                                         \
        return result;                                                                             \
    }

SYNC(fsync)
SYNC(fdatasync)

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result;
    int64_t offset;
    resolve();
    result = real_clock_gettime(clock, now);
    if (result == 0 && faults && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
        && (offset = atomic_load(&faults->clock_offset_ns)) != 0) {
        int64_t nanos = (int64_t)now->tv_sec * 1000000000LL + now->tv_nsec + offset;
        now->tv_sec = nanos / 1000000000LL;
        now->tv_nsec = nanos % 1000000000LL;
        atomic_fetch_add(&faults->struck, 1);
    }
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec exact;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &exact) != 0)
        return -1;
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result)
{
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (result)
        *result = exact.tv_sec;
    return exact.tv_sec;
}
