package org.hubmark.bench.qualify.pages;

import java.util.Locale;

/** What a transaction does. */
public enum TransactionKind {
    /** A message is added to a folder. */
    INSERT,
    /** The oldest message of a folder is read and taken away, as if it were moved elsewhere. */
    DELETE,
    /** A message is read and written anew. */
    REPLACE,
    /** A message is read. */
    READ;

    /** {@return its name on the command line} */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
