package org.hubmark.bench.users.imap;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a FETCH response says of a message.
 *
 * @param items by their names in upper case, as BODY[1]; octets as characters of ISO 8859-1
 */
public record Fetched(Map<String, ImapValue> items) {
    static Fetched of(ImapResponse response) {
        List<ImapValue> said = response.values().isEmpty()
                ? List.of()
                : response.values().getFirst().items();
        Map<String, ImapValue> items = new LinkedHashMap<>();
        for (int i = 0; i + 1 < said.size(); i += 2) {
            items.put(said.get(i).text().toUpperCase(Locale.ROOT), said.get(i + 1));
        }
        return new Fetched(items);
    }

    private ImapValue item(String name) {
        return items.getOrDefault(name, new ImapValue.Nil());
    }

    private long number(String name) {
        try {
            return Long.parseLong(item(name).text());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** {@return the message's UID; 0 when it does not say} */
    public long uid() {
        return number("UID");
    }

    /** {@return how large the message is; 0 when it does not say} */
    public long sizeBytes() {
        return number("RFC822.SIZE");
    }

    /** {@return whether the message was read} */
    public boolean seen() {
        return item("FLAGS").items().stream()
                .anyMatch(flag -> flag.text().equalsIgnoreCase("\\Seen"));
    }

    /** {@return the first section whose name begins so; empty when there is none} */
    public String section(String begin) {
        return items.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(begin))
                .map(entry -> entry.getValue().text())
                .findFirst()
                .orElse("");
    }
}
