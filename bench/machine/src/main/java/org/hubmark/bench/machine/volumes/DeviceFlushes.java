package org.hubmark.bench.machine.volumes;

import org.hubmark.hub.volumes.VolumeStack;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Counts the flushes of disks with a volatile write cache: each sync of a file on it sends one at
 * least, unless several syncs share it. What other programs sync is counted with it. Blocks.
 */
public final class DeviceFlushes {
    private static final int BLOCK_BYTES = 4096;

    private final VolumeStack stack;

    private DeviceFlushes(VolumeStack stack) {
        this.stack = stack;
    }

    /**
     * {@return those of the device behind a folder; null where a sync there sends none that is counted}
     * That is tried, with a file that has no name any more as soon as it is open.
     *
     * @throws IOException if nothing can be written there
     */
    public static @Nullable DeviceFlushes below(Path folder) throws IOException {
        VolumeStack stack = VolumeStack.of(folder);
        Long before = stack.flushes();
        if (before == null) {
            return null;
        }
        Path name = Files.createTempFile(folder, ".hubmark-look-", ".tmp");
        try (FileChannel file = FileChannel.open(name, StandardOpenOption.WRITE)) {
            Files.delete(name);
            int unused = file.write(ByteBuffer.allocate(BLOCK_BYTES));
            file.force(true);
        } finally {
            Files.deleteIfExists(name);
        }
        Long after = stack.flushes();
        return after == null || after.equals(before) ? null : new DeviceFlushes(stack);
    }

    /** {@return flushes since the machine started} */
    public long count() throws IOException {
        Long count = stack.flushes();
        if (count == null) {
            throw new IOException("the disks of " + stack.deviceName() + " are gone");
        }
        return count;
    }
}
