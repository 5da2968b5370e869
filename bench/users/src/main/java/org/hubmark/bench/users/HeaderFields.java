package org.hubmark.bench.users;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Some header fields of a message (RFC 5322 2.2). */
record HeaderFields(Map<String, String> byName) {
    /** Copies. */
    HeaderFields {
        byName = Map.copyOf(byName);
    }

    /** {@return the fields of a header; of several with one name the first} */
    static HeaderFields parse(String header) {
        Map<String, String> fields = new HashMap<>();
        // RFC 5322 2.2.3: a line that begins with a blank goes on with the one before.
        String unfolded = header.replace("\r\n ", " ").replace("\r\n\t", " ");
        for (String line : unfolded.split("\r?\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.putIfAbsent(
                        line.substring(0, colon).strip().toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        }
        return new HeaderFields(fields);
    }

    /**
     * {@return the value of a field, or nothing}
     *
     * @param name in lower case
     */
    String get(String name) {
        return byName.getOrDefault(name, "");
    }

    /** {@return the address in the field From} */
    String sender() {
        String from = get("from");
        int open = from.lastIndexOf('<');
        int close = from.lastIndexOf('>');
        return open >= 0 && close > open ? from.substring(open + 1, close) : from;
    }
}
