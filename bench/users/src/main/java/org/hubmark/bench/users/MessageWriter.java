package org.hubmark.bench.users;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import org.hubmark.bench.users.profile.MessageTemplate;
import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Writes messages as mail clients do (RFC 5322, RFC 2045): a text of the stated size, and what is
 * attached in a part of its own. Text and attachments are cuts of material that is made once. Any thread.
 */
final class MessageWriter {
    private static final int TEXT_OCTETS = 1 << 18;
    private static final int LINE_OCTETS = 74;
    static final String SUBJECT = "minutes of the meeting";

    private static final String CRLF = "\r\n";
    private static final byte[] LINE_END = CRLF.getBytes(US_ASCII);
    private static final String TEXT = "Content-Type: text/plain; charset=us-ascii\r\n";
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, d MMM yyyy HH:mm:ss Z", Locale.ROOT);
    private static final String[] WORDS =
            ("meeting report the of and to plan we project a budget review please for next week in is"
                            + " figures will be customer order on schedule with team that draft")
                    .split(" ", -1);

    /** Lines of one length. */
    private final byte[] text = new byte[TEXT_OCTETS / LINE_OCTETS * LINE_OCTETS];

    /**
     * The head of a message.
     *
     * @param id of the field that tells it from all others
     * @param to addresses, with commas between them
     */
    record Head(String id, String from, String to, String subject) {}

    MessageWriter(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int at = 0; at < text.length; at += LINE_OCTETS) {
            StringBuilder line = new StringBuilder();
            while (line.length() < LINE_OCTETS) {
                line.append(WORDS[random.nextInt(WORDS.length)]).append(' ');
            }
            line.replace(LINE_OCTETS - 3, line.length(), "." + CRLF);
            System.arraycopy(line.toString().getBytes(US_ASCII), 0, text, at, LINE_OCTETS);
        }
    }

    /**
     * {@return a message}
     *
     * @param original that is passed on with it, octets as characters; null for none
     */
    byte[] write(
            Head head,
            MessageTemplate template,
            @Nullable String original,
            SplittableRandom random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(
                500 + template.bodyBytes() + 2 * template.attachmentBytes());
        add(out, SentMail.FIELD + ": " + head.id() + CRLF);
        add(out, "Message-ID: <" + head.id() + "@users.hubmark.example>" + CRLF);
        add(out, "From: <" + head.from() + ">" + CRLF);
        add(out, "To: " + head.to().replace(", ", ",\r\n ") + CRLF);
        add(out, "Subject: " + head.subject() + CRLF);
        add(out, "Date: " + DATE.format(Instant.now().atOffset(ZoneOffset.UTC)) + CRLF);
        add(out, "MIME-Version: 1.0\r\n");
        if (original == null && template.attachmentBytes() == 0) {
            add(out, TEXT + CRLF);
            addText(out, template.bodyBytes(), random);
            return out.toByteArray();
        }
        String boundary = "=_" + head.id();
        add(out, "Content-Type: multipart/mixed; boundary=\"" + boundary + "\"\r\n\r\n");
        add(out, "--" + boundary + CRLF + TEXT + CRLF);
        addText(out, template.bodyBytes(), random);
        if (original != null) {
            add(out, "--" + boundary + "\r\nContent-Type: message/rfc822\r\n\r\n");
            out.writeBytes(original.getBytes(ISO_8859_1));
            add(out, CRLF);
        } else {
            add(
                    out,
                    "--" + boundary + "\r\nContent-Type: application/octet-stream\r\n"
                            + "Content-Transfer-Encoding: base64\r\n"
                            + "Content-Disposition: attachment; filename=\"minutes.bin\"\r\n\r\n");
            byte[] attachment = new byte[template.attachmentBytes()];
            random.nextBytes(attachment);
            out.writeBytes(Base64.getMimeEncoder(76, LINE_END).encode(attachment));
            add(out, CRLF);
        }
        add(out, "--" + boundary + "--\r\n");
        return out.toByteArray();
    }

    /** Adds text of exactly the given size, with the end of its last line. */
    private void addText(ByteArrayOutputStream out, int bytes, SplittableRandom random) {
        int lines = bytes / LINE_OCTETS;
        int at = random.nextInt(text.length / LINE_OCTETS) * LINE_OCTETS;
        for (int i = 0; i < lines; i++) {
            out.write(text, at, LINE_OCTETS);
            at = (at + LINE_OCTETS) % text.length;
        }
        int rest = bytes - lines * LINE_OCTETS;
        if (rest > 0) {
            out.write(text, at, Math.max(0, rest - LINE_END.length));
            out.writeBytes(LINE_END);
        }
    }

    private static void add(ByteArrayOutputStream out, String ascii) {
        out.writeBytes(ascii.getBytes(US_ASCII));
    }
}
