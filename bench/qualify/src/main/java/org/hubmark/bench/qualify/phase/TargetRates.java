package org.hubmark.bench.qualify.phase;

import org.hubmark.bench.qualify.pages.MailboxDatabase;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;

import java.util.ArrayList;
import java.util.List;

/**
 * How many transactions a second it takes for a target of I/O a second: that follows from how many
 * reads and writes a transaction causes, which depends on caches and so is counted as
 * the test goes on. How fast the storage is plays no part in it: a storage that is too slow gets as many
 * transactions as a fast one, and falls behind. One thread.
 */
final class TargetRates {
    /** Above the target, so that what scatters is not taken for a storage that is too slow. */
    static final double HEADROOM = 1.05;

    /** What is counted fades to half in about so many seconds. */
    private static final double HALF_LIFE_S = 60;

    private static final double RATE_MAX = 1e6;

    private final List<MailboxDatabase> databases;
    private final double iopsEach;
    private final double[] io;
    private final double[] transactions;
    private final List<IoCounts> last = new ArrayList<>();
    private long lastNanos = System.nanoTime();

    TargetRates(List<MailboxDatabase> databases, double targetIops) {
        this.databases = databases;
        this.iopsEach = targetIops * HEADROOM / databases.size();
        this.io = new double[databases.size()];
        this.transactions = new double[databases.size()];
        databases.forEach(database -> last.add(database.operations().counts()));
    }

    /** {@return the rate to begin with, as if each transaction were one read} */
    double first() {
        return iopsEach;
    }

    /** Looks at what was done since the last call, and sets the rates by it. */
    void adjust(MailboxWorkload workload) {
        long now = System.nanoTime();
        double kept = Math.pow(0.5, (now - lastNanos) / 1e9 / HALF_LIFE_S);
        lastNanos = now;
        for (int i = 0; i < databases.size(); i++) {
            IoCounts counts = databases.get(i).operations().counts();
            IoCounts grown = counts.since(last.get(i));
            last.set(i, counts);
            io[i] = io[i] * kept + grown.databaseIo();
            transactions[i] = transactions[i] * kept + grown.get(IoCounter.TRANSACTIONS);
            if (io[i] > 0 && transactions[i] > 0) {
                workload.rate(i, Math.min(RATE_MAX, iopsEach * transactions[i] / io[i]));
            }
        }
    }
}
