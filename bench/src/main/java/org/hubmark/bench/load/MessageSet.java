package org.hubmark.bench.load;

import org.hubmark.bench.UserError;
import org.hubmark.core.ByteSize;

import java.util.ArrayList;
import java.util.List;

/** The messages that a driver sends in turn, ready for one plan and one server. */
public final class MessageSet implements AutoCloseable {
    /** Enough that no cache answers for the bodies, and not more memory than this. */
    private static final int BODIES_MAX = 16;

    private static final long BODY_BYTES_MAX = 64_000_000;

    private final List<WireMessage> messages;

    private MessageSet(List<WireMessage> messages) {
        this.messages = List.copyOf(messages);
    }

    /** Makes messages of one size. */
    public static MessageSet generate(
            int sizeBytes,
            MessageGenerator generator,
            LoadPlan plan,
            TargetProbe.Announced server) {
        long bodies = Math.clamp(BODY_BYTES_MAX / sizeBytes, 1L, BODIES_MAX);
        List<WireMessage> messages = new ArrayList<>();
        for (int i = 0; i < bodies; i++) {
            messages.add(WireMessage.of(
                    generator.next(sizeBytes), generator.numbered(sizeBytes), plan, server));
        }
        return new MessageSet(messages);
    }

    /**
     * Prepares messages as they are.
     *
     * @throws UserError when the server says that one is more than it takes
     */
    public static MessageSet of(
            List<byte[]> contents, LoadPlan plan, TargetProbe.Announced server) {
        List<WireMessage> messages = new ArrayList<>();
        Long sizeMax = server.sizeMax();
        for (byte[] content : contents) {
            if (sizeMax != null && sizeMax > 0 && content.length > sizeMax) {
                throw UserError.usage("--corpus has a message of " + ByteSize.format(content.length)
                        + ", more than the server takes: up to " + ByteSize.format(sizeMax));
            }
            messages.add(WireMessage.of(content, false, plan, server));
        }
        return new MessageSet(messages);
    }

    /** {@return the octets of content of a message, on the average} */
    public double sizeBytesMean() {
        long bytes = 0;
        for (WireMessage message : messages) {
            bytes += message.contentBytes();
        }
        return (double) bytes / messages.size();
    }

    WireMessage get(long sequence) {
        return messages.get((int) (sequence % messages.size()));
    }

    /** Frees the buffers; no driver may be using them. */
    @Override
    public void close() {
        messages.forEach(WireMessage::release);
    }
}
