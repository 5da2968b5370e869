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
 * @param memory percent in use
 * @param queueVolume percent of what has to stay free, left for mail
 * @param logDepth percent in use of what the log may grow beyond its checkpoint depth
 * @param queueLength messages
 * @param pauseMax how long a reply is held back at most
 */
public record PressureSettings(
        Thresholds memory,
        Thresholds queueVolume,
        Thresholds logDepth,
        Thresholds queueLength,
        Duration pauseMax) {
    private static final List<MemoryPoolMXBean> HEAP =
            ManagementFactory.getMemoryPoolMXBeans().stream()
                    .filter(pool -> pool.getType() == MemoryType.HEAP)
                    .toList();

    /** Reads them; fails with the key of one that is not possible. */
    public static PressureSettings read(Settings settings) {
        return new PressureSettings(
                levels(
                        settings,
                        "back-pressure.memory",
                        "Percent in use of smtp.bytes-in-flight-max, of smtp.envelope-bytes-max, or"
                                + " of the heap after a collection",
                        new Thresholds(75, 85, 95)),
                levels(
                        settings,
                        "back-pressure.queue-volume",
                        "Free space on the queue volume, less the mail that the log may still have"
                                + " to move there, as percent of store.free-space-min; at 100 the"
                                + " store refuses all mail",
                        new Thresholds(300, 200, 125)),
                // The store slows mail by itself so that about 67 are in use while the queue volume
                // is the slower one; only a volume that takes next to nothing gets it beyond 83.
                levels(
                        settings,
                        "back-pressure.log-depth",
                        "Percent in use of the space that the log may grow by beyond its checkpoint"
                                + " depth, because the queue volume is slow or the log volume is"
                                + " full",
                        new Thresholds(75, 90, 98)),
                // At 1,000 messages a second ten million take almost three hours to deliver; about
                // then senders are usually warned of a delay.
                levels(
                        settings,
                        "back-pressure.queue-length",
                        "Messages in the queue, deferred and dead ones too",
                        new Thresholds(4_000_000, 5_000_000, 10_000_000)),
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
                memory,
                () -> percentUsed(receiver.budget())));
        all.add(new WatchedResource(
                "envelope_memory",
                "memory of envelopes in flight",
                "% of smtp.envelope-bytes-max",
                "too many recipients in flight",
                memory,
                () -> percentUsed(receiver.envelopeBudget())));
        all.add(new WatchedResource(
                "heap",
                "the heap after a collection",
                "% of its maximum",
                "memory is short",
                memory,
                PressureSettings::heapPercent));
        if (store != null && sampler != null) {
            all.add(new WatchedResource(
                    "queue_volume",
                    "the room of the queue volume",
                    "% of store.free-space-min",
                    "the queue volume is short of room",
                    queueVolume,
                    () -> store.room().queueFreePercent()));
            all.add(new WatchedResource(
                    "log_depth",
                    "the log",
                    "% of the space that it may grow by beyond its checkpoint depth",
                    "the queue volume takes mail too slowly",
                    logDepth,
                    () -> store.room().logUsedPercent()));
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

    private static Thresholds levels(
            Settings settings, String key, String meaning, Thresholds defaults) {
        boolean shrink = defaults.shrink();
        String from = shrink ? " or less" : " or more";
        Thresholds read = new Thresholds(
                threshold(
                        settings,
                        key + ".normal",
                        defaults.normal(),
                        meaning + ": " + (shrink ? "above" : "below")
                                + " this a medium level of back pressure ends."),
                threshold(
                        settings,
                        key + ".medium",
                        defaults.medium(),
                        meaning + ": with this" + from
                                + " for a second, replies to MAIL are slowed; "
                                + (shrink ? "above" : "below") + " it a high level ends."),
                threshold(
                        settings,
                        key + ".high",
                        defaults.high(),
                        meaning + ": with this" + from + " for a second, MAIL gets 452 4.3.1."));
        boolean inOrder = shrink
                ? read.normal() > read.medium() && read.medium() > read.high()
                : read.normal() < read.medium() && read.medium() < read.high();
        if (!inOrder) {
            throw new IllegalArgumentException("settings " + key + ".normal, .medium and .high: "
                    + read.normal() + ", " + read.medium() + ", " + read.high() + " do not "
                    + (shrink ? "shrink" : "grow"));
        }
        return read;
    }

    private static long threshold(
            Settings settings, String key, long defaultValue, String meaning) {
        return settings.count(key, (int) defaultValue, 0, Integer.MAX_VALUE, meaning);
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
