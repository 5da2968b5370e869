package org.hubmark.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import org.hubmark.hub.audit.ContentSum;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.Deflater;

/**
 * Pseudo-random octets, made once, of which the bodies of generated messages are cut at random places: to
 * send a message must not cost the making of it. There are {@link #BYTES} of them, or more where a
 * message is larger: more than a processor's caches, so that sending reads memory as a mail server
 * does. Of two messages of 57 KB any octets are the same once in 560 pairs, and all once in 33,000.
 *
 * <p>Text and base64 are lines of 76 letters, each {@link #LINE_OCTETS} with its end. Of text, each 25th
 * line starts with a dot, so that cuts that start there have as many dots to stuff as 25ths of lines.
 * Immutable; any thread.
 */
final class Material {
    /** Octets of a line, CRLF included: 76, the most that base64 allows (RFC 2045 6.8), and 2. */
    static final int LINE_OCTETS = 78;

    private static final int BYTES = 64_000_000;
    /** Lines from one that starts with a dot to the next. */
    private static final int BLOCK_LINES = 25;

    private static final int BLOCK_OCTETS = BLOCK_LINES * LINE_OCTETS;

    /** How much is deflated to find the share of random octets: a quarter of a million. */
    private static final int SAMPLE_BLOCKS = 128;

    private static final int TRIES = 12;
    private static final double CLOSE = 0.003;
    private static final int CHUNK_BLOCKS = 500;

    /** An attachment is random and then constant, each so many octets. */
    private static final int BINARY_UNIT = 64;

    /** A word of random letters in a text. */
    private static final int RANDOM_LETTERS = 12;

    private static final byte[] LETTERS =
            ascii("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
    private static final byte[][] WORDS = words("the queue holds what was accepted until it is"
            + " delivered and the log of this volume is written before any answer goes out so that"
            + " message after message reaches its mailbox at every rate while disks turn and 2048"
            + " of 4096 pages are counted, compared; sent on. Regards");

    /** The last that was made: scenarios after each other mostly need the same. */
    private static volatile @Nullable Material last;

    private final Key key;
    private final ByteBuf octets;
    private final int blocks;

    /**
     * What it depends on.
     *
     * @param stuffed whether dots are doubled as DATA has it; of text only
     */
    private record Key(Composition content, boolean stuffed, long seed, int bytes) {}

    private Material(Key key) {
        this.key = key;
        this.blocks = Math.ceilDiv(key.bytes, BLOCK_OCTETS);
        double share = randomShare();
        ByteBuffer all = ByteBuffer.allocateDirect(blocks * blockOctets());
        SplittableRandom random = new SplittableRandom(key.seed);
        byte[] chunk = new byte[CHUNK_BLOCKS * blockOctets()];
        while (all.hasRemaining()) {
            fill(chunk, share, random, key.stuffed);
            all.put(chunk, 0, Math.min(chunk.length, all.remaining()));
        }
        // Nobody releases it: the collector frees it when it is no one's any more.
        this.octets = Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(all.flip()));
    }

    /**
     * {@return material of that kind}
     *
     * @param transfer by which it will be sent
     * @param seed the same seed makes the same
     * @param cutOctetsMax of the largest message
     */
    static Material of(Composition content, Transfer transfer, long seed, int cutOctetsMax) {
        boolean stuffed = content.attachments() == Attachments.NONE && transfer == Transfer.DATA;
        // An eighth more than the largest cut, so that it has places to start at.
        long bytes = Math.max(BYTES, cutOctetsMax + (long) cutOctetsMax / 8);
        Key key = new Key(content, stuffed, seed, Math.toIntExact(bytes));
        Material made = last;
        if (made == null || !made.key.equals(key)) {
            made = new Material(key);
            last = made;
        }
        return made;
    }

    /**
     * {@return so many octets of content, as they travel} Where the material has lines, whole ones.
     *
     * @param contentOctets before stuffing
     * @param random says where from
     */
    ByteBuf cut(int contentOctets, long random) {
        if (key.content.attachments() == Attachments.BINARY) {
            int from = place(random, octets.capacity() - contentOctets + 1);
            return octets.slice(from, contentOctets);
        }
        int lines = contentOctets / LINE_OCTETS;
        int needed = Math.ceilDiv(lines, BLOCK_LINES);
        int from = place(random, blocks - needed + 1) * blockOctets();
        return octets.slice(from, contentOctets + (key.stuffed ? needed : 0));
    }

    /** Adds the content of a cut to a sum: as {@link #cut} gives it, less the dots of the transport. */
    void addCutTo(ContentSum sum, int contentOctets, long random) {
        ByteBuf cut = cut(contentOctets, random);
        int end = cut.writerIndex();
        if (!key.stuffed) {
            sum.add(cut, cut.readerIndex(), cut.readableBytes());
            return;
        }
        // The dot that was put before another begins each block.
        for (int from = cut.readerIndex(); from < end; from += blockOctets()) {
            sum.add(cut, from + 1, Math.min(blockOctets(), end - from) - 1);
        }
    }

    private static int place(long random, int places) {
        return (int) Math.unsignedMultiplyHigh(random, places);
    }

    private int blockOctets() {
        return BLOCK_OCTETS + (key.stuffed ? 1 : 0);
    }

    /** Found by trying: what deflate makes of words and random letters in turns follows from no formula. */
    private double randomShare() {
        byte[] sample = new byte[SAMPLE_BLOCKS * BLOCK_OCTETS];
        double low = 0;
        double high = 1;
        double share = 0.5;
        for (int i = 0; i < TRIES; i++) {
            fill(sample, share, new SplittableRandom(key.seed), false);
            double off = compressibility(sample) - key.content.compressibility();
            if (Math.abs(off) < CLOSE) {
                break;
            }
            if (off > 0) {
                low = share;
            } else {
                high = share;
            }
            share = (low + high) / 2;
        }
        return share;
    }

    /** {@return which share deflate takes away, as zlib and gzip do it unless told otherwise} */
    static double compressibility(byte[] octets) {
        Deflater deflater = new Deflater();
        try {
            deflater.setInput(octets);
            deflater.finish();
            byte[] out = new byte[1 << 16];
            while (!deflater.finished()) {
                deflater.deflate(out);
            }
            return 1 - deflater.getBytesWritten() / (double) octets.length;
        } finally {
            deflater.end();
        }
    }

    /** Fills whole blocks. The same seed makes the same content, stuffed or not. */
    private void fill(byte[] into, double share, SplittableRandom random, boolean stuffed) {
        switch (key.content.attachments()) {
            case NONE -> {
                for (int at = 0; at < into.length; at += BLOCK_OCTETS + (stuffed ? 1 : 0)) {
                    textBlock(into, at, share, random, stuffed);
                }
            }
            case BASE64 -> {
                for (int at = 0; at < into.length; at += LINE_OCTETS) {
                    int end = at + LINE_OCTETS - 2;
                    int until = at + some(share * (LINE_OCTETS - 2), random);
                    letters(into, at, until, random);
                    Arrays.fill(into, until, end, (byte) 'A');
                    lineEnd(into, end);
                }
            }
            case BINARY -> {
                random.nextBytes(into);
                for (int at = 0; at < into.length; at += BINARY_UNIT) {
                    int end = Math.min(into.length, at + BINARY_UNIT);
                    int from = at + some(share * BINARY_UNIT, random);
                    if (from < end) {
                        Arrays.fill(into, from, end, (byte) 0);
                    }
                }
            }
        }
    }

    /** {@return a whole number of that mean} */
    private static int some(double mean, SplittableRandom random) {
        return (int) (mean + random.nextDouble());
    }

    private static void textBlock(
            byte[] into, int start, double share, SplittableRandom random, boolean stuffed) {
        int at = start;
        for (int line = 0; line < BLOCK_LINES; line++) {
            int end = at + LINE_OCTETS - 2;
            if (line == 0) {
                into[at++] = '.';
                if (stuffed) {
                    into[at++] = '.';
                    end++;
                }
            }
            while (at < end) {
                int until;
                if (random.nextDouble() < share) {
                    until = Math.min(end, at + RANDOM_LETTERS);
                    letters(into, at, until, random);
                } else {
                    byte[] word = WORDS[random.nextInt(WORDS.length)];
                    until = Math.min(end, at + word.length);
                    System.arraycopy(word, 0, into, at, until - at);
                }
                at = until;
                // No line ends with a blank.
                if (at < end) {
                    into[at++] = (byte) (at < end ? ' ' : 'e');
                }
            }
            lineEnd(into, at);
            at += 2;
        }
    }

    private static void letters(byte[] into, int from, int to, SplittableRandom random) {
        long bits = 0;
        for (int i = from, left = 0; i < to; i++, left--) {
            if (left == 0) {
                bits = random.nextLong();
                left = Long.SIZE / 6;
            }
            into[i] = LETTERS[(int) (bits & 63)];
            bits >>>= 6;
        }
    }

    private static void lineEnd(byte[] into, int at) {
        into[at] = '\r';
        into[at + 1] = '\n';
    }

    private static byte[][] words(String text) {
        String[] words = text.split(" ", -1);
        byte[][] octets = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            octets[i] = ascii(words[i]);
        }
        return octets;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }
}
