/*
 * What the kernel, the network and the disk alone take to accept mail durably: reads, writes, syncs, answers and
 * waits, and looks at nothing else. No server: it believes every client, can't find again what it wrote, and serves
 * hubmark load only. What a hub takes beyond it is the hub's own. With -DCHECK it also looks at each octet as every
 * mail server must that keeps mail by RFC 5321 and finds damage later: bare CR and LF, NUL, octets with the high bit,
 * the longest line, and CRC32C. It needs a processor with AVX2.
 *
 * Each connection reads into one buffer that begins at a page. A thread writes what has come from these buffers, past the
 * page cache, by one call, with one sync, then answers; without FILE messages are answered at once and lost.
 *
 *   cc -O2 -pthread [-DCHECK] -o floor floor.c && ./floor PORT [FILE]
 *   hubmark load --target 127.0.0.1:PORT --sizes 57KB --transfer data --connections 64
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAGE 4096L
#define BUFFER (96L << 10)
#define WHOLE_PAGES_MIN (16L << 10)
#define FILE_BYTES (512L << 20)
#define CONNECTIONS_MAX 1000

struct connection {
    char *octets;
    long count, chunk_end; /* the second is 0 without BDAT */
    int socket;
};

static int port, file = -1;
static struct connection *connections[65536], *waiting[CONNECTIONS_MAX];
static int waiting_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t came = PTHREAD_COND_INITIALIZER;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static char *pages(long bytes) {
    void *memory;
    if (posix_memalign(&memory, PAGE, bytes)) {
        fail("memory");
    }
    return memset(memory, 7, bytes);
}

static int ends(const struct connection *c, const char *end) {
    long length = strlen(end);
    return c->count >= length && memcmp(c->octets + c->count - length, end, length) == 0;
}

static int begins(const struct connection *c, const char *begin) {
    return c->count >= (long) strlen(begin) && memcmp(c->octets, begin, strlen(begin)) == 0;
}

/* Behind it the next command is read. */
static void answer(struct connection *c, const char *text) {
    int socket = c->socket;
    c->count = c->chunk_end = 0;
    if (send(socket, text, strlen(text), MSG_NOSIGNAL) < 0) {
        close(socket);
    }
}

static void accepted(struct connection *c) {
    answer(c, c->chunk_end ? "250 ok\r\n250 ok\r\n250 ok\r\n" : "250 ok\r\n");
}

#ifdef CHECK
#include <immintrin.h>

static volatile unsigned long long checked;

static unsigned long long word(const char *octets) {
    unsigned long long word;
    memcpy(&word, octets, sizeof word);
    return word;
}

/* Three checksums at once, as fast as the processor can; what would make one of them takes no time at these lengths. */
__attribute__((target("sse4.2"))) static unsigned long long checksum(const char *octets, long count) {
    unsigned long long a = 0, b = 0, c = 0;
    long lane = count / 24 * 8, at = 0;
    for (; at < lane; at += 8) {
        a = _mm_crc32_u64(a, word(octets + at));
        b = _mm_crc32_u64(b, word(octets + lane + at));
        c = _mm_crc32_u64(c, word(octets + 2 * lane + at));
    }
    for (at = 3 * lane; at < count; at++) {
        a = _mm_crc32_u8(a, octets[at]);
    }
    return a ^ b ^ c;
}

__attribute__((target("avx2"))) static void check(const char *octets, long count) {
    __m256i cr = _mm256_set1_epi8('\r'), lf = _mm256_set1_epi8('\n'), nul = _mm256_setzero_si256();
    unsigned bare = 0, zero = 0, high = 0, carry = 0;
    long line = 0, longest = 0;
    for (long i = 0; i < count; i += 32) {
        const char *from = octets + i;
        char rest[32];
        if (count - i < 32) {
            from = memcpy(memset(rest, ' ', sizeof rest), from, count - i);
        }
        __m256i part = _mm256_loadu_si256((const __m256i *) from);
        unsigned crs = _mm256_movemask_epi8(_mm256_cmpeq_epi8(part, cr));
        unsigned lfs = _mm256_movemask_epi8(_mm256_cmpeq_epi8(part, lf));
        high |= _mm256_movemask_epi8(part);
        zero |= _mm256_movemask_epi8(_mm256_cmpeq_epi8(part, nul));
        bare |= lfs ^ (crs << 1 | carry);
        carry = crs >> 31;
        for (; lfs; lfs &= lfs - 1) {
            long at = i + __builtin_ctz(lfs);
            longest = at - line > longest ? at - line : longest;
            line = at;
        }
    }
    checked += checksum(octets, count) + bare + zero + high + longest;
}
#else
#define check(octets, count)
#endif

static void whole(struct connection *c) {
    check(c->octets, c->count);
    if (file < 0) {
        accepted(c);
        return;
    }
    pthread_mutex_lock(&lock);
    waiting[waiting_count++] = c;
    pthread_cond_signal(&came);
    pthread_mutex_unlock(&lock);
}

static void *commit(void *unused) {
    static struct connection *group[CONNECTIONS_MAX];
    static struct iovec parts[CONNECTIONS_MAX + 1];
    char *rests = pages(8 << 20);
    long at = 0;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!waiting_count) {
            pthread_cond_wait(&came, &lock);
        }
        int count = waiting_count, part = 1;
        memcpy(group, waiting, count * sizeof *group);
        waiting_count = 0;
        pthread_mutex_unlock(&lock);
        long rest = 0, bytes = 0;
        for (int i = 0; i < count; i++) {
            struct connection *c = group[i];
            long body = c->count < WHOLE_PAGES_MIN ? 0 : c->count / PAGE * PAGE;
            if (body) {
                parts[part++] = (struct iovec) {c->octets, body};
                bytes += body;
            }
            memcpy(rests + rest, c->octets + body, c->count - body);
            rest += c->count - body;
        }
        parts[0] = (struct iovec) {rests, (rest + PAGE - 1) / PAGE * PAGE};
        bytes += parts[0].iov_len;
        at = at + bytes > FILE_BYTES ? 0 : at;
        if (pwritev(file, parts, part, at) != bytes || fdatasync(file)) {
            fail("write");
        }
        at += bytes;
        for (int i = 0; i < count; i++) {
            accepted(group[i]);
        }
    }
    return unused;
}

static void received(struct connection *c, int first) {
    if (first && begins(c, "EHLO")) {
        answer(c, "250-floor\r\n250-PIPELINING\r\n250-CHUNKING\r\n250-SIZE\r\n250 8BITMIME\r\n");
    } else if (first && begins(c, "QUIT")) {
        answer(c, "221 bye\r\n");
    } else if (first && ends(c, "DATA\r\n")) {
        answer(c, "250 ok\r\n250 ok\r\n354 go\r\n");
    } else {
        char *chunk = first && begins(c, "MAIL") ? memmem(c->octets, c->count, "BDAT ", 5) : NULL;
        if (chunk) {
            long octets = strtol(chunk + 5, &chunk, 10);
            c->chunk_end = strchr(chunk, '\n') + 1 - c->octets + octets;
        }
        if (c->chunk_end ? c->count >= c->chunk_end : ends(c, "\r\n.\r\n")) {
            whole(c);
        }
    }
}

static struct connection *take(int listener, int poll) {
    int on = 1, socket = accept(listener, NULL, NULL);
    if (socket < 0) {
        fail("accept");
    }
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct connection *c = connections[socket] ? connections[socket] : calloc(1, sizeof *c);
    c->octets = c->octets ? c->octets : pages(BUFFER);
    c->socket = socket;
    struct epoll_event event = {.events = EPOLLIN, .data.fd = socket};
    epoll_ctl(poll, EPOLL_CTL_ADD, socket, &event);
    return connections[socket] = c;
}

static void *serve(void *unused) {
    int on = 1, poll = epoll_create1(0), listener = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (bind(listener, (struct sockaddr *) &at, sizeof at) || listen(listener, 512)) {
        fail("listen");
    }
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[256];
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        int count = epoll_wait(poll, events, 256, -1);
        for (int i = 0; i < count; i++) {
            if (events[i].data.fd == listener) {
                answer(take(listener, poll), "220 floor\r\n");
                continue;
            }
            struct connection *c = connections[events[i].data.fd];
            int first = c->count == 0;
            ssize_t got = recv(c->socket, c->octets + c->count, BUFFER - c->count, 0);
            if (got <= 0) {
                close(c->socket);
            } else {
                c->count += got;
                received(c, first);
            }
        }
    }
    return unused;
}

int main(int argc, char **argv) {
    pthread_t thread;
    port = atoi(argc > 1 ? argv[1] : "3725");
    if (argc > 2) {
        file = open(argv[2], O_RDWR | O_CREAT | O_DIRECT, 0600);
        char *chunk = pages(1 << 20);
        for (long at = 0; at < FILE_BYTES; at += 1 << 20) {
            if (pwrite(file, chunk, 1 << 20, at) < 0) {
                fail(argv[2]);
            }
        }
        fdatasync(file);
        pthread_create(&thread, NULL, commit, NULL);
    }
    pthread_create(&thread, NULL, serve, NULL);
    serve(NULL);
}
