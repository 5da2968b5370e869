package org.hubmark.bench.qualify.pages;

import java.util.SplittableRandom;

/**
 * Sizes and octets of messages: log-normal, the median at 4 KiB and the mean at 8 KiB, most messages
 * short and a few with something attached. The octets do not compress. One for each thread.
 */
public final class MessageSizes {
    static final int CONTENT_BYTES_MAX = 1 << 20;

    private static final int CONTENT_BYTES_MIN = 256;
    private static final double CONTENT_BYTES_MEDIAN = 4 << 10;
    /** The mean is the median times e to the half of the square of this: twice the median. */
    private static final double SIGMA = 1.18;

    private static final int ROW_BYTES_MIN = 200;
    private static final int ROW_BYTES_MAX = 400;

    /** Octets of all threads; each takes a piece at a place of its own choice. */
    private static final byte[] OCTETS = new byte[2 * CONTENT_BYTES_MAX];

    static {
        new SplittableRandom(1).nextBytes(OCTETS);
    }

    private final SplittableRandom random;

    public MessageSizes(SplittableRandom random) {
        this.random = random;
    }

    /** {@return what stands in the list of a folder: sender, subject, flags} */
    byte[] row() {
        return slice(ROW_BYTES_MIN + random.nextInt(ROW_BYTES_MAX - ROW_BYTES_MIN + 1));
    }

    /** {@return a content} */
    byte[] content() {
        double bytes = CONTENT_BYTES_MEDIAN * Math.exp(SIGMA * random.nextGaussian());
        return slice((int) Math.max(CONTENT_BYTES_MIN, Math.min(CONTENT_BYTES_MAX, bytes)));
    }

    private byte[] slice(int length) {
        int from = random.nextInt(OCTETS.length - length + 1);
        byte[] slice = new byte[length];
        System.arraycopy(OCTETS, from, slice, 0, length);
        return slice;
    }
}
