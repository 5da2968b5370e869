package org.hubmark.bench.durability;

import org.hubmark.bench.machine.volumes.SystemTool;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The main class of a process that shows {@link VolatileDisks} as the files of a file system of its
 * own, by the kernel's FUSE protocol (linux/fuse.h, version 7.31) on standard input. A loop device over
 * such a file is a disk of which every write and every flush is known.
 *
 * <p>What is written to the file {@code control} tells the devices what to do. One thread serves all requests, one after the other, so a cut is between two requests,
 * for all devices the same two.
 */
public final class RecorderMain {
    private static final int HEADER_BYTES = 40;
    private static final int REPLY_HEADER_BYTES = 16;
    private static final int TRANSFER_BYTES_MAX = 1 << 20;
    private static final int PAGE_BYTES = 4096;
    private static final int ATTRIBUTE_BYTES = 88;
    private static final long VALID_SECONDS = 3600;

    private static final int ROOT = 1;
    private static final int CONTROL = 2;
    private static final int FIRST_DISK = 3;

    private static final int READ = 15;
    private static final int WRITE = 16;
    private static final int SYNC = 20;

    private static final int DIRECTORY_MODE = 0040755;
    private static final int FILE_MODE = 0100600;
    private static final int OPEN_DIRECT = 1;
    private static final int INIT_FLAGS = 1 | 1 << 5 | 1 << 15 | 1 << 22;
    private static final int ENOENT = 2;
    private static final int EIO = 5;
    private static final int EINVAL = 22;
    private static final int ENOSYS = 38;
    private static final int EOPNOTSUPP = 95;

    /** More than loop sends. */
    private static final short BACKGROUND_MAX = 4096;

    private static final String REMOVE = "sleep 1; losetup -n -O NAME,BACK-FILE |"
            + " while read -r device file; do case $file in \"$1\"/*)"
            + " umount -q -l \"$device\"; losetup --detach \"$device\";; esac; done;"
            + " umount -q -l \"$1\"";

    private final long bytes;
    private final VolatileDisks devices;
    /** By node, from the first one on; a name gets its node when it is looked up. */
    private final List<String> names = new ArrayList<>();

    private final FileChannel in;
    private final FileChannel out;
    private final ByteBuffer request = ByteBuffer.allocateDirect(TRANSFER_BYTES_MAX + PAGE_BYTES)
            .order(ByteOrder.nativeOrder());
    private final ByteBuffer reply = ByteBuffer.allocateDirect(TRANSFER_BYTES_MAX + PAGE_BYTES)
            .order(ByteOrder.nativeOrder());

    private RecorderMain(int disks, long bytes, FileChannel in, FileChannel out) {
        this.bytes = bytes;
        this.devices = new VolatileDisks(disks, bytes);
        this.in = in;
        this.out = out;
    }

    /**
     * Serves until the file system is unmounted, or the process that wants it is gone.
     *
     * @param arguments how many disks, the size of each in bytes, the process id of who wants them, and
     *     where they are mounted
     */
    public static void main(String[] arguments) throws IOException {
        ProcessHandle.of(Long.parseLong(arguments[2])).ifPresent(user -> {
            var unused = user.onExit().thenRun(() -> remove(arguments[3]));
        });
        // Standard input is the connection to the kernel, opened for both directions.
        try (FileChannel in = new FileInputStream(FileDescriptor.in).getChannel();
                FileChannel out = new FileOutputStream(FileDescriptor.in).getChannel()) {
            new RecorderMain(Integer.parseInt(arguments[0]), Long.parseLong(arguments[1]), in, out)
                    .serve();
        }
    }

    /** Nobody else is left who could; what is being written must still be served meanwhile. */
    private static void remove(String mountPoint) {
        try {
            SystemTool.attempt(List.of("sh", "-c", REMOVE, "sh", mountPoint));
        } catch (IOException e) {
            Runtime.getRuntime().halt(1);
        }
    }

    private void serve() throws IOException {
        while (true) {
            request.clear();
            try {
                if (in.read(request) < HEADER_BYTES) {
                    return;
                }
            } catch (IOException e) {
                // Unmounted: the kernel says ENODEV.
                return;
            }
            request.flip();
            answer(request.getInt(4), request.getLong(8), request.getLong(16));
        }
    }

    private void answer(int operation, long unique, long node) throws IOException {
        reply.clear().position(REPLY_HEADER_BYTES);
        int error = 0;
        switch (operation) {
            case 1 -> error = lookup();
            case 2, 36, 42 -> {
                return;
            }
            case 3, 4 -> error = attributes(node);
            case 14, 27 -> open(node);
            case READ -> error = read(node);
            case WRITE -> error = write(node);
            case 17 -> reply.put(new byte[80]);
            case SYNC -> error = flush(node);
            case 18, 25, 28, 29, 34, 38 -> {
                // Nothing to do: release, flush of a descriptor, readdir (names are looked up,
                // never listed), releasedir, access, destroy.
            }
            case 26 -> init();
            case 43 -> error = EOPNOTSUPP;
            default -> error = ENOSYS;
        }
        if (error != 0) {
            reply.position(REPLY_HEADER_BYTES);
        }
        reply.flip();
        reply.putInt(0, reply.limit()).putInt(4, -error).putLong(8, unique);
        try {
            out.write(reply);
        } catch (IOException e) {
            // The request was interrupted meanwhile: ENOENT, and nobody waits.
            if (!String.valueOf(e.getMessage()).contains("No such file")) {
                throw e;
            }
        }
    }

    private void init() {
        int readAhead = request.getInt(HEADER_BYTES + 8);
        int offered = request.getInt(HEADER_BYTES + 12);
        reply.putInt(7).putInt(31).putInt(readAhead).putInt(offered & INIT_FLAGS);
        reply.putShort(BACKGROUND_MAX)
                .putShort(BACKGROUND_MAX)
                .putInt(TRANSFER_BYTES_MAX)
                .putInt(1);
        reply.putShort((short) (TRANSFER_BYTES_MAX / PAGE_BYTES)).putShort((short) 0);
        for (int i = 0; i < 8; i++) {
            reply.putInt(0);
        }
    }

    private int lookup() {
        byte[] name = new byte[request.limit() - HEADER_BYTES - 1];
        request.get(HEADER_BYTES, name);
        long node = node(new String(name, StandardCharsets.US_ASCII));
        if (node < 0) {
            return ENOENT;
        }
        reply.putLong(node)
                .putLong(0)
                .putLong(0)
                .putLong(VALID_SECONDS)
                .putInt(0)
                .putInt(0);
        putAttributes(node);
        return 0;
    }

    private long node(String name) {
        if (name.equals("control")) {
            return CONTROL;
        }
        if (!devices.has(name)) {
            return -1;
        }
        if (!names.contains(name)) {
            names.add(name);
        }
        return (long) FIRST_DISK + names.indexOf(name);
    }

    private String name(long node) {
        return node < FIRST_DISK ? "" : names.get((int) node - FIRST_DISK);
    }

    private int attributes(long node) {
        if (node >= FIRST_DISK && !devices.has(name(node))) {
            return ENOENT;
        }
        reply.putLong(VALID_SECONDS).putInt(0).putInt(0);
        putAttributes(node);
        return 0;
    }

    private void putAttributes(long node) {
        long size = node == ROOT || node == CONTROL ? 0 : bytes;
        int start = reply.position();
        reply.putLong(node).putLong(size).putLong(size / 512);
        reply.position(start + 60);
        reply.putInt(node == ROOT ? DIRECTORY_MODE : FILE_MODE).putInt(1);
        reply.putInt(0).putInt(0).putInt(0).putInt(PAGE_BYTES);
        reply.position(start + ATTRIBUTE_BYTES);
    }

    private void open(long node) {
        reply.putLong(0).putInt(node == CONTROL ? OPEN_DIRECT : 0).putInt(0);
    }

    private int read(long node) {
        long position = request.getLong(HEADER_BYTES + 8);
        int count = request.getInt(HEADER_BYTES + 16);
        VolatileDisk disk = devices.disk(name(node));
        int there = (int) Math.clamp(bytes - position, 0L, (long) count);
        if (disk == null) {
            return EIO;
        }
        disk.read(position, there, reply);
        return 0;
    }

    private int write(long node) {
        long position = request.getLong(HEADER_BYTES + 8);
        int count = request.getInt(HEADER_BYTES + 16);
        byte[] octets = new byte[count];
        request.get(HEADER_BYTES + 40, octets);
        reply.putInt(count).putInt(0);
        if (node == CONTROL) {
            return devices.control(new String(octets, StandardCharsets.US_ASCII).trim())
                    ? 0
                    : EINVAL;
        }
        if (position + count > bytes) {
            return EINVAL;
        }
        VolatileDisk disk = devices.disk(name(node));
        if (disk == null) {
            return EIO;
        }
        disk.write(position, octets);
        return 0;
    }

    private int flush(long node) {
        VolatileDisk disk = devices.disk(name(node));
        if (disk != null) {
            disk.flush();
        }
        return 0;
    }
}
