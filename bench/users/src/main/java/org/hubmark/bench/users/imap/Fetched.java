package org.hubmark.bench.users.imap;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a FETCH response says of a message.
 *
 * @param uid 0 when it does not say
 * @param seen whether the message was read
 * @param sections by their names in upper case, as BODY[1]; octets as characters of ISO 8859-1
 */
public record Fetched(long uid, boolean seen, long sizeBytes, Map<String, String> sections) {
    /** Copies. */
    public Fetched {
        sections = Map.copyOf(sections);
    }

    static Fetched of(ImapResponse response) {
        long uid = 0;
        boolean seen = false;
        long size = 0;
        Map<String, String> sections = new HashMap<>();
        List<ImapValue> items = response.values().isEmpty()
                ? List.of()
                : response.values().getFirst().items();
        for (int i = 0; i + 1 < items.size(); i += 2) {
            String name = items.get(i).text().toUpperCase(Locale.ROOT);
            ImapValue value = items.get(i + 1);
            switch (name) {
                case "UID" -> uid = number(value);
                case "RFC822.SIZE" -> size = number(value);
                case "FLAGS" ->
                    seen = value.items().stream()
                            .anyMatch(flag -> flag.text().equalsIgnoreCase("\\Seen"));
                default -> sections.put(name, value.text());
            }
        }
        return new Fetched(uid, seen, size, sections);
    }

    private static long number(ImapValue value) {
        try {
            return Long.parseLong(value.text());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** {@return the first section whose name begins so; empty when there is none} */
    public String section(String begin) {
        return sections.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(begin))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }
}
