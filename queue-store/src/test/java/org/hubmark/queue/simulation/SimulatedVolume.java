package org.hubmark.queue.simulation;

import org.hubmark.queue.log.LogFormat;
import org.hubmark.queue.log.Volume;
import org.hubmark.queue.log.VolumeFile;
import org.jspecify.annotations.Nullable;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;

/**
 * A volume in memory that knows what a disk would have forgotten. Any thread.
 *
 * <p>{@link #crash} keeps of what was not synced any subset of 512-byte sectors, so writes are lost,
 * torn and reordered, and any subset of the unsynced changes of names: each is done as a whole or
 * not at all, and a later one may be there without an earlier one. {@link #kill} keeps all, as the
 * page cache of a killed process does. Either ends the use of every open file.
 */
public final class SimulatedVolume implements Volume {
    private static final int ONE_IN_SHORT = 16;

    private final String name;
    private TreeMap<String, SimulatedFile> names = new TreeMap<>();
    private TreeMap<String, SimulatedFile> durableNames = new TreeMap<>();
    private final List<NameChange> unsyncedNames = new ArrayList<>();
    private int power;
    private boolean off;
    private long capacityBytes = Long.MAX_VALUE;
    private long writesUntilFailure = Long.MAX_VALUE;
    private long syncsUntilFailure = Long.MAX_VALUE;
    private boolean failsByError;
    private Duration syncTime = Duration.ZERO;
    private long writes;
    private long syncs;
    private long operationsUntilCall = Long.MAX_VALUE;
    private Runnable call = () -> {};
    private Random failures = new Random(0);
    private @Nullable Random shortness;

    /** A file gets a name, loses one, or both in one step. */
    private record NameChange(
            @Nullable String removed, @Nullable String added, SimulatedFile file) {}

    /** Makes an empty volume; the name is for messages. */
    public SimulatedVolume(String name) {
        this.name = name;
    }

    /** Cuts the power, and gives it again. */
    public synchronized void crash(long seed) {
        cut(seed);
        turnOn();
    }

    /** Cuts the power: until it is turned on everything fails, also by who has not noticed yet. */
    public synchronized void cut(long seed) {
        Random random = new Random(seed);
        power++;
        off = true;
        BitSet kept = SimulatedFile.subset(unsyncedNames.size(), random);
        for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
            NameChange change = unsyncedNames.get(i);
            if (change.removed() != null) {
                durableNames.remove(change.removed(), change.file());
            }
            if (change.added() != null) {
                durableNames.put(change.added(), change.file());
            }
        }
        unsyncedNames.clear();
        names = new TreeMap<>(durableNames);
        names.values().forEach(file -> file.loseUnsynced(random));
        mend();
    }

    /** {@return whether the power was cut and not given again} */
    public synchronized boolean isOff() {
        return off;
    }

    /** Gives the power again. */
    public synchronized void turnOn() {
        off = false;
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

    /**
     * From now on what fails fails with an Error, as where memory is short, or again with an
     * IOException.
     */
    public synchronized void failByError(boolean error) {
        failsByError = error;
    }

    /** The sectors that hold the bytes can't be read (EIO) until they are written again. */
    public synchronized void makeUnreadable(String file, long position, long bytes)
            throws IOException {
        find(file).makeUnreadable(position, bytes);
    }

    /** From now on some writes take fewer bytes than they are given, and go on in another call. */
    public synchronized void shortenWrites(long seed) {
        shortness = new Random(seed);
    }

    /** Calls back once, on its thread, before the nth write, sync or change of names from now on. */
    public synchronized void callBefore(long nth, Runnable runnable) {
        operationsUntilCall = nth;
        call = runnable;
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
    public synchronized long writes() {
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

    @Override
    public synchronized List<String> list() throws IOException {
        requirePower();
        return List.copyOf(names.keySet());
    }

    @Override
    public synchronized VolumeFile create(String file) throws IOException {
        beginOperation();
        if (names.containsKey(file)) {
            throw new FileAlreadyExistsException(describe(file));
        }
        SimulatedFile made = new SimulatedFile();
        names.put(file, made);
        unsyncedNames.add(new NameChange(null, file, made));
        return new Handle(made);
    }

    @Override
    public synchronized VolumeFile open(String file) throws IOException {
        requirePower();
        return new Handle(find(file));
    }

    @Override
    public synchronized void rename(String from, String to) throws IOException {
        beginOperation();
        if (names.containsKey(to)) {
            throw new FileAlreadyExistsException(describe(to));
        }
        SimulatedFile file = find(from);
        names.put(to, file);
        names.remove(from);
        unsyncedNames.add(new NameChange(from, to, file));
    }

    @Override
    public synchronized void delete(String file) throws IOException {
        beginOperation();
        SimulatedFile gone = find(file);
        names.remove(file);
        unsyncedNames.add(new NameChange(file, null, gone));
    }

    @Override
    public synchronized void syncNames() throws IOException {
        beginOperation();
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

    private void beginOperation() throws IOException {
        if (--operationsUntilCall == 0) {
            call.run();
        }
        requirePower();
    }

    private void requirePower() throws IOException {
        if (off) {
            throw new IOException(name + ": the power is gone (simulated)");
        }
    }

    private IOException failure() {
        if (failsByError) {
            throw new OutOfMemoryError("simulated");
        }
        return new IOException("Input/output error (simulated)");
    }

    private void mend() {
        operationsUntilCall = Long.MAX_VALUE;
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
            byte[] bytes = gather(buffers, bufferCount);
            int calls = 0;
            int done = 0;
            do {
                int count = bytes.length - done;
                synchronized (SimulatedVolume.this) {
                    if (shortness != null && count > 1 && shortness.nextInt(ONE_IN_SHORT) == 0) {
                        count = 1 + shortness.nextInt(count - 1);
                    }
                }
                write(position + done, Arrays.copyOfRange(bytes, done, done + count));
                done += count;
                calls++;
            } while (done < bytes.length);
            return calls;
        }

        private void write(long position, byte[] bytes) throws IOException {
            synchronized (SimulatedVolume.this) {
                beginOperation();
                SimulatedFile target = file();
                writes++;
                if (--writesUntilFailure <= 0) {
                    // Whole sectors: nothing stops inside one.
                    int sectors = failures.nextInt(bytes.length / LogFormat.SECTOR_BYTES + 1);
                    target.write(position, bytes, sectors * LogFormat.SECTOR_BYTES);
                    throw failure();
                }
                long growth = Math.max(0, position + bytes.length - target.length());
                if (growth > capacityBytes - usedBytes()) {
                    // As a system with a German locale says it: nobody may rely on the words.
                    throw new IOException(name + ": Kein Speicherplatz verfügbar (simulated)");
                }
                target.write(position, bytes, bytes.length);
            }
        }

        @Override
        public int read(long position, ByteBuffer target) throws IOException {
            synchronized (SimulatedVolume.this) {
                return file().read(position, target);
            }
        }

        @Override
        public int syncsAtOnce() {
            return 2;
        }

        @Override
        public void sync() throws IOException {
            Duration time;
            synchronized (SimulatedVolume.this) {
                beginOperation();
                SimulatedFile target = file();
                syncs++;
                time = syncTime;
                if (--syncsUntilFailure == 0) {
                    target.failSync(failures);
                    throw failure();
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
