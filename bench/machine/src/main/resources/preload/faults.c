/*
 * Makes reads, writes and syncs below a folder fail, tears a write, and steps the clock, when told to.
 *
 * HUBMARK_FAULTS names a file of 17 numbers of 64 bits (struct faults): the process that tests the
 * server sets faults while it runs, and reads what became of them.
 * HUBMARK_FAULTS_BELOW names the folder. HUBMARK_FAULTS_WATCHED names one of which it is noted since
 * when something in it waits for a sync; only for a server that is one process.
 */
#define _GNU_SOURCE
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
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "preload.h"

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
    _Atomic int64_t struck; /* reads, writes, syncs and looks at the clock that got a fault */
    _Atomic int64_t unsynced_since; /* the oldest write that no sync has covered; 0 is none */
    _Atomic int64_t sync_started; /* the sync that is under way; 0 is none */
    _Atomic int64_t unproven_since; /* the oldest write after which nothing was written that could
                                       say that it was synced */
    _Atomic int64_t longest_sync_ns; /* of the watched files */
    _Atomic int64_t bad_inode; /* of the file with a sector that can't be read; 0 is none */
    _Atomic int64_t bad_at; /* where that begins */
    _Atomic int64_t bad_size;
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

void faults_start(void)
{
    const char *name = getenv("HUBMARK_FAULTS"), *folder = getenv("HUBMARK_FAULTS_BELOW");
    const char *watch = getenv("HUBMARK_FAULTS_WATCHED");
    void *shared;
    int fd;

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

int faults_active(void)
{
    return faults != NULL;
}

static int within(const char *path, const char *folder, size_t length)
{
    return length > 0 && strncmp(path, folder, length) == 0 && path[length] == '/';
}

/* Whether a descriptor is a file below the folder. */
static int concerned(int fd, struct concern *file)
{
    char link[40], path[PATH_MAX];
    ssize_t length;

    file->watched = 0;
    if (!faults || fstat(fd, &file->status) != 0 || !S_ISREG(file->status.st_mode))
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    if (!within(path, below, below_length))
        return 0;
    atomic_fetch_add(&faults->seen, 1);
    file->watched = within(path, watched, watched_length);
    return 1;
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
    int64_t now = nanos();
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
    int64_t now = nanos();
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
    int64_t took = nanos() - began;
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

int faults_before_read(int fd, const struct iovec *data, int count, off_t at)
{
    int64_t inode = faults ? atomic_load(&faults->bad_inode) : 0;
    off_t bad, from;
    struct concern file;

    if (!inode)
        return 0;
    bad = atomic_load(&faults->bad_at);
    from = at >= 0 ? at : lseek(fd, 0, SEEK_CUR);
    if (from >= bad + atomic_load(&faults->bad_size) || from + (off_t)total(data, count) <= bad
        || fstat(fd, &file.status) != 0 || (int64_t)file.status.st_ino != inode
        || !concerned(fd, &file))
        return 0;
    atomic_fetch_add(&faults->struck, 1);
    return EIO;
}

/* A sector that is written as a whole can be read again. */
static ssize_t heals(int fd, const struct stat *status, size_t bytes, off_t at)
{
    int64_t inode = atomic_load(&faults->bad_inode);
    off_t from, end;
    if (!inode || (int64_t)status->st_ino != inode)
        return 0;
    from = at >= 0 ? at : lseek(fd, 0, SEEK_CUR);
    end = atomic_load(&faults->bad_at) + atomic_load(&faults->bad_size);
    return from <= atomic_load(&faults->bad_at) && from + (off_t)bytes >= end ? end - from : 0;
}

int faults_before_write(int fd, const struct iovec *data, int count, off_t at, struct concern *file)
{
    file->heals = 0;
    if (!concerned(fd, file))
        return 0;
    file->heals = heals(fd, &file->status, total(data, count), at);
    file->watched = file->watched && !only_zeros(data, count);
    if (file->watched) {
        write_begins(&file->status);
        remember(fd, &file->status, at, total(data, count));
    }
    if (atomic_load(&faults->tear_at) > 0 && atomic_fetch_sub(&faults->tear_at, 1) == 1)
        tear(fd, data, count, at);
    if (due(&faults->write_eio_at))
        return EIO;
    if (atomic_load(&faults->full)) {
        int64_t bytes = (int64_t)total(data, count);
        if (atomic_fetch_sub(&faults->bytes_left, bytes) < bytes) {
            atomic_fetch_add(&faults->struck, 1);
            return ENOSPC;
        }
    }
    return 0;
}

void faults_after_write(const struct concern *file, ssize_t written)
{
    if (file->heals > 0 && written >= file->heals)
        atomic_store(&faults->bad_inode, 0);
    if (file->watched && written > 0)
        write_ended();
}

int faults_before_sync(int fd, struct concern *file)
{
    if (!concerned(fd, file))
        return 0;
    if (file->watched)
        file->began = sync_begins(&file->status);
    return due(&faults->sync_eio_at) ? EIO : 0;
}

void faults_after_sync(int fd, const struct concern *file, int done)
{
    if (!file->watched)
        return;
    forget(fd, &file->status, !done);
    sync_ended(&file->status, done, file->began);
}

int64_t faults_clock_offset(void)
{
    int64_t offset = faults ? atomic_load(&faults->clock_offset_ns) : 0;
    if (offset)
        atomic_fetch_add(&faults->struck, 1);
    return offset;
}
