/*
 * Makes files act as on another device (devices.c), and lets reads, writes, syncs and the clock go wrong
 * (faults.c), in the process that it is preloaded into (LD_PRELOAD); needs no privileges. One library for
 * both, so that a file on an emulated device can have faults: first the fault, if one is due, then the
 * call, then the time that the device would take.
 *
 * Stands in for fsync, fdatasync, syncfs, the reads and writes, and the ways to ask for the time. Not seen:
 * io_uring, Linux AIO, preadv2, pwritev2, sync_file_range, msync, mapped reads and writes, sync(2),
 * statically linked programs, and clocks that are read without the C library.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/time.h>
#include <unistd.h>

#include "preload.h"

#define VISIBLE __attribute__((visibility("default")))

int (*real_fsync)(int);
int (*real_fdatasync)(int);
int (*real_syncfs)(int);
ssize_t (*real_read)(int, void *, size_t);
ssize_t (*real_pread)(int, void *, size_t, off_t);
ssize_t (*real_readv)(int, const struct iovec *, int);
ssize_t (*real_preadv)(int, const struct iovec *, int, off_t);
ssize_t (*real_write)(int, const void *, size_t);
ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
ssize_t (*real_writev)(int, const struct iovec *, int);
ssize_t (*real_pwritev)(int, const struct iovec *, int, off_t);
int (*real_clock_gettime)(clockid_t, struct timespec *);

/* Also before start(), from what other libraries do as they are loaded. */
static void resolve(void)
{
    if (real_clock_gettime)
        return;
    *(void **)&real_fsync = dlsym(RTLD_NEXT, "fsync");
    *(void **)&real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    *(void **)&real_syncfs = dlsym(RTLD_NEXT, "syncfs");
    *(void **)&real_read = dlsym(RTLD_NEXT, "read");
    *(void **)&real_pread = dlsym(RTLD_NEXT, "pread");
    *(void **)&real_readv = dlsym(RTLD_NEXT, "readv");
    *(void **)&real_preadv = dlsym(RTLD_NEXT, "preadv");
    *(void **)&real_write = dlsym(RTLD_NEXT, "write");
    *(void **)&real_pwrite = dlsym(RTLD_NEXT, "pwrite");
    *(void **)&real_writev = dlsym(RTLD_NEXT, "writev");
    *(void **)&real_pwritev = dlsym(RTLD_NEXT, "pwritev");
    *(void **)&real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
}

__attribute__((constructor)) static void start(void)
{
    resolve();
    devices_start();
    faults_start();
}

static int active(void)
{
    resolve();
    return devices_active() || faults_active();
}

int64_t nanos(void)
{
    struct timespec now;
    real_clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000LL + now.tv_nsec;
}

#define SYNC(name)                                                                                 \
    VISIBLE int name(int fd)                                                                       \
    {                                                                                              \
        struct concern file;                                                                       \
        int64_t began;                                                                             \
        int error;                                                                                 \
        if (!active())                                                                             \
            return real_##name(fd);                                                                \
        began = nanos();                                                                           \
        error = faults_before_sync(fd, &file);                                                     \
        if (!error && real_##name(fd) != 0)                                                        \
            error = errno;                                                                         \
        if (!error)                                                                                \
            devices_after_sync(fd, began);                                                         \
        faults_after_sync(fd, &file, !error);                                                      \
        if (!error)                                                                                \
            return 0;                                                                              \
        errno = error;                                                                             \
        return -1;                                                                                 \
    }

SYNC(fsync)
SYNC(fdatasync)

VISIBLE int syncfs(int fd)
{
    int64_t began;
    int result;
    if (!active())
        return real_syncfs(fd);
    began = nanos();
    result = real_syncfs(fd);
    if (result == 0)
        devices_after_sync(fd, began);
    return result;
}

#define WRITE(name, real, parameters, arguments, data, count, at)                                  \
    VISIBLE ssize_t name parameters                                                                \
    {                                                                                              \
        struct concern file;                                                                       \
        int64_t began;                                                                             \
        int error;                                                                                 \
        ssize_t written;                                                                           \
        if (!active())                                                                             \
            return real arguments;                                                                 \
        began = nanos();                                                                           \
        error = faults_before_write(fd, data, count, at, &file);                                   \
        if (error) {                                                                               \
            errno = error;                                                                         \
            return -1;                                                                             \
        }                                                                                          \
        written = real arguments;                                                                  \
        faults_after_write(&file, written);                                                        \
        devices_after_write(fd, began, at, written);                                               \
        return written;                                                                            \
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
/* The same function under the name that programs built for 64-bit offsets call. */
WRITE(pwrite64, real_pwrite, (int fd, const void *buffer, size_t size, off64_t at),
      (fd, buffer, size, at), ONE, 1, at)
WRITE(pwritev64, real_pwritev, (int fd, const struct iovec *list, int count, off64_t at),
      (fd, list, count, at), list, count, at)
#endif

#define READ(name, real, parameters, arguments, data, count, at)                                   \
    VISIBLE ssize_t name parameters                                                                \
    {                                                                                              \
        int64_t began;                                                                             \
        int error;                                                                                 \
        ssize_t got;                                                                               \
        resolve();                                                                                 \
        error = faults_before_read(fd, data, count, at);                                           \
        if (error) {                                                                               \
            errno = error;                                                                         \
            return -1;                                                                             \
        }                                                                                          \
        if (!devices_slow_read(fd))                                                                \
            return real arguments;                                                                 \
        began = nanos();                                                                           \
        got = real arguments;                                                                      \
        devices_after_read(fd, began, at, got);                                                    \
        return got;                                                                                \
    }

READ(read, real_read, (int fd, void *buffer, size_t size), (fd, buffer, size), ONE, 1, -1)
READ(readv, real_readv, (int fd, const struct iovec *list, int count), (fd, list, count), list,
     count, -1)
READ(pread, real_pread, (int fd, void *buffer, size_t size, off_t at), (fd, buffer, size, at), ONE,
     1, at)
READ(preadv, real_preadv, (int fd, const struct iovec *list, int count, off_t at),
     (fd, list, count, at), list, count, at)
#if __SIZEOF_LONG__ == 8
READ(pread64, real_pread, (int fd, void *buffer, size_t size, off64_t at), (fd, buffer, size, at),
     ONE, 1, at)
READ(preadv64, real_preadv, (int fd, const struct iovec *list, int count, off64_t at),
     (fd, list, count, at), list, count, at)
#endif

VISIBLE int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result;
    resolve();
    result = real_clock_gettime(clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        int64_t offset = faults_clock_offset();
        if (offset) {
            int64_t at = (int64_t)now->tv_sec * 1000000000LL + now->tv_nsec + offset;
            now->tv_sec = at / 1000000000LL;
            now->tv_nsec = at % 1000000000LL;
        }
    }
    return result;
}

VISIBLE int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec exact;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &exact) != 0)
        return -1;
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

VISIBLE time_t time(time_t *result)
{
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (result)
        *result = exact.tv_sec;
    return exact.tv_sec;
}
