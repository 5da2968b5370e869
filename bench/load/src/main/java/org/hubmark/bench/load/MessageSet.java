package org.hubmark.bench.load;

import org.hubmark.core.ByteSize;
import org.hubmark.core.UserError;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The messages that a driver sends, ready for one plan and one server. The body of one depends on
 * the seed and its number alone.
 */
public final class MessageSet implements AutoCloseable {
    /** 2^64 over the golden ratio: spreads consecutive numbers (SplittableRandom, Steele et al.). */
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    /** They take turns. */
    private final List<WireMessage> messages;

    private final long seed;
    private final AtomicInteger drivers = new AtomicInteger();

    private MessageSet(List<WireMessage> messages, long seed) {
        this.messages = List.copyOf(messages);
        this.seed = seed;
    }

    /** Makes messages of one size. */
    public static MessageSet generate(
            int sizeBytes,
            MessageGenerator generator,
            LoadPlan plan,
            TargetProbe.Announced server) {
        MessageGenerator.Frame frame = generator.frame(sizeBytes);
        Material material = frame.cutOctets() == 0
                ? null
                : Material.of(plan.dialogue().transfer(), generator.seed(), frame.cutOctets());
        return new MessageSet(
                List.of(WireMessage.of(frame, material, plan, server)), generator.seed());
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
            messages.add(WireMessage.of(content, plan, server));
        }
        return new MessageSet(messages, 0);
    }

    /** {@return the octets of content of a message, on the average of all that will be sent} */
    public double sizeBytesMean() {
        return messages.stream().mapToLong(WireMessage::contentBytes).average().orElseThrow();
    }

    /**
     * {@return the numbers of the messages of a driver that starts now}
     *
     * @param max so many messages; 0 for no limit
     */
    MessageNumbers numbers(long max) {
        return new MessageNumbers(drivers.getAndIncrement(), max);
    }

    /** {@return what makes the message of that number} */
    WireMessage get(long number) {
        return messages.get((int) (MessageNumbers.inDriver(number) % messages.size()));
    }

    /** {@return random bits for the message of that number} */
    long random(long number) {
        return mix((seed + 1) * GOLDEN_GAMMA + number * GOLDEN_GAMMA);
    }

    /** The finalizer of SplitMix64: every bit of the input changes half of the output. */
    private static long mix(long bits) {
        long mixed = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }

    /** Frees the buffers; no driver may be using them. */
    @Override
    public void close() {
        messages.forEach(WireMessage::release);
    }
}
