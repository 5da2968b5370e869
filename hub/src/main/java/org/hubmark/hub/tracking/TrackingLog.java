package org.hubmark.hub.tracking;

import org.hubmark.core.FileErrors;
import org.hubmark.core.PrivateFiles;
import org.hubmark.core.Uninterrupted;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Message tracking: one line an event, in files {@code tracking-NUMBER.tsv} of bounded size and
 * number. Any thread offers; a thread of its own, {@code tracking}, formats and writes.
 *
 * <p>It observes and never takes part: an offer doesn't wait, what finds no room is dropped and
 * counted, and a volume that can't be written costs events, not mail.
 */
public final class TrackingLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TrackingLog.class);

    /** Events are on their way for so long at most; polling spares each offer a wake-up. */
    private static final Duration POLL = Duration.ofMillis(20);

    /** Polls that find nothing before the thread sleeps until an offer wakes it: a second. */
    private static final int POLLS_MAX = 50;

    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(10);
    private static final int BATCH_EVENTS = 1_024;
    private static final int BUFFER_BYTES = 64 << 10;
    private static final Pattern NAME = Pattern.compile("tracking-([0-9]{1,18})\\.tsv");

    private final Path folder;
    private final long fileBytesMax;
    private final int filesMax;
    private final ArrayBlockingQueue<TrackingEvent> events;
    private final LongAdder dropped = new LongAdder();
    private final Thread thread;
    private volatile boolean closing;
    private volatile boolean asleep;

    // The tracking thread's.
    private @Nullable OutputStream out;
    private ByteBuffer lines = ByteBuffer.allocate(BUFFER_BYTES);
    private int lineCount;
    private long second = Long.MIN_VALUE;
    private String secondText = "";
    private long fileNumber;
    private long fileBytes;
    private long pausedUntilNanos = System.nanoTime();

    /** Limits of the log's size: events that wait to be written, files and their size. */
    record Limits(int bufferEvents, long fileBytesMax, int filesMax) {
        static final Limits DEFAULTS = new Limits(65_536, 64 << 20, 16);
    }

    private TrackingLog(Path folder, Limits limits) {
        this.folder = folder;
        this.events = new ArrayBlockingQueue<>(limits.bufferEvents());
        this.fileBytesMax = limits.fileBytesMax();
        this.filesMax = limits.filesMax();
        this.thread = new Thread(this::run, "tracking");
        this.thread.setDaemon(true);
    }

    /** Opens the log; the folder is made if absent. */
    public static TrackingLog open(Path folder) throws IOException {
        return open(folder, Limits.DEFAULTS);
    }

    /** Opens one with limits of one's choice. */
    static TrackingLog open(Path folder, Limits limits) throws IOException {
        TrackingLog log = new TrackingLog(folder, limits);
        PrivateFiles.createFolders(folder);
        List<Path> files = log.files();
        log.fileNumber = files.isEmpty() ? 0 : number(files.getLast());
        var unused = log.openNext();
        log.thread.start();
        return log;
    }

    /** Hands an event over, or drops and counts it. Doesn't wait. */
    public void offer(TrackingEvent event) {
        if (!events.offer(event)) {
            dropped.increment();
        } else if (asleep) {
            asleep = false;
            LockSupport.unpark(thread);
        }
    }

    /** {@return events that were dropped} */
    public LongAdder dropped() {
        return dropped;
    }

    /** Writes what was offered before, and ends. */
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        Uninterrupted.join(thread);
    }

    private void run() {
        List<TrackingEvent> batch = new ArrayList<>(BATCH_EVENTS);
        int polls = 0;
        while (true) {
            boolean last = closing;
            events.drainTo(batch, BATCH_EVENTS);
            batch.forEach(this::add);
            if (!batch.isEmpty()) {
                polls = 0;
            } else {
                write();
                if (last) {
                    break;
                }
                polls++;
                if (polls < POLLS_MAX) {
                    LockSupport.parkNanos(POLL.toNanos());
                } else {
                    sleep();
                }
            }
            batch.clear();
        }
        closeFile();
    }

    private void add(TrackingEvent event) {
        if (event.bytesMax() > lines.remaining()) {
            write();
        }
        if (event.bytesMax() > lines.capacity()) {
            lines = ByteBuffer.allocate(event.bytesMax());
        }
        event.encode(lines, second(event.at()));
        lineCount++;
    }

    private void sleep() {
        asleep = true;
        // The queue has a lock: an offer that it doesn't show by now finds the thread asleep.
        if (events.isEmpty() && !closing) {
            LockSupport.park(this);
        }
        asleep = false;
    }

    /** Made once for all events of a second: it takes longer than the rest of a line. */
    private String second(Instant at) {
        if (at.getEpochSecond() != second) {
            second = at.getEpochSecond();
            String text = Instant.ofEpochSecond(second).toString();
            secondText = text.substring(0, text.length() - 1);
        }
        return secondText;
    }

    /** Writes the lines there are, or drops them while there is no file; the header once. */
    private void write() {
        try {
            OutputStream file = out;
            if (file == null) {
                if (lineCount == 0 || System.nanoTime() - pausedUntilNanos < 0) {
                    dropped.add(lineCount);
                    return;
                }
                file = openNext();
            }
            if (fileBytes == 0) {
                file.write(TrackingEvent.HEADER);
                fileBytes = TrackingEvent.HEADER.length;
            }
            file.write(lines.array(), 0, lines.position());
            fileBytes += lines.position();
            if (lineCount > 0 && fileBytes >= fileBytesMax) {
                closeFile();
                var unused = openNext();
            }
        } catch (IOException e) {
            dropped.add(lineCount);
            fail(e);
        } finally {
            lineCount = 0;
            lines.clear();
        }
    }

    /** The one failure that is only logged: tracking takes no part in the promise of a 250. */
    private void fail(IOException e) {
        LOG.warn(
                "tracking events are dropped: {} can't be written: {}", folder, FileErrors.text(e));
        closeFile();
        pausedUntilNanos = System.nanoTime() + PAUSE_AFTER_FAILURE.toNanos();
    }

    private void closeFile() {
        OutputStream file = out;
        out = null;
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            LOG.debug("closing a tracking file failed", e);
        }
    }

    private OutputStream openNext() throws IOException {
        fileNumber++;
        Path file = folder.resolve(String.format(Locale.ROOT, "tracking-%08d.tsv", fileNumber));
        OutputStream opened = Channels.newOutputStream(PrivateFiles.create(file));
        out = opened;
        fileBytes = 0;
        List<Path> files = files();
        for (int i = 0; i < files.size() - filesMax; i++) {
            Files.deleteIfExists(files.get(i));
        }
        return opened;
    }

    /** Oldest first. */
    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> number(file) > 0)
                    .sorted((a, b) -> Long.compare(number(a), number(b)))
                    .toList();
        } catch (UncheckedIOException e) {
            // So a folder fails behind its first entries.
            throw Objects.requireNonNull(e.getCause());
        }
    }

    /** {@return the number in a tracking file's name, or 0 if it is another file} */
    private static long number(Path file) {
        Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
        return name.matches() ? Long.parseLong(name.group(1)) : 0;
    }
}
