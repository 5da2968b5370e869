package org.hubmark.bench.load;

import org.hubmark.bench.UserError;
import org.hubmark.core.ByteSize;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The messages that a driver sends, ready for one plan and one server. Which one is sent depends on
 * the seed and the sequence number alone.
 */
public final class MessageSet implements AutoCloseable {
    /** Enough that no cache answers for the bodies, and not more memory than this. */
    private static final int BODIES_MAX = 16;

    private static final long BODY_BYTES_MAX = 64_000_000;
    /** 2^64 over the golden ratio: spreads consecutive numbers (SplittableRandom, Steele et al.). */
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    private final List<Group> groups;
    /** Shares of the groups added up, the last is 1. */
    private final double[] upTo;

    private final long seed;

    /** Messages of one size, or all files of a folder: they take turns. */
    private record Group(List<WireMessage> messages, double weight) {
        WireMessage get(long number) {
            return messages.get((int) (number % messages.size()));
        }

        double sizeBytesMean() {
            return messages.stream()
                    .mapToLong(WireMessage::contentBytes)
                    .average()
                    .orElseThrow();
        }
    }

    private MessageSet(List<Group> groups, long seed) {
        this.groups = List.copyOf(groups);
        this.seed = seed;
        this.upTo = new double[groups.size()];
        double total = groups.stream().mapToDouble(Group::weight).sum();
        double sum = 0;
        for (int i = 0; i < upTo.length; i++) {
            sum += groups.get(i).weight();
            upTo[i] = sum / total;
        }
    }

    /** Makes messages of one size. */
    public static MessageSet generate(
            int sizeBytes,
            MessageGenerator generator,
            LoadPlan plan,
            TargetProbe.Announced server) {
        return generate(SizeMix.of(sizeBytes), generator, plan, server);
    }

    /** Makes messages of several sizes, sent in random order. */
    public static MessageSet generate(
            SizeMix mix, MessageGenerator generator, LoadPlan plan, TargetProbe.Announced server) {
        List<Group> groups = new ArrayList<>();
        for (SizeMix.Share share : mix.shares()) {
            int size = Math.toIntExact(share.sizeBytes());
            long bodies = Math.clamp(BODY_BYTES_MAX / mix.shares().size() / size, 1L, BODIES_MAX);
            List<WireMessage> messages = new ArrayList<>();
            for (int i = 0; i < bodies; i++) {
                messages.add(WireMessage.of(
                        generator.next(size), generator.numbered(size), plan, server));
            }
            groups.add(new Group(List.copyOf(messages), share.weight()));
        }
        return new MessageSet(groups, generator.seed());
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
        return new MessageSet(List.of(new Group(List.copyOf(messages), 1)), 0);
    }

    /** {@return the octets of content of a message, on the average of all that will be sent} */
    public double sizeBytesMean() {
        double mean = 0;
        double before = 0;
        for (int i = 0; i < upTo.length; i++) {
            mean += (upTo[i] - before) * groups.get(i).sizeBytesMean();
            before = upTo[i];
        }
        return mean;
    }

    WireMessage get(long sequence) {
        if (upTo.length == 1) {
            return groups.getFirst().get(sequence);
        }
        long mixed = mix((seed + 1) * GOLDEN_GAMMA + sequence * GOLDEN_GAMMA);
        int at = Arrays.binarySearch(upTo, (mixed >>> 11) * 0x1.0p-53);
        // What lies between two bounds belongs to the upper one, and so does the bound below it.
        return groups.get(at < 0 ? -at - 1 : at + 1).get(sequence);
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
        groups.forEach(group -> group.messages().forEach(WireMessage::release));
    }
}
