package org.hubmark.bench.machine.volumes;

import org.hubmark.hub.volumes.BlockDevice;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How the kernel treats the volatile cache of a device: {@code write back} means that it sends
 * flushes, {@code write through} that it sends none. The device itself is not changed (the
 * kernel's Documentation/ABI/stable/sysfs-block, write_cache): with a cache that is really
 * volatile, {@code write through} is fast and loses mail at a power loss. Any thread.
 */
public final class WriteCache {
    private final Path file;

    private WriteCache(Path file) {
        this.file = file;
    }

    /** The setting of the device behind a folder. */
    public static WriteCache of(Path folder) throws IOException {
        BlockDevice device = BlockDevice.of(folder);
        if (device == null || !Files.isReadable(device.queueFile("write_cache"))) {
            throw new IOException(
                    "there is no block device with a write cache setting behind " + folder);
        }
        return new WriteCache(device.queueFile("write_cache"));
    }

    /** At that file of sysfs. */
    static WriteCache at(Path file) {
        return new WriteCache(file);
    }

    /** {@return whether the kernel sends flushes} */
    public boolean on() throws IOException {
        return text().equals("write back");
    }

    /** {@return as the kernel says: write back or write through} */
    public String text() throws IOException {
        return Files.readString(file).trim();
    }

    /** {@return whether this process may change it} */
    public boolean changeable() {
        return Files.isWritable(file);
    }

    /**
     * Changes it, which only root may.
     *
     * @return puts back what was before; may be closed once
     * @throws IOException if it can't be changed, or the kernel does not follow
     */
    public Restore set(boolean on) throws IOException {
        String before = text();
        write(on ? "write back" : "write through");
        if (on() != on) {
            throw new IOException(file + " still says " + text() + ": the device has no write"
                    + " cache that could be on");
        }
        return new Restore(this, before);
    }

    private void write(String text) throws IOException {
        if (!Files.isWritable(file)) {
            throw new IOException(file + " can't be written: that takes root");
        }
        Files.writeString(file, text);
    }

    /** Puts back what was before. */
    public static final class Restore implements AutoCloseable {
        private final WriteCache cache;
        private final String before;

        private Restore(WriteCache cache, String before) {
            this.cache = cache;
            this.before = before;
        }

        /** {@return what it was} */
        public String before() {
            return before;
        }

        @Override
        public void close() throws IOException {
            cache.write(before);
        }
    }
}
