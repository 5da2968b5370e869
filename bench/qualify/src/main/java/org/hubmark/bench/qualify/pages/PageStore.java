package org.hubmark.bench.qualify.pages;

import org.hubmark.bench.machine.volumes.DirectFiles;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.core.Uninterrupted;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A store of trees on pages of 32 KiB that are written in their places, with a log of its own: what the
 * storage of a mail database of the source has to bear. A transaction is one record of the log; what is
 * in the log is done again after a crash. A page is written when the log since its first change is longer
 * than the checkpoint depth, or when the cache needs its place, and not before the log that tells of it.
 * All files are read and written past the page cache. A page that is torn by a power failure is found by
 * its check sum, and is lost, as in the source.
 *
 * <p>Any thread. While one works on the trees no other does; who waits for the storage does not hold up
 * the others.
 */
final class PageStore implements AutoCloseable {
    /** The file of the pages. */
    static final String FILE = "database.edb";

    /** The file of the checkpoints. */
    static final String CHECKPOINT = "checkpoint";

    /** As the source: a page is written when so much of the log was written since its first change. */
    private static final long CHECKPOINT_DEPTH_BYTES = 20 << 20;

    private static final int LOG_BUFFER_BYTES = 1 << 20;
    private static final int BATCH_PAGES = 32;
    private static final int READ_PAGES = 8;
    private static final long IDLE_NANOS = 10_000_000;
    private static final Comparator<Frame> BY_PAGE = Comparator.comparingLong(Frame::page);

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, Frame> frames = new ConcurrentHashMap<>();
    /** In the order in which they became so, which is that of their first changes. */
    private final Map<Long, Frame> dirty = new LinkedHashMap<>();

    private final ConcurrentLinkedQueue<Long> soon = new ConcurrentLinkedQueue<>();
    private final ByteBuffer images = DirectFiles.buffer(BATCH_PAGES * Page.BYTES);
    private final PageCache cache;
    private final FileOperations operations;
    private final PageFile file;
    private final FileChannel checkpoints;
    private final Space space = new Space();
    private final List<Tree> trees = new ArrayList<>();
    private final Thread writer;
    private final boolean keepsLog;
    /** Memory for reads of several pages. */
    private final ConcurrentLinkedQueue<ByteBuffer> readBuffers = new ConcurrentLinkedQueue<>();

    private volatile Checkpoint checkpoint;
    private volatile @Nullable PageLog log;
    private volatile @Nullable IOException failure;
    private volatile boolean isDraining;
    private long replayedBytes;
    private volatile boolean isClosed;

    /** What is done with a store. */
    @FunctionalInterface
    interface Work<T> {
        /** Does it, or finds that pages are missing before it has changed anything. */
        T apply(PageChange change) throws Missing;
    }

    private PageStore(
            Path folder, int trees, boolean keepsLog, PageCache cache, FileOperations operations)
            throws IOException {
        this.cache = cache;
        this.operations = operations;
        this.checkpoint = Checkpoint.read(folder.resolve(CHECKPOINT));
        this.file = new PageFile(folder.resolve(FILE), operations);
        this.checkpoints = DirectFiles.openForWriting(folder.resolve(CHECKPOINT));
        this.keepsLog = keepsLog;
        for (int i = 0; i < trees; i++) {
            this.trees.add(new Tree(Space.TOTALS + 1 + i, space));
        }
        this.writer = Thread.ofPlatform()
                .daemon()
                .name(folder.getFileName() + "-writer")
                .unstarted(this::write);
    }

    /**
     * Opens a store, or makes one, and does again what is in its log alone.
     *
     * @param folder of the pages
     * @param logFolder of the log
     * @param trees how many it has
     * @param keepsLog whether the whole log from now on is needed after a crash: no checkpoint is written
     */
    static PageStore open(
            Path folder,
            Path logFolder,
            int trees,
            boolean keepsLog,
            PageCache cache,
            FileOperations operations)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Files.createDirectories(logFolder);
        PageStore store = new PageStore(folder, trees, keepsLog, cache, operations);
        boolean isNew = store.checkpoint.number() == 0;
        store.writer.start();
        try {
            store.begin(logFolder);
            if (isNew) {
                store.init();
            }
            return store;
        } catch (IOException | InterruptedException | RuntimeException e) {
            store.abandon();
            throw e;
        }
    }

    private void begin(Path folder) throws IOException, InterruptedException {
        PageLog.Reader reader = new PageLog.Reader(folder, operations, checkpoint.lsn());
        long start = reader.lsn();
        ByteBuffer record = checkpoint.number() == 0 ? null : reader.next();
        while (record != null) {
            redo(start, record, reader.lsn());
            start = reader.lsn();
            record = reader.next();
        }
        replayedBytes = start - checkpoint.lsn();
        int opening = Math.max(checkpoint.opening(), reader.opening()) + 1;
        checkpoint = new Checkpoint(checkpoint.number() + 1, checkpoint.lsn(), opening);
        checkpoint.write(checkpoints);
        PageLog opened = new PageLog(folder, operations, opening, reader.lsn());
        opened.forgetBefore(checkpoint.lsn());
        log = opened;
    }

    private void redo(long start, ByteBuffer record, long end)
            throws IOException, InterruptedException {
        work(change -> {
            change.redo(record.duplicate(), end);
            changed(change, start, end);
            return true;
        });
    }

    private void init() throws IOException, InterruptedException {
        int roots = trees.size();
        run(true, change -> {
            change.requirePlaces(1 + roots);
            Space.init(change, Space.TOTALS + 1 + roots);
            for (int i = 0; i < roots; i++) {
                change.init(Space.TOTALS + 1 + i, Page.LEAF);
            }
            return true;
        });
    }

    Tree tree(int number) {
        return trees.get(number);
    }

    Space space() {
        return space;
    }

    /**
     * Does a transaction.
     *
     * @param waits whether it is durable on return
     */
    <T> T run(boolean waits, Work<T> work) throws IOException, InterruptedException {
        PageLog all = log;
        if (all == null) {
            throw new IllegalStateException("not open");
        }
        long[] end = new long[1];
        T result = work(change -> {
            T done = work.apply(change);
            ByteBuffer record = change.record();
            if (record.hasRemaining()) {
                long start = all.nextLsn();
                end[0] = all.append(record);
                changed(change, start, end[0]);
            }
            return done;
        });
        if (end[0] > 0 && (waits || all.waitingBytes() > LOG_BUFFER_BYTES)) {
            all.sync(end[0]);
        }
        return result;
    }

    private <T> T work(Work<T> work) throws IOException, InterruptedException {
        Deque<Frame> blanks = new ArrayDeque<>();
        List<Frame> held = new ArrayList<>();
        Set<Long> read = new HashSet<>();
        try {
            while (true) {
                PageChange change = new PageChange(this, blanks);
                Missing missing;
                lock.lock();
                try {
                    requireSound();
                    T done = work.apply(change);
                    countHits(change, read);
                    return done;
                } catch (Missing e) {
                    missing = e;
                } finally {
                    lock.unlock();
                    held.addAll(change.pinned().values());
                }
                for (int i = 0; i < missing.places(); i++) {
                    blanks.add(cache.take(this));
                }
                load(missing.pages(), held, read);
            }
        } finally {
            blanks.forEach(cache::giveBack);
            held.forEach(cache::release);
        }
    }

    /** Counts the pages that were in the cache: neither made nor read. */
    private void countHits(PageChange change, Set<Long> read) {
        long hits = 0;
        for (long page : change.pinned().keySet()) {
            hits += change.hasMade(page) || read.contains(page) ? 0 : 1;
        }
        operations.add(IoCounter.CACHE_HITS, hits);
    }

    private void changed(PageChange change, long start, long end) {
        change.changed().forEach((number, frame) -> {
            Page.lsn(frame.buffer, end);
            if (!frame.isDirty) {
                frame.firstLsn = start;
                frame.isDirty = true;
                dirty.put(number, frame);
            }
        });
        if (isDeep(end)) {
            LockSupport.unpark(writer);
        }
    }

    private boolean isDeep(long end) {
        return !keepsLog
                && !dirty.isEmpty()
                && end - dirty.values().iterator().next().firstLsn > CHECKPOINT_DEPTH_BYTES;
    }

    /** {@return a page of the cache, pinned; null when it isn't there} */
    @Nullable
    Frame resident(long number) {
        Frame frame = frames.get(number);
        if (frame == null || !frame.pin()) {
            return null;
        }
        if (frame.page() != number || frame.store() != this || !frame.isLoaded()) {
            frame.unpin();
            return null;
        }
        frame.isUsed = true;
        return frame;
    }

    /** {@return the place of a page that is made anew, pinned} */
    Frame blank(long number, Deque<Frame> blanks) {
        Frame there = resident(number);
        if (there != null) {
            return there;
        }
        Frame frame = blanks.remove();
        frame.assign(this, number);
        frame.loaded();
        frames.put(number, frame);
        return frame;
    }

    void forget(Frame frame) {
        var unused = frames.remove(frame.page(), frame);
    }

    /** Asks for a page to be written, so that its place can be another's. */
    void writeSoon(long page) {
        soon.add(page);
        LockSupport.unpark(writer);
    }

    /** Reads pages, or waits for those that read them; all are pinned then. */
    private void load(Collection<Long> pages, List<Frame> held, Set<Long> read)
            throws IOException, InterruptedException {
        List<Frame> own = new ArrayList<>();
        try {
            for (long page : pages) {
                Frame frame = cache.take(this);
                frame.assign(this, page);
                Frame there = frames.putIfAbsent(page, frame);
                if (there == null) {
                    own.add(frame);
                    read.add(page);
                    continue;
                }
                frame.takeBack();
                cache.giveBack(frame);
                if (there.pin()) {
                    there.await();
                    held.add(there);
                }
            }
            own.sort(BY_PAGE);
            int from = 0;
            for (int i = 1; i <= own.size(); i++) {
                boolean goesOn = i < own.size()
                        && i - from < READ_PAGES
                        && own.get(i).page() == own.get(i - 1).page() + 1;
                if (!goesOn) {
                    read(own.subList(from, i));
                    from = i;
                }
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            own.stream().filter(frame -> !frame.isLoaded()).forEach(frame -> {
                forget(frame);
                frame.failed();
            });
            throw e;
        } finally {
            held.addAll(own);
        }
    }

    private void read(List<Frame> side) throws IOException {
        boolean isOne = side.size() == 1;
        ByteBuffer into = isOne ? side.getFirst().buffer.duplicate() : readBuffer();
        file.read(side.getFirst().page(), into.clear().limit(side.size() * Page.BYTES));
        for (int i = 0; i < side.size(); i++) {
            Frame frame = side.get(i);
            if (!isOne) {
                frame.buffer.put(0, into, i * Page.BYTES, Page.BYTES);
            }
            if (!Page.isSound(frame.buffer, frame.page())) {
                throw new IOException("page " + frame.page() + " of " + file + " is damaged");
            }
            frame.loaded();
        }
        if (!isOne) {
            readBuffers.add(into);
        }
    }

    private ByteBuffer readBuffer() {
        ByteBuffer unused = readBuffers.poll();
        return unused == null ? DirectFiles.buffer(READ_PAGES * Page.BYTES) : unused;
    }

    private void write() {
        try {
            while (!isClosed || (isDraining && failure == null)) {
                List<Frame> batch = batch();
                if (!batch.isEmpty()) {
                    writeBatch(batch);
                } else if (isDraining) {
                    check(true);
                    isDraining = false;
                } else {
                    LockSupport.parkNanos(IDLE_NANOS);
                }
            }
        } catch (IOException e) {
            failure = e;
        } catch (RuntimeException e) {
            failure = new IOException("the writer of " + file + " has failed: " + e, e);
        }
    }

    /** Takes pages to be written, with what stands in them now. */
    private List<Frame> batch() {
        lock.lock();
        try {
            List<Frame> batch = new ArrayList<>();
            Long wanted = soon.poll();
            while (wanted != null) {
                Frame frame = batch.size() < BATCH_PAGES ? dirty.remove(wanted) : null;
                if (frame != null) {
                    batch.add(frame);
                }
                wanted = batch.size() < BATCH_PAGES ? soon.poll() : null;
            }
            PageLog all = log;
            long end = all == null ? 0 : all.nextLsn();
            while (batch.size() < BATCH_PAGES && !dirty.isEmpty() && (isDraining || isDeep(end))) {
                Frame frame = dirty.values().iterator().next();
                dirty.remove(frame.page());
                batch.add(frame);
            }
            batch.sort(BY_PAGE);
            for (int i = 0; i < batch.size(); i++) {
                Frame frame = batch.get(i);
                if (!frame.pin()) {
                    throw new IllegalStateException("a page to be written has no place");
                }
                ByteBuffer image = images.slice(i * Page.BYTES, Page.BYTES);
                image.put(0, frame.buffer, 0, Page.BYTES);
                frame.isDirty = false;
                frame.isAsked = false;
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private void writeBatch(List<Frame> batch) throws IOException {
        long lsn = 0;
        for (int i = 0; i < batch.size(); i++) {
            ByteBuffer image = images.slice(i * Page.BYTES, Page.BYTES);
            Page.seal(image);
            lsn = Math.max(lsn, Page.lsn(image));
            file.require(batch.get(i).page());
        }
        PageLog all = log;
        if (all != null) {
            all.sync(lsn);
        }
        int from = 0;
        for (int i = 1; i <= batch.size(); i++) {
            if (i == batch.size() || batch.get(i).page() != batch.get(i - 1).page() + 1) {
                file.write(
                        batch.get(from).page(),
                        images.slice(from * Page.BYTES, (i - from) * Page.BYTES));
                from = i;
            }
        }
        batch.forEach(cache::release);
        check(false);
    }

    /** Notes where the log begins that is needed, unless little has come to it. */
    private void check(boolean isAsked) throws IOException {
        PageLog all = log;
        if (all == null) {
            return;
        }
        long lsn;
        lock.lock();
        try {
            lsn = dirty.isEmpty() ? all.nextLsn() : dirty.values().iterator().next().firstLsn;
        } finally {
            lock.unlock();
        }
        if (isAsked || (!keepsLog && lsn - checkpoint.lsn() >= PageLog.FILE_BYTES)) {
            file.force();
            all.sync(lsn);
            checkpoint = new Checkpoint(checkpoint.number() + 1, lsn, checkpoint.opening());
            checkpoint.write(checkpoints);
            all.forgetBefore(lsn);
        }
    }

    FileOperations operations() {
        return operations;
    }

    /** {@return octets of log that were done again when it was opened} */
    long replayedBytes() {
        return replayedBytes;
    }

    /** {@return octets of log that would be done again after a crash, about} */
    long logBytes() {
        PageLog all = log;
        return all == null ? 0 : all.durableLsn() - checkpoint.lsn();
    }

    void requireSound() throws IOException {
        IOException its = failure;
        if (its != null) {
            throw new IOException(its.getMessage(), its);
        }
    }

    /** Writes all pages that are dirty; the log is not needed then. */
    void flush() throws IOException {
        isDraining = true;
        LockSupport.unpark(writer);
        while (isDraining && failure == null) {
            LockSupport.parkNanos(IDLE_NANOS / 10);
        }
        requireSound();
    }

    @Override
    public void close() throws IOException {
        try {
            if (failure == null) {
                flush();
            }
        } finally {
            abandon();
        }
    }

    /** Ends without writing what is in memory alone: what is in its files is as after a crash. */
    void abandon() throws IOException {
        isClosed = true;
        LockSupport.unpark(writer);
        Uninterrupted.join(writer);
        for (Frame frame : List.copyOf(frames.values())) {
            frame.isDirty = false;
            if (frame.take()) {
                cache.giveBack(frame);
            }
        }
        PageLog all = log;
        if (all != null) {
            all.close();
        }
        checkpoints.close();
        file.close();
    }
}
