/* What the parts of the library share. Nothing but the calls that it stands in for is visible outside. */
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>

/* The C library's own. */
extern int (*real_fsync)(int);
extern int (*real_fdatasync)(int);
extern int (*real_syncfs)(int);
extern ssize_t (*real_read)(int, void *, size_t);
extern ssize_t (*real_pread)(int, void *, size_t, off_t);
extern ssize_t (*real_readv)(int, const struct iovec *, int);
extern ssize_t (*real_preadv)(int, const struct iovec *, int, off_t);
extern ssize_t (*real_write)(int, const void *, size_t);
extern ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
extern ssize_t (*real_writev)(int, const struct iovec *, int);
extern ssize_t (*real_pwritev)(int, const struct iovec *, int, off_t);
extern int (*real_clock_gettime)(clockid_t, struct timespec *);

/* Of CLOCK_MONOTONIC, which no fault touches. */
int64_t nanos(void);

/* devices.c. Each keeps errno. */
void devices_start(void);
int devices_active(void);
void devices_after_sync(int fd, int64_t began);
/* Whether a read of this file may have to take the time of a device. */
int devices_slow_read(int fd);
/* At is -1 for where the file stands. */
void devices_after_read(int fd, int64_t began, off_t at, ssize_t read);
void devices_after_write(int fd, int64_t began, off_t at, ssize_t written);

/* faults.c. The file that a write or a sync is about. */
struct concern {
    struct stat status;
    int watched;
    int64_t began;
    ssize_t heals; /* so many octets written make a sector readable again; 0 for none */
};
void faults_start(void);
int faults_active(void);
/* 0, or the error that the write gets; at is -1 for where the file stands. */
int faults_before_write(int fd, const struct iovec *data, int count, off_t at, struct concern *file);
void faults_after_write(const struct concern *file, ssize_t written);
/* 0, or the error that the read gets; at is -1 for where the file stands. */
int faults_before_read(int fd, const struct iovec *data, int count, off_t at);
/* 0, or the error that the sync gets. */
int faults_before_sync(int fd, struct concern *file);
void faults_after_sync(int fd, const struct concern *file, int done);
/* What CLOCK_REALTIME is ahead. */
int64_t faults_clock_offset(void);
