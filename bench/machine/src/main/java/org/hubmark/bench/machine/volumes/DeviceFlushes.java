package org.hubmark.bench.machine.volumes;

import org.hubmark.hub.volumes.BlockDevice;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Counts the flushes of a device with a volatile write cache: each sync of a file on it sends one at
 * least, unless several syncs share it. What other programs sync is counted with it. Blocks.
 */
public final class DeviceFlushes {
    private static final int BLOCK_BYTES = 4096;

    private final BlockDevice device;

    private DeviceFlushes(BlockDevice device) {
        this.device = device;
    }

    /**
     * {@return those of the device behind a folder; null where a sync there sends none that is counted}
     * That is tried, with a file that has no name any more as soon as it is open.
     *
     * @throws IOException if nothing can be written there
     */
    public static @Nullable DeviceFlushes below(Path folder) throws IOException {
        BlockDevice device = BlockDevice.of(folder);
        Long before = device == null ? null : device.flushes();
        if (device == null || before == null) {
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
        Long after = device.flushes();
        return after == null || after.equals(before) ? null : new DeviceFlushes(device);
    }

    /** {@return flushes since the machine started} */
    public long count() throws IOException {
        Long count = device.flushes();
        if (count == null) {
            throw new IOException("the device " + device.name() + " is gone");
        }
        return count;
    }
}
