package org.hubmark.queue;

import org.hubmark.core.ByteSize;
import org.hubmark.core.Content;
import org.hubmark.core.Settings;
import org.hubmark.queue.log.DirectIo;
import org.hubmark.queue.log.IntakeLog;
import org.hubmark.queue.log.LogFormat;
import org.hubmark.queue.table.LogIndex;

import java.time.Duration;
import java.util.Locale;

/**
 * Size of the intake log, and the sizes on the queue volume that follow from it.
 *
 * @param segmentBytes of a new segment file, a multiple of 4 KiB
 * @param depthSegments how many may hold mail before the oldest is moved to the queue database
 * @param freeMin what is to stay free on each volume, in bytes
 * @param reclaimInterval how often the queue volume is looked at for what it can give back
 * @param stallTime for which the store may stand still while mail waits
 * @param indexBytesMax memory for what the log holds
 * @param directIo whether it is written past the page cache
 */
record LogSettings(
        int segmentBytes,
        int depthSegments,
        long freeMin,
        Duration reclaimInterval,
        Duration stallTime,
        long indexBytesMax,
        DirectIo directIo) {
    /** How far the log may grow beyond the checkpoint depth while the queue volume is behind. */
    static final int SLACK_SEGMENTS = 4;

    private static final long SEGMENT_BYTES_MIN = 4L << 20;
    private static final long SEGMENT_BYTES_MAX = 1L << 30;

    /** Fewer, and the depth could only be kept coarsely. */
    private static final int DEPTH_SEGMENTS_MIN = 4;

    /**
     * A backlog of a terabyte is then some thousand files, which all stay open; space comes back by
     * the file.
     */
    private static final long CONTENT_FILE_BYTES_MAX = 256 << 20;

    private static final int SEGMENTS_PER_CONTENT_FILE = 4;

    private static final Duration RECLAIM_INTERVAL = Duration.ofSeconds(1);
    private static final Duration STALL_TIME = Duration.ofMinutes(1);

    /**
     * Divisor of the heap for the index; the rest is for connections, deliveries and young objects.
     */
    private static final int INDEX_HEAP_SHARE = 4;

    /** About 400,000 messages; more would make each checkpoint and start long. */
    private static final long INDEX_BYTES_MAX = 400_000 * LogIndex.MESSAGE_BYTES;

    /** Settings with an index of the usual size and automatic choice of direct I/O. */
    LogSettings(int segmentBytes, int depthSegments, long freeMin) {
        this(
                segmentBytes,
                depthSegments,
                freeMin,
                RECLAIM_INTERVAL,
                STALL_TIME,
                indexBytes(),
                DirectIo.AUTO);
    }

    /** Reads the settings. */
    static LogSettings read(Settings settings, long checkpointDepthBytes) {
        long wanted = settings.bytes(
                "store.log.segment-size",
                ByteSize.parse("64MiB"),
                "Size of a file of the intake log, 4MiB to 1GiB; smaller when the checkpoint depth is"
                        + " less than four of them.");
        if (wanted < SEGMENT_BYTES_MIN || wanted > SEGMENT_BYTES_MAX) {
            throw new IllegalArgumentException("setting store.log.segment-size: "
                    + ByteSize.format(wanted) + " is not from 4MiB to 1GiB");
        }
        long fitting =
                Math.clamp(checkpointDepthBytes / DEPTH_SEGMENTS_MIN, SEGMENT_BYTES_MIN, wanted);
        int segmentBytes = (int) (fitting & -LogFormat.PAGE_BYTES);
        int depthSegments = (int) Math.max(1, checkpointDepthBytes / segmentBytes);
        long freeMin = settings.bytes(
                "store.free-space-min",
                ByteSize.parse("64MiB"),
                "Free space on each volume below which mail is refused (452 4.3.1).");
        return new LogSettings(
                segmentBytes,
                depthSegments,
                freeMin,
                RECLAIM_INTERVAL,
                STALL_TIME,
                indexBytes(),
                directIo(settings));
    }

    static long indexBytes() {
        return Math.min(INDEX_BYTES_MAX, Runtime.getRuntime().maxMemory() / INDEX_HEAP_SHARE);
    }

    private static DirectIo directIo(Settings settings) {
        String choice = settings.text(
                "store.log.direct",
                "auto",
                "Write the log past the page cache: on, off, or auto, which does so where a short"
                        + " trial shows that the volume is not slower for it.");
        try {
            return DirectIo.valueOf(choice.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "setting store.log.direct: " + choice + " is not auto, on or off", e);
        }
    }

    /** {@return the content that one record holds at most} */
    int extentBytesMax() {
        return Math.min(Content.EXTENT_BYTES_MAX, segmentBytes / 4);
    }

    /** {@return how large a content file has to be for the next one to be begun} */
    long contentFileBytesMax() {
        return Math.min(CONTENT_FILE_BYTES_MAX, (long) SEGMENTS_PER_CONTENT_FILE * segmentBytes);
    }

    IntakeLog.Size size() {
        return new IntakeLog.Size(segmentBytes, depthSegments + SLACK_SEGMENTS, freeMin);
    }
}
