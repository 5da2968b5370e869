package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.result.IoCounts;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Transactions on open databases, as fast as some threads for each do them, until it is closed. One thread. */
final class ClosedLoop implements ThreadSearch.Loop {
    private static final Duration STOP = Duration.ofMinutes(1);

    private final List<MailboxDatabase> databases;
    private final MailboxWorkload work;

    /** Begins. */
    ClosedLoop(List<MailboxDatabase> databases, QualifyRequest request, int threads) {
        this.databases = databases;
        this.work = new MailboxWorkload(
                databases,
                new MailboxWorkload.Plan(
                        request.load().mix(),
                        threads,
                        request.load().lazyShare(),
                        null,
                        request.load().seed() + threads));
        work.begin();
    }

    @Override
    public void requireSound() throws IOException {
        work.requireSound();
    }

    @Override
    public IoCounts counts() {
        return databases.stream()
                .map(database -> database.operations().counts())
                .reduce(IoCounts.NONE, IoCounts::plus);
    }

    @Override
    public void close() {
        work.stop(STOP);
    }
}
