package org.hubmark.queue.simulation;

import org.hubmark.queue.log.VolumeFullException;
import org.hubmark.queue.table.DatabaseFiles;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.FileOperationInfo;
import org.rocksdb.Status;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The files of a queue database whose power can be cut. The contents lie on a {@link SimulatedVolume}. The
 * rest lies in a real folder; RocksDB says when
 * it has synced one, and a cut leaves what a file system may leave of them: what was synced is there,
 * as far as it was, and of the rest any part. Any thread.
 *
 * <p>RocksDB syncs the folder before it syncs a manifest that names new files, and after it has made
 * CURRENT name a new manifest. So a sync of a manifest is taken for one of the folder too, and an
 * opening that has ended for one of everything. An end that was not synced is lost or cut off, and
 * whole pages of it are zeros, as where a file system allocates late; names that no sync of the folder
 * has covered are there or not, and deleted files may come back.
 * Files that RocksDB does not read at its start (LOG, OPTIONS) are left alone; the log of writes, which
 * is empty here, may be gone.
 */
public final class SimulatedDatabase implements DatabaseFiles {
    private static final int PAGE_BYTES = 4096;
    private static final String CURRENT = "CURRENT";
    private static final String MANIFEST = "MANIFEST-";

    private final Path queueVolume;
    private final Path folder;
    /** Second names of synced files, so that a deleted one can come back; on the same file system. */
    private final Path kept;

    private final Path cut;
    private final long memtableBytesMax;
    private long memtableBytes;
    private final SimulatedVolume content = new SimulatedVolume("content");
    private final Map<String, Long> syncedBytes = new HashMap<>();
    private final Set<String> durableNames = new HashSet<>();
    private byte @Nullable [] currentBefore;
    private boolean opening;
    private long operationsUntilCall = Long.MAX_VALUE;
    private Runnable call = () -> {};
    private long operationsWithoutRoom;

    /** What was in the folder when the power went: the length of each file. */
    private @Nullable TreeMap<String, Long> atCut;

    private boolean openingAtCut;
    private boolean folderWasSynced;

    /**
     * Takes over a database, or the place of one to come.
     *
     * @param queueVolume on which it lies; two folders beside it are used too
     * @param name of its folder
     * @param memtableBytesMax after so many bytes what is in memory is flushed, so that this happens in
     *     the middle of a checkpoint; RocksDB has no memtables that small
     */
    public SimulatedDatabase(Path queueVolume, String name, long memtableBytesMax) {
        this.queueVolume = queueVolume;
        this.folder = queueVolume.resolve(name);
        this.kept = queueVolume.resolveSibling(queueVolume.getFileName() + ".kept");
        this.cut = queueVolume.resolveSibling(queueVolume.getFileName() + ".cut");
        this.memtableBytesMax = memtableBytesMax;
    }

    /** Calls back once, on its thread, before the nth write or flush from now on. */
    public synchronized void callBefore(long nth, Runnable runnable) {
        operationsUntilCall = nth;
        call = runnable;
    }

    /** Has no room for so many writes and flushes from now on. */
    public synchronized void fill(long operations) {
        operationsWithoutRoom = operations;
    }

    @Override
    public void beginOperation() throws VolumeFullException {
        Runnable due = null;
        synchronized (this) {
            if (operationsWithoutRoom > 0) {
                operationsWithoutRoom--;
                throw new VolumeFullException(folder + ": no room (simulated)");
            }
            if (--operationsUntilCall == 0) {
                due = call;
            }
        }
        if (due != null) {
            due.run();
        }
    }

    /** {@return whether a memtable that small would have been full after so many bytes more} */
    @Override
    public synchronized boolean fillsMemtable(long bytes) {
        memtableBytes += bytes;
        boolean full = memtableBytes >= memtableBytesMax;
        if (full) {
            memtableBytes = 0;
        }
        return full;
    }

    /** {@return the volume on which it lies} */
    public Path queueVolume() {
        return queueVolume;
    }

    @Override
    public SimulatedVolume content() {
        return content;
    }

    @Override
    public AbstractEventListener listener() {
        return new AbstractEventListener(
                AbstractEventListener.EnabledEventCallback.ON_FILE_SYNC_FINISH,
                AbstractEventListener.EnabledEventCallback.SHOULD_BE_NOTIFIED_ON_FILE_IO) {
            @Override
            public void onFileSyncFinish(FileOperationInfo info) {
                if (info.getStatus().getCode() == Status.Code.Ok) {
                    synced(Path.of(info.getPath()));
                }
            }

            @Override
            public boolean shouldBeNotifiedOnFileIO() {
                return true;
            }
        };
    }

    @Override
    public synchronized void beginOpen() throws IOException {
        opening = true;
        if (durableNames.isEmpty()) {
            // It was made durable whole before it is opened the first time.
            takeAsDurable();
        }
        Path current = folder.resolve(CURRENT);
        currentBefore = Files.exists(current) ? Files.readAllBytes(current) : null;
    }

    @Override
    public synchronized void opened() throws IOException {
        opening = false;
        if (atCut == null) {
            syncNames();
        }
    }

    /**
     * The power goes now; whatever RocksDB does to the folder from here on has no effect.
     *
     * @param seed decides what is left of content that was not synced
     */
    public synchronized void cutPower(long seed) throws IOException {
        if (atCut != null) {
            return;
        }
        // The contents first: no file of theirs goes because of a flush that the cut has undone.
        content.cut(seed);
        TreeMap<String, Long> lengths = new TreeMap<>();
        delete(cut);
        Files.createDirectories(cut);
        // The manifests first: RocksDB goes on meanwhile, and what they name must be among the
        // rest.
        for (String name : names(folder)) {
            if (name.startsWith(MANIFEST)) {
                take(name, lengths);
            }
        }
        for (String name : names(folder)) {
            if (!name.startsWith(MANIFEST)) {
                take(name, lengths);
            }
        }
        openingAtCut = opening;
        atCut = lengths;
        operationsUntilCall = Long.MAX_VALUE;
    }

    private void take(String name, Map<String, Long> lengths) throws IOException {
        try {
            Files.createLink(cut.resolve(name), folder.resolve(name));
            lengths.put(name, Files.size(cut.resolve(name)));
        } catch (NoSuchFileException e) {
            // RocksDB has deleted or renamed it just now.
            lengths.remove(name);
        }
    }

    /**
     * Gives the power again: puts in the folder what the last cut left, if there was one. RocksDB has
     * closed it.
     *
     * @param seed decides what is left of what was not synced
     */
    public synchronized void turnOn(long seed) throws IOException {
        opening = false;
        content.turnOn();
        if (atCut == null) {
            return;
        }
        Random random = new Random(seed);
        // It does so before it writes to a manifest, which then awaits its sync.
        folderWasSynced = atCut.entrySet().stream()
                .anyMatch(file -> file.getKey().startsWith(MANIFEST)
                        && file.getValue() > syncedBytes.getOrDefault(file.getKey(), 0L));
        boolean older = openingAtCut && random.nextBoolean() && olderManifestIsThere();
        delete(folder);
        Files.createDirectories(folder);
        for (Map.Entry<String, Long> file : atCut.entrySet()) {
            if (isThere(file.getKey(), random)) {
                restore(file.getKey(), file.getValue(), random);
            }
        }
        for (String name : names(kept)) {
            if (!atCut.containsKey(name) && random.nextBoolean()) {
                Files.copy(kept.resolve(name), folder.resolve(name));
            }
        }
        if (older) {
            restoreCurrent();
        }
        delete(cut);
        delete(kept);
        syncedBytes.clear();
        durableNames.clear();
        atCut = null;
        takeAsDurable();
    }

    private synchronized void synced(Path file) {
        String name = String.valueOf(file.getFileName());
        if (atCut != null || !folder.equals(file.getParent())) {
            return;
        }
        try {
            syncedBytes.put(name, Files.size(file));
            Path second = kept.resolve(name);
            if (!Files.exists(second)) {
                Files.createDirectories(kept);
                Files.createLink(second, file);
            }
            if (name.startsWith(MANIFEST) && (!opening || isCurrent(name))) {
                // It may change before who opens it hears that it is open.
                opening = false;
                syncNames();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the simulated queue database", e);
        }
    }

    private boolean isCurrent(String manifest) throws IOException {
        Path current = folder.resolve(CURRENT);
        return Files.exists(current) && Files.readString(current).strip().equals(manifest);
    }

    private void syncNames() throws IOException {
        Set<String> present = names(folder);
        for (String name : names(kept)) {
            if (!present.contains(name)) {
                Files.deleteIfExists(kept.resolve(name));
            }
        }
        durableNames.clear();
        durableNames.addAll(present);
        // A file that is being written now is not among what the folder's sync was for.
        durableNames.removeIf(name -> isData(name) && !syncedBytes.containsKey(name));
    }

    private void takeAsDurable() throws IOException {
        for (String name : names(folder)) {
            durableNames.add(name);
            syncedBytes.put(name, Files.size(folder.resolve(name)));
        }
    }

    private boolean isThere(String name, Random random) {
        if (name.startsWith(MANIFEST) && syncedBytes.containsKey(name)) {
            // RocksDB makes CURRENT name a manifest without a sync of the folder before: it relies
            // on what ext4 and XFS do, which make the name of a new file durable with its sync.
            return true;
        }
        if (folderWasSynced && syncedBytes.containsKey(name)) {
            return true;
        }
        if (isData(name) || name.endsWith(".log")) {
            return durableNames.contains(name) || random.nextBoolean();
        }
        return true;
    }

    private static boolean isData(String name) {
        return name.endsWith(".sst") || name.startsWith(MANIFEST);
    }

    /** What was synced, and of the rest some of the pages up to some end; the others are zeros. */
    private void restore(String name, long bytes, Random random) throws IOException {
        Path file = folder.resolve(name);
        Files.copy(cut.resolve(name), file);
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            long synced = isData(name) ? syncedBytes.getOrDefault(name, 0L) : bytes;
            long end = synced;
            if (bytes > synced) {
                end = switch (random.nextInt(3)) {
                    case 0 -> synced;
                    case 1 -> bytes;
                    default -> synced + (long) (random.nextDouble() * (bytes - synced));
                };
                if (!name.startsWith(MANIFEST) && random.nextBoolean()) {
                    // Not in a manifest: what one small append has written is there up to some end
                    // on
                    // ext4 and XFS, and RocksDB does not open one with a hole.
                    zeroSome(open, synced, end, random);
                }
            }
            open.setLength(end);
        }
    }

    private static void zeroSome(RandomAccessFile file, long from, long to, Random random)
            throws IOException {
        // A page that holds something synced is never allocated anew.
        for (long at = (from + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
                at < to;
                at += PAGE_BYTES) {
            if (random.nextBoolean()) {
                file.seek(at);
                file.write(new byte[(int) Math.min(PAGE_BYTES, to - at)]);
            }
        }
    }

    /** RocksDB deletes the older manifest when the newer CURRENT is durable. */
    private boolean olderManifestIsThere() {
        TreeMap<String, Long> present = atCut;
        if (currentBefore == null || present == null) {
            return currentBefore == null;
        }
        return present.containsKey(new String(currentBefore, StandardCharsets.US_ASCII).strip());
    }

    private void restoreCurrent() throws IOException {
        if (currentBefore == null) {
            Files.deleteIfExists(folder.resolve(CURRENT));
        } else {
            Files.write(folder.resolve(CURRENT), currentBefore);
        }
    }

    private static Set<String> names(Path folder) throws IOException {
        Set<String> names = new HashSet<>();
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                files.forEach(file -> names.add(String.valueOf(file.getFileName())));
            }
        }
        return names;
    }

    /** Deletes a file, or a folder with all that is in it. */
    public static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
