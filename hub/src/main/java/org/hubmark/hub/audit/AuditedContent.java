package org.hubmark.hub.audit;

import org.hubmark.core.QueueId;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;

/**
 * Length and checksum of a message, compared at both ends of its way.
 *
 * @param id that the 250 named
 * @param lengthBytes octets of content, without the hub's trace field
 * @param crc CRC32 of these octets
 */
public record AuditedContent(QueueId id, long lengthBytes, int crc) {
    /** The hub writes its dates in UTC. */
    private static final String DATE_END = " +0000\r\n";

    private static final int TRACE_FIELD_OCTETS_MAX = 4096;
    private static final int READ_BYTES = 64 << 10;

    /**
     * Reads a content as a hub keeps it, with its trace field on top.
     *
     * @param content closed by the caller
     */
    public static AuditedContent read(QueueId id, InputStream content) throws IOException {
        InputStream in = new BufferedInputStream(content, READ_BYTES);
        skipTraceField(in);
        ContentSum sum = new ContentSum();
        byte[] octets = new byte[READ_BYTES];
        for (int count = in.read(octets); count >= 0; count = in.read(octets)) {
            sum.add(octets, 0, count);
        }
        return sum.of(id);
    }

    /**
     * The field ends with the line that ends with its date. What follows may begin with a blank, and
     * looks like a part of it: it is the message all the same, which has no header then.
     */
    private static void skipTraceField(InputStream in) throws IOException {
        StringBuilder field = new StringBuilder();
        int octet = in.read();
        while (octet >= 0 && field.length() < TRACE_FIELD_OCTETS_MAX) {
            field.append((char) octet);
            if (octet == '\n' && field.indexOf(DATE_END, field.length() - DATE_END.length()) >= 0) {
                return;
            }
            octet = in.read();
        }
    }

    /** {@return length and CRC32 in one number} */
    public long sum() {
        return lengthBytes << 32 | Integer.toUnsignedLong(crc);
    }

    /** {@return it as a line of text: id, length and CRC32} */
    public String line() {
        return id + " " + lengthBytes + " " + HexFormat.of().toHexDigits(crc) + "\n";
    }

    /**
     * Reads a line without its end.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static AuditedContent parse(String line) {
        String[] words = line.split(" ", -1);
        if (words.length != 3) {
            throw new IllegalArgumentException("'" + line + "' is not an id, a length and a CRC32");
        }
        return new AuditedContent(
                QueueId.parse(words[0]),
                Long.parseLong(words[1]),
                HexFormat.fromHexDigits(words[2]));
    }
}
