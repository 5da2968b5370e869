package org.hubmark.bench.load;

import org.hubmark.core.ByteSize;
import org.hubmark.core.UserError;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The messages that a driver sends, ready for one plan and one server. Size and body of one depend on
 * the seed and its number alone.
 */
public final class MessageSet implements AutoCloseable {
    /** 2^64 over the golden ratio: spreads consecutive numbers (SplittableRandom, Steele et al.). */
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    private final List<Group> groups;
    /** Shares of the groups added up, the last is 1. */
    private final double[] upTo;

    private final long seed;
    private final AtomicInteger drivers = new AtomicInteger();

    /** What makes the messages of one size, or all files of a folder: they take turns. */
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
        List<MessageGenerator.Frame> frames = new ArrayList<>();
        int cutOctetsMax = 0;
        for (SizeMix.Share share : mix.shares()) {
            MessageGenerator.Frame frame = generator.frame(Math.toIntExact(share.sizeBytes()));
            frames.add(frame);
            cutOctetsMax = Math.max(cutOctetsMax, frame.cutOctets());
        }
        Material material = cutOctetsMax == 0
                ? null
                : Material.of(plan.dialogue().transfer(), generator.seed(), cutOctetsMax);
        List<Group> groups = new ArrayList<>();
        for (int i = 0; i < frames.size(); i++) {
            MessageGenerator.Frame frame = frames.get(i);
            WireMessage message =
                    WireMessage.of(frame, frame.cutOctets() == 0 ? null : material, plan, server);
            groups.add(new Group(List.of(message), mix.shares().get(i).weight()));
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
            messages.add(WireMessage.of(content, plan, server));
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

    /**
     * {@return the numbers of the messages of a driver that starts now}
     *
     * @param max so many messages; 0 for no limit
     */
    MessageNumbers numbers(long max) {
        return new MessageNumbers(drivers.getAndIncrement(), max);
    }

    /** {@return what makes the message of that number} Of each driver the same sizes in the same order. */
    WireMessage get(long number) {
        long inDriver = MessageNumbers.inDriver(number);
        if (upTo.length == 1) {
            return groups.getFirst().get(inDriver);
        }
        int at = Arrays.binarySearch(upTo, (random(inDriver) >>> 11) * 0x1.0p-53);
        // What lies between two bounds belongs to the upper one, and so does the bound below it.
        return groups.get(at < 0 ? -at - 1 : at + 1).get(inDriver);
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
        groups.forEach(group -> group.messages().forEach(WireMessage::release));
    }
}
