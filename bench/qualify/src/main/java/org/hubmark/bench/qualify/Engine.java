package org.hubmark.bench.qualify;

import java.util.Locale;

/** How a mailbox database keeps its messages. */
public enum Engine {
    /** B+trees on pages of 32 KiB that are written in their places, as the source does it. */
    PAGES,
    /** An LSM, RocksDB: tables are written from one end to the other and put together later. */
    LSM;

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
