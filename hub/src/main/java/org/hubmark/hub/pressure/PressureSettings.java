package org.hubmark.hub.pressure;

import org.hubmark.core.ContentBudget;
import org.hubmark.core.Settings;
import org.hubmark.hub.pressure.WatchedResource.Thresholds;
import org.hubmark.queue.QueueStore;
import org.hubmark.smtp.SmtpReceiver;
import org.jspecify.annotations.Nullable;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Resources that are watched, and the thresholds of their levels.
 *
 * @param queueLength messages
 * @param pauseMax how long a reply is held back at most
 */
public record PressureSettings(Thresholds queueLength, Duration pauseMax) {
    private static final String QUEUE_LENGTH = "back-pressure.queue-length";

    /** Percent in use. */
    private static final Thresholds MEMORY = new Thresholds(75, 85, 95);

    /** Percent of what has to stay free, left for mail; at 100 the store refuses all mail. */
    private static final Thresholds QUEUE_VOLUME = new Thresholds(300, 200, 125);

    private static final List<MemoryPoolMXBean> HEAP =
            ManagementFactory.getMemoryPoolMXBeans().stream()
                    .filter(pool -> pool.getType() == MemoryType.HEAP)
                    .toList();

    /** Reads what can be set; fails with the key of one that is not possible. */
    public static PressureSettings read(Settings settings) {
        return new PressureSettings(
                queueLength(settings),
                settings.duration(
                        "back-pressure.pause-max",
                        Duration.ofSeconds(5),
                        "Longest delay of a reply to MAIL while the level is medium; the delay"
                                + " begins at 0 and grows by 100ms a second. A client waits for"
                                + " five minutes (RFC 5321 4.5.3.2.2)."));
    }

    /** {@return all that is watched; without a store, only memory} */
    public List<WatchedResource> resources(
            SmtpReceiver receiver, @Nullable QueueStore store, @Nullable QueueSampler sampler) {
        List<WatchedResource> all = new ArrayList<>();
        all.add(new WatchedResource(
                "content_memory",
                "memory of content in flight",
                "% of smtp.bytes-in-flight-max",
                "too much mail in flight",
                MEMORY,
                () -> percentUsed(receiver.budget())));
        all.add(new WatchedResource(
                "envelope_memory",
                "memory of envelopes in flight",
                "% of smtp.envelope-bytes-max",
                "too many recipients in flight",
                MEMORY,
                () -> percentUsed(receiver.envelopeBudget())));
        all.add(new WatchedResource(
                "heap",
                "the heap after a collection",
                "% of its maximum",
                "memory is short",
                MEMORY,
                PressureSettings::heapPercent));
        if (store != null && sampler != null) {
            all.add(new WatchedResource(
                    "queue_volume",
                    "the room of the queue volume",
                    "% of store.free-space-min",
                    "the queue volume is short of room",
                    QUEUE_VOLUME,
                    store::queueFreePercent));
            all.add(new WatchedResource(
                    "queue_length",
                    "the length of the queue",
                    "messages",
                    "the queue is too long",
                    queueLength,
                    () -> sampler.last().length().messages()));
        }
        return all;
    }

    /**
     * At 1,000 messages a second ten million take almost three hours to deliver; about then senders are
     * usually warned of a delay.
     */
    private static Thresholds queueLength(Settings settings) {
        Thresholds read = new Thresholds(
                messages(
                        settings,
                        ".normal",
                        4_000_000,
                        ": below this a medium level of back pressure ends."),
                messages(
                        settings,
                        ".medium",
                        5_000_000,
                        ": with this or more for a second, replies to MAIL are slowed; below it a"
                                + " high level ends."),
                messages(
                        settings,
                        ".high",
                        10_000_000,
                        ": with this or more for a second, MAIL gets 452 4.3.1."));
        if (read.normal() >= read.medium() || read.medium() >= read.high()) {
            throw new IllegalArgumentException("settings " + QUEUE_LENGTH
                    + ".normal, .medium and .high: " + read.normal() + ", " + read.medium() + ", "
                    + read.high() + " do not grow");
        }
        return read;
    }

    private static long messages(Settings settings, String level, int messages, String meaning) {
        return settings.count(
                QUEUE_LENGTH + level,
                messages,
                0,
                Integer.MAX_VALUE,
                "Messages in the queue, deferred and dead ones too" + meaning);
    }

    private static long percentUsed(ContentBudget budget) {
        return (long) (100.0 * budget.bytesUsed() / budget.bytesMax());
    }

    /** What a collection has left: what is in use between two of them is mostly garbage. */
    private static long heapPercent() {
        long usedBytes = 0;
        for (MemoryPoolMXBean pool : HEAP) {
            MemoryUsage left = pool.getCollectionUsage();
            usedBytes += left == null ? 0 : left.getUsed();
        }
        return 100 * usedBytes / Runtime.getRuntime().maxMemory();
    }
}
