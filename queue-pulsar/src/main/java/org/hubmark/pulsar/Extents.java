package org.hubmark.pulsar;

import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.QueueId;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The parts of large messages whose end has not come yet. They wait in memory, within the budget,
 * because the cluster takes whole messages only. Any thread; those of one message are its owner's.
 */
final class Extents {
    private final ContentBudget budget;
    private final ConcurrentHashMap<QueueId, List<byte[]>> parts = new ConcurrentHashMap<>();

    Extents(ContentBudget budget) {
        this.budget = budget;
    }

    /** Takes what is in memory of a content; false if there is no room for it. */
    boolean add(Content content) {
        if (!budget.reserve(content.memoryBytes())) {
            return false;
        }
        byte[] part = new byte[content.memoryBytes()];
        content.memory().get(part);
        parts.computeIfAbsent(content.id(), id -> new ArrayList<>()).add(part);
        content.markExtentStored();
        return true;
    }

    /** {@return whether parts of a message wait here} */
    boolean hasPartsOf(QueueId id) {
        return parts.containsKey(id);
    }

    /** {@return a header and the whole content behind it} The parts are forgotten. */
    byte[] join(byte[] header, Content content) {
        ByteBuffer whole =
                ByteBuffer.allocate(Math.toIntExact(header.length + content.sizeBytes()));
        whole.put(header);
        for (byte[] part : parts.getOrDefault(content.id(), List.of())) {
            whole.put(part);
        }
        whole.put(content.memory());
        forget(content.id());
        return whole.array();
    }

    /** Forgets the parts of a message, if there are any. */
    void forget(QueueId id) {
        List<byte[]> forgotten = parts.remove(id);
        if (forgotten != null) {
            for (byte[] part : forgotten) {
                budget.release(part.length);
            }
        }
    }
}
