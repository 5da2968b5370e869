package org.hubmark.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import org.hubmark.hub.audit.ContentSum;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * Pseudo-random octets, made once, of which the bodies of generated messages are cut at random places: to
 * send a message must not cost the making of it. There are {@link #BYTES} of them, or more where a
 * message is larger: more than a processor's caches, so that sending reads memory as a mail server
 * does. Of two messages of 57 KB any octets are the same once in 560 pairs, and all once in 33,000.
 *
 * <p>They are lines of 76 letters, each {@link #LINE_OCTETS} with its end: words of a small vocabulary
 * and random ones, which deflate halves, as it does with much of written mail. Each 25th line starts
 * with a dot, so that cuts that start there have as many dots to stuff as 25ths of lines. Immutable;
 * any thread.
 */
final class Material {
    /** Octets of a line, CRLF included: 76, less than a line should have (RFC 5322 2.1.1), and 2. */
    static final int LINE_OCTETS = 78;

    private static final int BYTES = 64_000_000;
    /** Lines from one that starts with a dot to the next. */
    private static final int BLOCK_LINES = 25;

    private static final int BLOCK_OCTETS = BLOCK_LINES * LINE_OCTETS;

    private static final int CHUNK_BLOCKS = 500;

    /** A word of random letters. */
    private static final int RANDOM_LETTERS = 12;

    /** Share of the words that are random: by trial, that of a text that deflate halves. */
    private static final double RANDOM_SHARE = 0.25;

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
     * @param stuffed whether dots are doubled as DATA has it
     */
    private record Key(boolean stuffed, long seed, int bytes) {}

    private Material(Key key) {
        this.key = key;
        this.blocks = Math.ceilDiv(key.bytes, BLOCK_OCTETS);
        ByteBuffer all = ByteBuffer.allocateDirect(blocks * blockOctets());
        SplittableRandom random = new SplittableRandom(key.seed);
        byte[] chunk = new byte[CHUNK_BLOCKS * blockOctets()];
        while (all.hasRemaining()) {
            fill(chunk, random);
            all.put(chunk, 0, Math.min(chunk.length, all.remaining()));
        }
        // Nobody releases it: the collector frees it when it is no one's any more.
        this.octets = Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(all.flip()));
    }

    /**
     * {@return material of a seed}
     *
     * @param transfer by which it will be sent
     * @param seed the same seed makes the same
     * @param cutOctetsMax of the largest message
     */
    static Material of(Transfer transfer, long seed, int cutOctetsMax) {
        // An eighth more than the largest cut, so that it has places to start at.
        long bytes = Math.max(BYTES, cutOctetsMax + (long) cutOctetsMax / 8);
        Key key = new Key(transfer == Transfer.DATA, seed, Math.toIntExact(bytes));
        Material made = last;
        if (made == null || !made.key.equals(key)) {
            made = new Material(key);
            last = made;
        }
        return made;
    }

    /**
     * {@return so many octets of content, as they travel} They are whole lines.
     *
     * @param contentOctets before stuffing
     * @param random says where from
     */
    ByteBuf cut(int contentOctets, long random) {
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

    /** Fills whole blocks. The same seed makes the same content, stuffed or not. */
    private void fill(byte[] into, SplittableRandom random) {
        for (int at = 0; at < into.length; at += blockOctets()) {
            block(into, at, random, key.stuffed);
        }
    }

    private static void block(byte[] into, int start, SplittableRandom random, boolean stuffed) {
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
                if (random.nextDouble() < RANDOM_SHARE) {
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
