package org.hubmark.bench.durability;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What was found in a server's queue after a crash, in the order in which it would go out. */
final class Survivors {
    private final Ledger ledger;
    private final boolean anyLineEnds;
    private final Map<Long, Integer> intact = new HashMap<>();
    private final List<String> damage = new ArrayList<>();
    private final Map<Integer, Long> lastToken = new HashMap<>();
    private final List<Ledger.Entry> corrupted = new ArrayList<>();
    private final List<Ledger.Entry> reordered = new ArrayList<>();
    private int strange;
    private boolean unreadable;

    /**
     * Begins with nothing.
     *
     * @param anyLineEnds whether the server may keep CRLF as LF
     */
    Survivors(Ledger ledger, boolean anyLineEnds) {
        this.ledger = ledger;
        this.anyLineEnds = anyLineEnds;
    }

    /** One message, the next in order. */
    void add(byte[] message) {
        Ledger.@Nullable Entry entry = ledger.find(LedgerMessage.token(message));
        if (entry == null) {
            // Nobody has sent that: a message whose token is damaged, or one of another time.
            strange++;
            return;
        }
        if (!Arrays.equals(LedgerMessage.digest(message, anyLineEnds), entry.digest)) {
            corrupted.add(entry);
            return;
        }
        int copies = intact.merge(entry.token, 1, Integer::sum);
        if (copies == 1 && entry.attempts.get() == 1) {
            // Tokens grow, and a connection sends one message after the other.
            Long last = lastToken.get(entry.connection);
            if (last != null && last > entry.token) {
                reordered.add(entry);
            } else {
                lastToken.put(entry.connection, entry.token);
            }
        }
    }

    /** The server itself said that something is wrong, and with which messages. */
    void report(String line) {
        damage.add(line);
    }

    /** The server itself said that it can't go on with what is there, so nothing leaves unnoticed. */
    void reportUnreadable(String line) {
        damage.add(line);
        unreadable = true;
    }

    /** {@return what the 250 called the messages of which nothing has been found} */
    List<String> missing() {
        List<String> ids = new ArrayList<>();
        for (Ledger.Entry entry : ledger.entries()) {
            String id = entry.queueId;
            if (entry.acked && id != null && copies(entry) == 0) {
                ids.add(id);
            }
        }
        return ids;
    }

    /** {@return whether the server itself said that something is wrong with this message} */
    boolean reported(Ledger.Entry entry) {
        String id = entry.queueId;
        return unreadable || (id != null && damage.stream().anyMatch(line -> line.contains(id)));
    }

    int copies(Ledger.Entry entry) {
        return intact.getOrDefault(entry.token, 0);
    }

    List<Ledger.Entry> corrupted() {
        return corrupted;
    }

    int strange() {
        return strange;
    }

    List<Ledger.Entry> reordered() {
        return reordered;
    }

    List<String> damage() {
        return damage;
    }
}
