package org.hubmark.hub.relay;

import org.hubmark.smtp.client.SmtpReply;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Extensions in the answer of a next hop to EHLO or LHLO (RFC 5321 4.1.1.1): keywords in capitals,
 * each with its parameters. Those that are made no use of are left out, since each connection has these.
 */
record HopExtensions(Map<String, String> parameters) {
    /** Before EHLO, and after HELO. */
    static final HopExtensions NONE = new HopExtensions(Map.of());

    private static final Set<String> USED =
            Set.of("8BITMIME", "CHUNKING", "PIPELINING", "SIZE", "STARTTLS");

    /** {@return those of an answer, which has one on each line but the first} */
    static HopExtensions of(SmtpReply hello) {
        Map<String, String> known = new TreeMap<>();
        String[] lines = hello.text().split("\n", -1);
        for (int i = 1; i < lines.length; i++) {
            String[] parts = lines[i].strip().split(" +", 2);
            String keyword = parts[0].toUpperCase(Locale.ROOT);
            if (USED.contains(keyword)) {
                known.put(keyword, parts.length > 1 ? parts[1] : "");
            }
        }
        return new HopExtensions(known);
    }

    /** {@return whether the next hop has said that it knows an extension} */
    boolean has(String extension) {
        return parameters.containsKey(extension);
    }

    /** {@return the largest content that it takes, in octets (RFC 1870 3)} It may have no limit that it tells. */
    long sizeMax() {
        String announced = parameters.getOrDefault("SIZE", "");
        // One that can't be read is none, and so is 0.
        return announced.matches("0*[1-9][0-9]{0,17}") ? Long.parseLong(announced) : Long.MAX_VALUE;
    }
}
