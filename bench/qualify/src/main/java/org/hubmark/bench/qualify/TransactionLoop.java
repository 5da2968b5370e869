package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.result.IoCounts;

import java.io.IOException;

/** Transactions that go on until it is closed. One thread. */
interface TransactionLoop extends AutoCloseable {
    /** Throws the failure that has ended them, if one has. */
    void requireSound() throws IOException;

    /** {@return what was counted so far, of all databases} */
    IoCounts counts();

    @Override
    void close();
}
