package org.hubmark.bench.load;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Makes RFC 5322 messages of exactly the asked size: the octets of the content with CRLF line ends,
 * before dot-stuffing. The same seed makes the same messages. One thread.
 */
public final class MessageGenerator {
    /** The smallest message: SMTP content ends with a line end. */
    public static final int BYTES_MIN = 2;

    /** The largest: a buffer is addressed by int, and memory has to hold it twice. */
    public static final long BYTES_MAX = 1_000_000_000;

    /** The sequence number in the first line has so many digits. */
    static final int SEQUENCE_DIGITS = 12;

    /** Where the sequence number stands in a message that holds one. */
    static final int SEQUENCE_INDEX = "Message-ID: <".length();

    private static final int LINE_OCTETS_MAX = 76;
    private static final double DOT_LINES = 0.04;
    private static final String[] WORDS = ("the queue holds what was accepted until it is delivered"
                    + " and the log of this volume is written before any answer goes out so that"
                    + " message after message reaches its mailbox at every rate while disks turn"
                    + " and 2048 of 4096 pages are counted, compared; sent on. Regards")
            .split(" ", -1);

    private final SplittableRandom random;
    private final long seed;
    private final String sender;
    private final String recipient;
    private final String date;

    /** Makes messages between these two addresses. */
    public MessageGenerator(long seed, Instant date, String sender, String recipient) {
        this.random = new SplittableRandom(seed);
        this.seed = seed;
        this.sender = sender;
        this.recipient = recipient;
        this.date = DateTimeFormatter.ofPattern("EEE, d MMM yyyy HH:mm:ss Z", Locale.ROOT)
                .format(date.atOffset(ZoneOffset.UTC));
    }

    /**
     * Makes a message with the sequence number 0. Header fields are left out from the last to the
     * first where the size has no room for them; below about 60 octets there is only text.
     */
    byte[] next(int sizeBytes) {
        if (sizeBytes < BYTES_MIN) {
            throw new IllegalArgumentException("a message has at least " + BYTES_MIN + " bytes");
        }
        byte[] content = new byte[sizeBytes];
        int index = header(content);
        while (index < sizeBytes) {
            index = line(content, index);
        }
        return content;
    }

    long seed() {
        return seed;
    }

    /** {@return whether a message of that size carries a sequence number} */
    boolean numbered(int sizeBytes) {
        return fits(firstField().length(), 0, sizeBytes);
    }

    private int header(byte[] content) {
        String[] fields = {
            firstField(),
            "From: Load driver <" + sender + ">\r\n",
            "To: <" + recipient + ">\r\n",
            "Date: " + date + "\r\n",
            "Subject: Minutes of the meeting, part " + random.nextInt(100, 1000) + "\r\n",
            "MIME-Version: 1.0\r\n",
            "Content-Type: text/plain; charset=us-ascii\r\n"
        };
        int index = 0;
        for (String field : fields) {
            // Two more for the empty line that ends the header.
            if (!fits(field.length(), index, content.length)) {
                break;
            }
            index = put(content, index, field);
        }
        return index == 0 ? 0 : put(content, index, "\r\n");
    }

    private String firstField() {
        return "Message-ID: <" + "0".repeat(SEQUENCE_DIGITS) + "." + Long.toHexString(seed)
                + "@load.hubmark.example>\r\n";
    }

    /** Room for a field, the empty line, and either nothing more or at least an empty line of text. */
    private static boolean fits(int fieldOctets, int index, int sizeBytes) {
        int left = sizeBytes - index - fieldOctets - 2;
        return left == 0 || left >= 2;
    }

    private int line(byte[] content, int index) {
        int left = content.length - index;
        int octets = Math.min(random.nextInt(40, LINE_OCTETS_MAX + 1), left - 2);
        if (left - 2 - octets == 1) {
            // One octet is no line: give it to this one, or take one away for it.
            octets += octets < LINE_OCTETS_MAX ? 1 : -1;
        }
        int end = index + octets;
        if (octets > 0 && random.nextDouble() < DOT_LINES) {
            content[index++] = '.';
        }
        while (index < end) {
            String word = WORDS[random.nextInt(WORDS.length)];
            for (int i = 0; i < word.length() && index < end; i++) {
                content[index++] = (byte) word.charAt(i);
            }
            // No line ends with a blank.
            if (index < end) {
                content[index++] = index < end ? (byte) ' ' : (byte) '.';
            }
        }
        content[index++] = '\r';
        content[index++] = '\n';
        return index;
    }

    private static int put(byte[] content, int index, String text) {
        byte[] octets = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(octets, 0, content, index, octets.length);
        return index + octets.length;
    }
}
