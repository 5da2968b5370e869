package org.hubmark.queue.log;

import org.jspecify.annotations.Nullable;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;

/**
 * A volume in memory that knows what a disk would have forgotten. Any thread.
 *
 * <p>{@link #crash} keeps of what was not synced any subset of 512-byte sectors, so writes are lost,
 * torn and reordered, and any prefix of the unsynced changes of names. {@link #kill} keeps all, as
 * the page cache of a killed process does. Either ends the use of every open file.
 */
public final class SimulatedVolume implements Volume {
    private final String name;
    private TreeMap<String, SimulatedFile> names = new TreeMap<>();
    private TreeMap<String, SimulatedFile> durableNames = new TreeMap<>();
    private final List<TreeMap<String, SimulatedFile>> unsyncedNames = new ArrayList<>();
    private int power;
    private long capacityBytes = Long.MAX_VALUE;
    private long writesUntilFailure = Long.MAX_VALUE;
    private long syncsUntilFailure = Long.MAX_VALUE;
    private Duration syncTime = Duration.ZERO;
    private long writes;
    private long syncs;
    private Random failures = new Random(0);

    /** Makes an empty volume; the name is for messages. */
    public SimulatedVolume(String name) {
        this.name = name;
    }

    /** Cuts the power, and gives it again. */
    public synchronized void crash(long seed) {
        Random random = new Random(seed);
        power++;
        int kept = random.nextInt(unsyncedNames.size() + 1);
        if (kept > 0) {
            durableNames = unsyncedNames.get(kept - 1);
        }
        unsyncedNames.clear();
        names = new TreeMap<>(durableNames);
        names.values().forEach(file -> file.loseUnsynced(random));
        mend();
    }

    /** Ends every use of the files without a loss. */
    public synchronized void kill() {
        power++;
        mend();
    }

    /** The nth write from now on fails after a part of it was done; each one after it fails too. */
    public synchronized void failWrite(long nth, long seed) {
        writesUntilFailure = nth;
        failures = new Random(seed);
    }

    /**
     * The nth sync from now on fails; each one after it succeeds, and makes nothing durable of what
     * was written before the failure: so do kernels that mark a page clean when its writing failed.
     */
    public synchronized void failSync(long nth, long seed) {
        syncsUntilFailure = nth;
        failures = new Random(seed);
    }

    /** Lets files grow to that much together. */
    public synchronized void limit(long bytes) {
        capacityBytes = bytes;
    }

    /** Makes each sync take a time. */
    public synchronized void delaySync(Duration time) {
        syncTime = time;
    }

    /** {@return how many writes were asked for} */
    synchronized long writes() {
        return writes;
    }

    /** {@return how many syncs of data were asked for} */
    public synchronized long syncs() {
        return syncs;
    }

    /** {@return when the oldest write was that no sync has covered; empty if all are covered} */
    public synchronized OptionalLong unsyncedSinceNanos() {
        return names.values().stream()
                .map(SimulatedFile::unsyncedSinceNanos)
                .filter(OptionalLong::isPresent)
                .mapToLong(OptionalLong::getAsLong)
                .min();
    }

    /** Changes one bit of what is on the medium. */
    synchronized void flipBit(String file, long bitIndex) throws IOException {
        SimulatedFile found = find(file);
        found.flipBit(bitIndex);
    }

    @Override
    public synchronized List<String> list() {
        return List.copyOf(names.keySet());
    }

    @Override
    public synchronized VolumeFile create(String file) throws IOException {
        if (names.containsKey(file)) {
            throw new FileAlreadyExistsException(describe(file));
        }
        SimulatedFile made = new SimulatedFile();
        names.put(file, made);
        rememberNames();
        return new Handle(made);
    }

    @Override
    public synchronized VolumeFile open(String file) throws IOException {
        return new Handle(find(file));
    }

    @Override
    public synchronized void rename(String from, String to) throws IOException {
        if (names.containsKey(to)) {
            throw new FileAlreadyExistsException(describe(to));
        }
        names.put(to, find(from));
        names.remove(from);
        rememberNames();
    }

    @Override
    public synchronized void delete(String file) throws IOException {
        find(file);
        names.remove(file);
        rememberNames();
    }

    @Override
    public synchronized void syncNames() {
        durableNames = new TreeMap<>(names);
        unsyncedNames.clear();
    }

    @Override
    public synchronized long freeBytes() {
        return capacityBytes - usedBytes();
    }

    @Override
    public String describe(String file) {
        return name + "/" + file;
    }

    private SimulatedFile find(String file) throws IOException {
        SimulatedFile found = names.get(file);
        if (found == null) {
            throw new FileNotFoundException(describe(file));
        }
        return found;
    }

    private void rememberNames() {
        unsyncedNames.add(new TreeMap<>(names));
    }

    private void mend() {
        writesUntilFailure = Long.MAX_VALUE;
        syncsUntilFailure = Long.MAX_VALUE;
    }

    private long usedBytes() {
        return names.values().stream().mapToLong(SimulatedFile::length).sum();
    }

    /** A file in use until it is closed or the power goes. */
    private final class Handle implements VolumeFile {
        private final int openedAtPower = power;
        private @Nullable SimulatedFile file;

        Handle(SimulatedFile file) {
            this.file = file;
        }

        @Override
        public long length() throws IOException {
            synchronized (SimulatedVolume.this) {
                return file().length();
            }
        }

        @Override
        public int write(long position, ByteBuffer[] buffers, int bufferCount) throws IOException {
            synchronized (SimulatedVolume.this) {
                SimulatedFile target = file();
                writes++;
                byte[] bytes = gather(buffers, bufferCount);
                if (--writesUntilFailure <= 0) {
                    // Whole sectors: nothing stops inside one.
                    int sectors = failures.nextInt(bytes.length / LogFormat.SECTOR_BYTES + 1);
                    target.write(position, bytes, sectors * LogFormat.SECTOR_BYTES);
                    throw new IOException("Input/output error (simulated)");
                }
                long growth = Math.max(0, position + bytes.length - target.length());
                if (growth > capacityBytes - usedBytes()) {
                    throw new VolumeFullException(name + ": No space left (simulated)");
                }
                target.write(position, bytes, bytes.length);
                return 1;
            }
        }

        @Override
        public int read(long position, ByteBuffer target) throws IOException {
            synchronized (SimulatedVolume.this) {
                return file().read(position, target);
            }
        }

        @Override
        public void sync() throws IOException {
            Duration time;
            synchronized (SimulatedVolume.this) {
                SimulatedFile target = file();
                syncs++;
                time = syncTime;
                if (--syncsUntilFailure == 0) {
                    target.failSync(failures);
                    throw new IOException("Input/output error (simulated)");
                }
                target.sync();
            }
            if (!time.isZero()) {
                delay(time);
            }
        }

        @Override
        public void close() {
            synchronized (SimulatedVolume.this) {
                file = null;
            }
        }

        private SimulatedFile file() throws IOException {
            if (file == null || openedAtPower != power) {
                throw new ClosedChannelException();
            }
            return file;
        }

        private void delay(Duration time) throws IOException {
            try {
                Thread.sleep(time);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }

        private static byte[] gather(ByteBuffer[] buffers, int bufferCount) {
            int length = 0;
            for (int i = 0; i < bufferCount; i++) {
                length += buffers[i].remaining();
            }
            ByteBuffer all = ByteBuffer.allocate(length);
            for (int i = 0; i < bufferCount; i++) {
                all.put(buffers[i]);
            }
            return all.array();
        }
    }
}
