package org.hubmark.bench.durability;

import java.util.Objects;

/** Messages of a ledger that nobody has sent. */
final class MadeEntries {
    private MadeEntries() {}

    /** {@return one that is to be sent} */
    static Ledger.Entry open(Ledger ledger) {
        long token = ledger.newToken();
        byte[] digest = LedgerMessage.digest(LedgerMessage.content(token), false);
        return ledger.add(token, 0, Objects.requireNonNull(digest));
    }

    /** {@return one for which a 250 was read} */
    static Ledger.Entry acknowledged(Ledger ledger) {
        Ledger.Entry entry = open(ledger);
        ledger.sending(entry);
        ledger.acknowledged(entry);
        return entry;
    }
}
