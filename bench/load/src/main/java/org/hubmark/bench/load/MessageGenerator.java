package org.hubmark.bench.load;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Makes RFC 5322 messages of exactly the asked size: the octets of the content with CRLF line ends,
 * before dot-stuffing. Each is a head with the message's own number and a cut of the {@link Material}.
 *
 * <p>The same seed makes the same bodies. The Message-ID has 64 bits besides that no two generators
 * share, so that no two messages of any runs on any machines have the same. One thread.
 */
public final class MessageGenerator {
    /** The smallest message: SMTP content ends with a line end. */
    public static final int BYTES_MIN = 2;

    /** The largest: a buffer is addressed by int, and memory has to hold an eighth more. */
    public static final long BYTES_MAX = 1_000_000_000;

    /** Holds the place of a number. Of its 18 digits, 6 count the drivers of a message set. */
    static final String NUMBER = "\0".repeat(18);

    /** The line with the number of a message is at least so long. */
    private static final int NUMBER_LINE_MIN = NUMBER.length() + 2;

    /** What a line that is too long gives to one of its own. */
    private static final int SECOND_LINE = 40;

    private static final String FILLER =
            " is the number of this message, and what follows was drawn at random for it, all of it";

    private final SplittableRandom random;
    private final long seed;
    private final String sender;
    private final String recipient;
    private final String date;
    private final String run;

    /**
     * What all messages of one size have in common.
     *
     * @param head in ASCII, with {@link #NUMBER} where the number of a message goes
     * @param cutOctets of material, before dot-stuffing, behind it
     */
    record Frame(String head, int cutOctets) {
        int sizeBytes() {
            return head.length() + cutOctets;
        }
    }

    /** Makes messages between these two addresses. */
    public MessageGenerator(long seed, Instant date, String sender, String recipient) {
        this.random = new SplittableRandom(seed);
        this.seed = seed;
        this.sender = sender;
        this.recipient = recipient;
        this.date = DateTimeFormatter.ofPattern("EEE, d MMM yyyy HH:mm:ss Z", Locale.ROOT)
                .format(date.atOffset(ZoneOffset.UTC));
        this.run = HexFormat.of().toHexDigits(new SecureRandom().nextLong());
    }

    long seed() {
        return seed;
    }

    /**
     * Makes what messages of a size have in common. Header fields are left out from the last to the
     * first where the size has no room for them; below 74 octets there is only text.
     */
    Frame frame(int sizeBytes) {
        if (sizeBytes < BYTES_MIN) {
            throw new IllegalArgumentException("a message has at least " + BYTES_MIN + " bytes");
        }
        StringBuilder head = new StringBuilder();
        for (String field : fields()) {
            // Two more for the empty line that ends the header.
            if (!fits(field.length(), head.length(), sizeBytes)) {
                break;
            }
            head.append(field);
        }
        if (!head.isEmpty()) {
            head.append("\r\n");
        }
        int left = sizeBytes - head.length();
        int cut = cut(left);
        lines(head, left - cut);
        return new Frame(head.toString(), cut);
    }

    /** {@return how much of that many octets is material: whole lines, with room for the number before} */
    private static int cut(int octets) {
        return Math.max(0, octets - NUMBER_LINE_MIN) / Material.LINE_OCTETS * Material.LINE_OCTETS;
    }

    /** Appends the given number of octets of lines; the first line has the number if it fits. */
    private static void lines(StringBuilder to, int octets) {
        if (octets == 0) {
            return;
        }
        if (octets > Material.LINE_OCTETS) {
            lines(to, octets - SECOND_LINE);
            to.append(FILLER, 1, SECOND_LINE - 1).append("\r\n");
            return;
        }
        String text = octets >= NUMBER_LINE_MIN ? NUMBER + FILLER : FILLER.strip();
        String line = text.substring(0, octets - 2);
        // No line ends with a blank.
        to.append(line.endsWith(" ") ? line.stripTrailing() + "." : line).append("\r\n");
    }

    private List<String> fields() {
        return List.of(
                "Message-ID: <" + NUMBER + "." + run + "@load.hubmark.example>\r\n",
                "From: Load driver <" + sender + ">\r\n",
                "To: <" + recipient + ">\r\n",
                "Date: " + date + "\r\n",
                "Subject: Minutes of the meeting, part " + random.nextInt(100, 1000) + "\r\n",
                "MIME-Version: 1.0\r\n",
                "Content-Type: text/plain; charset=us-ascii\r\n");
    }

    /** Room for a field, the empty line, and either nothing more or at least an empty line of text. */
    private static boolean fits(int fieldOctets, int index, int sizeBytes) {
        int left = sizeBytes - index - fieldOctets - 2;
        return left == 0 || left >= 2;
    }
}
