package org.hubmark.hub.pressure;

import org.hubmark.hub.pressure.WatchedResource.Thresholds;
import org.hubmark.queue.QueueStore;
import org.jspecify.annotations.Nullable;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.List;

/**
 * Resources that are watched, and the thresholds of their levels.
 *
 * @param messagesMax messages in the queue with which mail is refused
 */
public record PressureSettings(int messagesMax) {
    /** Percent in use. */
    private static final Thresholds HEAP_LEFT = new Thresholds(75, 85, 95);

    /** Percent of what has to stay free, left for mail; at 100 the store refuses all mail. */
    private static final Thresholds QUEUE_VOLUME = new Thresholds(300, 200, 125);

    private static final List<MemoryPoolMXBean> HEAP =
            ManagementFactory.getMemoryPoolMXBeans().stream()
                    .filter(pool -> pool.getType() == MemoryType.HEAP)
                    .toList();

    /**
     * Ten million messages: at 1,000 a second they take almost three hours to deliver; about then senders
     * are usually warned of a delay.
     */
    public static final PressureSettings DEFAULTS = new PressureSettings(10_000_000);

    /** {@return all that is watched; without a store, only the heap} */
    public List<WatchedResource> resources(
            @Nullable QueueStore store, @Nullable QueueSampler sampler) {
        List<WatchedResource> all = new ArrayList<>();
        all.add(new WatchedResource(
                "heap",
                "the heap after a collection",
                "% of its maximum",
                "memory is short",
                HEAP_LEFT,
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
                    queueLength(),
                    () -> sampler.sample().length().messages()));
        }
        return all;
    }

    /** {@return the levels of the queue's length, of which the lower two are shares of the highest} */
    Thresholds queueLength() {
        return new Thresholds(messagesMax * 2L / 5, messagesMax / 2, messagesMax);
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
