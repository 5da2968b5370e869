package org.hubmark.bench.users.imap;

import java.util.List;
import java.util.Locale;

/**
 * What a FETCH response says of a message.
 *
 * @param uid 0 when it does not say
 * @param sizeBytes 0 when it does not say
 * @param seen whether the message was read
 * @param section the content of the section that was asked for, octets as characters of ISO 8859-1; of
 *     several the last; empty for none
 */
public record Fetched(long uid, long sizeBytes, boolean seen, String section) {
    static Fetched of(ImapResponse response) {
        long uid = 0;
        long sizeBytes = 0;
        boolean seen = false;
        String section = "";
        List<ImapValue> items = response.values().isEmpty()
                ? List.of()
                : response.values().getFirst().items();
        for (int i = 0; i + 1 < items.size(); i += 2) {
            ImapValue value = items.get(i + 1);
            String name = items.get(i).text().toUpperCase(Locale.ROOT);
            switch (name) {
                case "UID" -> uid = number(value);
                case "RFC822.SIZE" -> sizeBytes = number(value);
                case "FLAGS" ->
                    seen = value.items().stream()
                            .anyMatch(flag -> flag.text().equalsIgnoreCase("\\Seen"));
                default -> section = name.startsWith("BODY[") ? value.text() : section;
            }
        }
        return new Fetched(uid, sizeBytes, seen, section);
    }

    private static long number(ImapValue value) {
        return value.text().matches("\\d{1,18}") ? Long.parseLong(value.text()) : 0;
    }
}
