package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Reads messages of open databases at random, so that their cache fills. One thread. */
final class CacheReads implements CacheFill.Reads {
    private static final Duration STOP = Duration.ofMinutes(2);
    private static final int THREADS = 4;
    private static final TransactionMix READS = TransactionMix.parse("read=100");

    private final OpenDatabases open;
    private final MailboxWorkload work;

    CacheReads(OpenDatabases open, long seed) {
        this.open = open;
        this.work = new MailboxWorkload(
                open.all(), new MailboxWorkload.Plan(READS, THREADS, 1, null, seed));
    }

    @Override
    public void begin() {
        work.begin();
    }

    @Override
    public void requireSound() throws IOException {
        work.requireSound();
    }

    @Override
    public void stop() {
        work.stop(STOP);
    }

    @Override
    public long usedBytes() {
        return open.cache().usedBytes();
    }

    @Override
    public List<CacheFill.Count> counts() {
        return open.all().stream().map(CacheReads::count).toList();
    }

    private static CacheFill.Count count(MailboxDatabase database) {
        IoCounts counts = database.operations().counts();
        return new CacheFill.Count(
                database.messages(),
                counts.get(IoCounter.TRANSACTIONS),
                counts.get(IoCounter.DB_READS));
    }
}
