package org.hubmark.bench.load;

import org.hubmark.core.QueueId;

import java.util.HexFormat;

/**
 * What is compared of a message at both ends of its way.
 *
 * @param id that the 250 named
 * @param lengthBytes octets of content, without the hub's trace field
 * @param crc CRC32 of these octets
 */
public record AuditedContent(QueueId id, long lengthBytes, int crc) {
    /** {@return it as a line of text: id, length and CRC32} */
    String line() {
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
