package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.reuse.ReuseSampler;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One mailbox database: folders of messages, each of which has a row and a content. It lies on the database
 * volume and is read and written past the page cache; its log lies on the log volume. A commit that is not
 * synced stays in memory until the next that is, as a lazy commit does in ESE. Any thread.
 */
interface MailboxDatabase extends AutoCloseable {
    /** Messages that are filled in at once. */
    int FILL_BATCH = 32;

    /** {@return one of so many folders} Some have much more than others: half of what is done is done to a quarter of them. */
    static int folder(int folders, SplittableRandom random) {
        double share = random.nextDouble();
        return (int) (folders * share * share);
    }

    DatabasePlace place();

    FileOperations operations();

    /** {@return writes that were held back since it was opened, as others did not keep up} */
    long stalls();

    /**
     * {@return what tells a sampler of the blocks that transactions read from now on, until it is closed}
     *
     * @param number of the database among those that share the sampler
     */
    BlockReads profile(int number, ReuseSampler sampler) throws IOException;

    /** {@return messages in all folders} */
    long messages();

    /**
     * Does a transaction.
     *
     * @param waits whether it waits until it is durable
     * @return octets read and written
     */
    long run(TransactionKind kind, MessageSizes sizes, SplittableRandom random, boolean waits)
            throws IOException;

    /** {@return octets by which it grew: adds some messages} They are durable after {@link #flush}. */
    long fill(MessageSizes sizes, SplittableRandom random) throws IOException;

    /** Writes everything that is in memory. */
    void flush() throws IOException;

    /** {@return whether tables are being written or wait to be put together} */
    boolean isCompacting() throws IOException;

    /**
     * {@return the files of one moment} They stay as they are while nothing is done with the database.
     *
     * @param folder that is not there, for names of them
     */
    List<Path> snapshot(Path folder) throws IOException;

    /** {@return octets of log that would be replayed after a crash} */
    long logBytes() throws IOException;

    /** {@return octets of log that were replayed when it was opened} */
    long replayedBytes();

    @Override
    void close() throws IOException;
}
