package org.hubmark.bench.machine.volumes;

import org.hubmark.bench.machine.devices.BlockDevice;
import org.hubmark.bench.machine.devices.VolumeStack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How the kernel treats the volatile cache of a device: {@code write back} means that it sends
 * flushes, {@code write through} that it sends none. The device itself is not changed (the
 * kernel's Documentation/ABI/stable/sysfs-block, write_cache): with a cache that is really
 * volatile, {@code write through} is fast and loses mail at a power loss. Any thread.
 */
public final class WriteCache {
    private static final String BACK = "write back";
    private static final String THROUGH = "write through";

    private final List<Path> files;

    private WriteCache(List<Path> files) {
        this.files = List.copyOf(files);
    }

    /** The setting of the disks behind a folder, which is one: write back if it is so for any of them. */
    public static WriteCache of(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        for (BlockDevice disk : VolumeStack.of(folder).disks()) {
            files.add(disk.folder().resolve("queue/write_cache"));
        }
        if (files.isEmpty() || !files.stream().allMatch(Files::isReadable)) {
            throw new IOException(
                    "there is no block device with a write cache setting behind " + folder);
        }
        return new WriteCache(files);
    }

    /** At these files of sysfs. */
    static WriteCache ofFiles(Path... files) {
        return new WriteCache(List.of(files));
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file).trim();
    }

    /** {@return whether this process may change it} */
    public boolean changeable() {
        return files.stream().allMatch(Files::isWritable);
    }

    /**
     * Changes it, which only root may.
     *
     * @return puts back what was before; may be closed once
     * @throws IOException if it can't be changed, or the kernel does not follow
     */
    public Restore set(boolean flushes) throws IOException {
        Restore restore = new Restore();
        String wanted = flushes ? BACK : THROUGH;
        for (Path file : files) {
            restore.texts.put(file, text(file));
            write(file, wanted);
            if (!text(file).equals(wanted)) {
                throw new IOException(
                        file + " still says " + text(file) + ": the device has no write cache");
            }
        }
        return restore;
    }

    private static void write(Path file, String text) throws IOException {
        if (!Files.isWritable(file)) {
            throw new IOException(file + " can't be written: that needs root");
        }
        Files.writeString(file, text);
    }

    /** Puts back what was before. */
    public static final class Restore implements AutoCloseable {
        private final Map<Path, String> texts = new LinkedHashMap<>();

        private Restore() {}

        @Override
        public void close() throws IOException {
            for (Map.Entry<Path, String> text : texts.entrySet()) {
                write(text.getKey(), text.getValue());
            }
        }
    }
}
