package org.hubmark.bench.durability.unsynced;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The main class of a process that shows {@link RecordedFiles} as a file system, by the kernel's FUSE
 * protocol (linux/fuse.h, version 7.31) on standard input. The kernel's write-back cache is off: a write
 * is recorded before the server knows that it was done.
 *
 * <p>A flush takes its time, and now and then much of it, while all else goes on: who answers without
 * waiting for it is seen to.
 */
public final class FileRecorderMain {
    private static final int HEADER_BYTES = 40;
    private static final int REPLY_HEADER_BYTES = 16;
    private static final int TRANSFER_BYTES_MAX = 1 << 20;
    private static final int PAGE_BYTES = 4096;
    private static final long VALID_SECONDS = 3600;

    /** Reads ahead, writes large, and direct input and output that need not be done one by one. */
    private static final int INIT_FLAGS = 1 | 1 << 5 | 1 << 15 | 1 << 22;

    private static final int ENOSYS = 38;
    private static final int EOPNOTSUPP = 95;

    /** O_DSYNC, which O_SYNC contains. */
    private static final int SYNCED = 010000;

    private static final int RENAME_KEEPS = 1;
    private static final int RENAME_EXCHANGES = 2;

    private static final int PUNCH = 2;
    private static final int ZERO = 16;
    private static final int KEEP_SIZE = 1;

    /** Longer than it takes to read a 250 that is there, on a busy machine too. */
    private static final long FLUSH_MILLIS = 8;

    private static final long LONG_FLUSH_MILLIS = 150;
    private static final int ONE_IN_LONG = 16;

    private final RecordedFiles files;
    private final FileChannel in;
    private final FileChannel out;
    private final Random random;
    private final ScheduledExecutorService flushes = Executors.newSingleThreadScheduledExecutor();
    private final Map<Long, List<RecordedFiles.Entry>> listed = new HashMap<>();
    private long handles;
    private final ByteBuffer request = ByteBuffer.allocateDirect(TRANSFER_BYTES_MAX + PAGE_BYTES)
            .order(ByteOrder.nativeOrder());
    private final ByteBuffer reply = ByteBuffer.allocateDirect(TRANSFER_BYTES_MAX + PAGE_BYTES)
            .order(ByteOrder.nativeOrder());

    private FileRecorderMain(FileRecord record, long seed, FileChannel in, FileChannel out) {
        this.files = new RecordedFiles(record);
        this.random = new Random(seed);
        this.in = in;
        this.out = out;
    }

    /**
     * Serves until the file system is unmounted, or the process that wants it is gone.
     *
     * @param arguments the file for the record, the seed of how long flushes take, the process id of who
     *     wants it, and where it is mounted
     */
    public static void main(String[] arguments) throws IOException {
        ProcessHandle.of(Long.parseLong(arguments[2])).ifPresent(user -> {
            var unused = user.onExit().thenRun(() -> remove(arguments[3]));
        });
        // Standard input is the connection to the kernel, opened for both directions.
        try (FileRecord record = new FileRecord(Path.of(arguments[0]));
                FileChannel in = new FileInputStream(FileDescriptor.in).getChannel();
                FileChannel out = new FileOutputStream(FileDescriptor.in).getChannel()) {
            FileRecorderMain recorder =
                    new FileRecorderMain(record, Long.parseLong(arguments[1]), in, out);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> recorder.end(record)));
            recorder.serve();
        }
    }

    /** Nobody else is left who could. */
    private static void remove(String mountPoint) {
        try {
            var unused = new ProcessBuilder("umount", "-q", "-l", mountPoint).start();
        } catch (IOException e) {
            Runtime.getRuntime().halt(1);
        }
    }

    /** What was recorded is written when this process is told to end, too. */
    private void end(FileRecord record) {
        synchronized (files) {
            try {
                record.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void serve() throws IOException {
        while (true) {
            request.clear();
            try {
                if (in.read(request) < HEADER_BYTES) {
                    break;
                }
            } catch (IOException e) {
                // Unmounted: the kernel says ENODEV.
                break;
            }
            request.flip();
            synchronized (files) {
                answer(request.getInt(4), request.getLong(8), request.getLong(16));
            }
        }
        flushes.shutdownNow();
    }

    private void answer(int operation, long unique, long node) throws IOException {
        reply.clear().position(REPLY_HEADER_BYTES);
        int error = 0;
        try {
            switch (operation) {
                case 1 -> putEntry(files.child(node, name(0)));
                case 2, 36, 42 -> {
                    // Forget, interrupt: nobody waits for an answer.
                    return;
                }
                case 3 -> putAttributes(files.node(node));
                case 4 -> change(files.node(node));
                case 5 -> reply.put(files.node(node).target);
                case 6 -> symlink(node);
                case 8 -> putEntry(make(node, name(16), argument(0), argument(4)));
                case 9 ->
                    putEntry(make(node, name(8), (argument(0) & 07777) | RecordedFiles.FOLDER, 0));
                case 10 -> files.remove(node, name(0), false);
                case 11 -> files.remove(node, name(0), true);
                case 12 -> rename(node, 8, 0);
                case 13 -> putEntry(files.link(longArgument(0), node, name(8)));
                case 14 -> putOpened(files.node(node));
                case 15 -> reply.put(files.node(node).content.read(longArgument(8), argument(16)));
                case 16 -> {
                    if (write(files.node(node), unique)) {
                        return;
                    }
                }
                case 17 -> putStatistics();
                case 18 -> close(node);
                case 20 -> {
                    boolean dataOnly = (argument(8) & 1) != 0;
                    FileEvent.Call call =
                            dataOnly ? FileEvent.Call.FDATASYNC : FileEvent.Call.FSYNC;
                    flush(unique, node, call, 0, Long.MAX_VALUE, 0);
                    return;
                }
                case 25, 34, 38 -> {
                    // Nothing to do: close of a descriptor, access, destroy.
                }
                case 26 -> init();
                case 27 -> {
                    handles++;
                    reply.putLong(handles).putInt(0).putInt(0);
                }
                case 28 -> list(files.node(node));
                case 29 -> listed.remove(longArgument(0));
                case 30 -> {
                    flush(unique, node, FileEvent.Call.FSYNC_FOLDER, 0, Long.MAX_VALUE, 0);
                    return;
                }
                case 35 -> {
                    RecordedFiles.Node made =
                            make(node, name(16), (argument(4) & 07777) | RecordedFiles.FILE, 0);
                    putEntry(made);
                    putOpened(made);
                }
                case 43 -> error = allocate(files.node(node));
                case 45 -> rename(node, 16, argument(8));
                default -> error = ENOSYS;
            }
        } catch (RecordedFiles.Refused e) {
            error = e.error;
        }
        if (error != 0) {
            reply.position(REPLY_HEADER_BYTES);
        }
        reply.flip();
        send(reply, unique, error);
    }

    private void send(ByteBuffer answer, long unique, int error) throws IOException {
        answer.putInt(0, answer.limit()).putInt(4, -error).putLong(8, unique);
        try {
            out.write(answer);
        } catch (IOException e) {
            // The request was interrupted meanwhile: ENOENT, and nobody waits.
            if (!String.valueOf(e.getMessage()).contains("No such file")) {
                throw e;
            }
        }
    }

    private int argument(int offset) {
        return request.getInt(HEADER_BYTES + offset);
    }

    private long longArgument(int offset) {
        return request.getLong(HEADER_BYTES + offset);
    }

    /** {@return the name that begins at some octet of the arguments; ISO 8859-1 keeps all octets} */
    private String name(int offset) {
        int start = HEADER_BYTES + offset;
        int end = start;
        while (end < request.limit() && request.get(end) != 0) {
            end++;
        }
        byte[] name = new byte[end - start];
        request.get(start, name);
        return new String(name, StandardCharsets.ISO_8859_1);
    }

    private void init() {
        int readAhead = argument(8);
        int offered = argument(12);
        reply.putInt(7).putInt(31).putInt(readAhead).putInt(offered & INIT_FLAGS);
        reply.putShort((short) 64)
                .putShort((short) 48)
                .putInt(TRANSFER_BYTES_MAX)
                .putInt(1);
        reply.putShort((short) (TRANSFER_BYTES_MAX / PAGE_BYTES)).putShort((short) 0);
        for (int i = 0; i < 8; i++) {
            reply.putInt(0);
        }
    }

    private RecordedFiles.Node make(long parent, String name, int mode, int device)
            throws RecordedFiles.Refused, IOException {
        return files.make(parent, name, mode, request.getInt(24), request.getInt(28), device);
    }

    private void symlink(long parent) throws RecordedFiles.Refused, IOException {
        String name = name(0);
        String target = name(name.length() + 1);
        RecordedFiles.Node made = make(parent, name, RecordedFiles.LINK | 0777, 0);
        made.target = target.getBytes(StandardCharsets.ISO_8859_1);
        putEntry(made);
    }

    private void rename(long parent, int namesAt, int flags)
            throws RecordedFiles.Refused, IOException {
        String name = name(namesAt);
        files.rename(
                parent,
                name,
                longArgument(0),
                name(namesAt + name.length() + 1),
                (flags & RENAME_KEEPS) != 0,
                (flags & RENAME_EXCHANGES) != 0);
    }

    /** What of it changes is in a mask (FATTR in linux/fuse.h). */
    private void change(RecordedFiles.Node node) throws IOException {
        int changes = argument(0);
        if ((changes & 1) != 0) {
            node.mode = (node.mode & RecordedFiles.TYPE_MASK) | (argument(68) & 07777);
        }
        if ((changes & 2) != 0) {
            node.user = argument(76);
        }
        if ((changes & 4) != 0) {
            node.group = argument(80);
        }
        if ((changes & 8) != 0) {
            files.resize(node, longArgument(16));
        }
        if ((changes & (16 | 128)) != 0) {
            node.accessedNanos = time(changes, 128, 32, 56);
        }
        if ((changes & (32 | 256)) != 0) {
            node.modifiedNanos = time(changes, 256, 40, 60);
        }
        node.changedNanos = RecordedFiles.wallNanos();
        putAttributes(node);
    }

    private long time(int changes, int now, int secondsAt, int nanosAt) {
        return (changes & now) != 0
                ? RecordedFiles.wallNanos()
                : longArgument(secondsAt) * 1_000_000_000 + argument(nanosAt);
    }

    private void putEntry(RecordedFiles.Node node) {
        reply.putLong(node.id).putLong(0).putLong(VALID_SECONDS).putLong(VALID_SECONDS);
        reply.putInt(0).putInt(0);
        putNode(node);
    }

    private void putAttributes(RecordedFiles.Node node) {
        reply.putLong(VALID_SECONDS).putInt(0).putInt(0);
        putNode(node);
    }

    private void putNode(RecordedFiles.Node node) {
        reply.putLong(node.id).putLong(node.content.bytes());
        reply.putLong(node.content.allocatedBytes() / 512);
        long[] times = {node.accessedNanos, node.modifiedNanos, node.changedNanos};
        for (long time : times) {
            reply.putLong(Math.floorDiv(time, 1_000_000_000L));
        }
        for (long time : times) {
            reply.putInt((int) Math.floorMod(time, 1_000_000_000L));
        }
        reply.putInt(node.mode).putInt(node.links).putInt(node.user).putInt(node.group);
        reply.putInt(node.device).putInt(PAGE_BYTES).putInt(0);
    }

    private void putOpened(RecordedFiles.Node node) {
        node.open++;
        reply.putLong(0).putInt(0).putInt(0);
    }

    private void close(long id) throws RecordedFiles.Refused {
        RecordedFiles.Node node = files.node(id);
        node.open--;
        files.release(node);
    }

    private void putStatistics() {
        long free = files.freeBytes() / PAGE_BYTES;
        reply.putLong(free * 2).putLong(free).putLong(free).putLong(1 << 20).putLong(1 << 20);
        reply.putInt(PAGE_BYTES).putInt(255).putInt(PAGE_BYTES).putInt(0).put(new byte[24]);
    }

    /** {@return whether the answer comes later, when what was written is flushed} */
    private boolean write(RecordedFiles.Node node, long unique)
            throws RecordedFiles.Refused, IOException {
        long position = longArgument(8);
        byte[] octets = new byte[argument(16)];
        request.get(HEADER_BYTES + 40, octets);
        files.write(node, position, octets);
        if ((argument(32) & SYNCED) != 0) {
            FileEvent.Call call = FileEvent.Call.SYNCED_WRITE;
            flush(unique, node.id, call, position, position + octets.length, octets.length);
            return true;
        }
        reply.putInt(octets.length).putInt(0);
        return false;
    }

    /**
     * Answers when the flush is done.
     *
     * @param written how many octets the request has written; 0 if it is not a write
     */
    private void flush(long unique, long node, FileEvent.Call call, long from, long to, int written)
            throws IOException {
        int flush = files.flush(node, call, from, to);
        long millis = random.nextInt(ONE_IN_LONG) == 0 ? LONG_FLUSH_MILLIS : FLUSH_MILLIS;
        var unused = flushes.schedule(
                () -> {
                    synchronized (files) {
                        files.flushed(flush);
                    }
                    ByteBuffer answer = ByteBuffer.allocateDirect(REPLY_HEADER_BYTES + 8)
                            .order(ByteOrder.nativeOrder())
                            .position(REPLY_HEADER_BYTES);
                    if (written > 0) {
                        answer.putInt(written).putInt(0);
                    }
                    answer.flip();
                    send(answer, unique, 0);
                    return null;
                },
                millis,
                TimeUnit.MILLISECONDS);
    }

    private int allocate(RecordedFiles.Node node) throws IOException {
        long from = longArgument(8);
        long to = from + longArgument(16);
        int mode = argument(24);
        if ((mode & ~(KEEP_SIZE | PUNCH | ZERO)) != 0) {
            return EOPNOTSUPP;
        }
        if ((mode & (PUNCH | ZERO)) != 0) {
            files.zero(node, from, Math.min(to, node.content.bytes()));
        }
        if ((mode & KEEP_SIZE) == 0 && to > node.content.bytes()) {
            files.resize(node, to);
        }
        return 0;
    }

    private void list(RecordedFiles.Node folder) {
        long handle = longArgument(0);
        int from = (int) longArgument(8);
        int limit = reply.position() + argument(16);
        if (from == 0 || !listed.containsKey(handle)) {
            listed.put(handle, RecordedFiles.list(folder));
        }
        List<RecordedFiles.Entry> entries = listed.getOrDefault(handle, new ArrayList<>());
        for (int i = from; i < entries.size(); i++) {
            byte[] name = entries.get(i).name().getBytes(StandardCharsets.ISO_8859_1);
            int padded = (24 + name.length + 7) / 8 * 8;
            if (reply.position() + padded > limit) {
                return;
            }
            RecordedFiles.Node node = entries.get(i).node();
            reply.putLong(node.id).putLong(i + 1L).putInt(name.length).putInt(node.mode >>> 12);
            reply.put(name).put(new byte[padded - 24 - name.length]);
        }
    }
}
