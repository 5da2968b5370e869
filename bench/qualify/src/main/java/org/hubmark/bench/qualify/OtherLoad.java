package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.pages.MailboxDatabase;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.core.Uninterrupted;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** What goes on beside the transactions: maintenance, and replication to the other copies. One thread. */
final class OtherLoad {
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();

    /** Loads a database until its thread is interrupted. */
    interface Work {
        void run() throws IOException, InterruptedException;
    }

    OtherLoad(List<MailboxDatabase> databases, QualifyRequest request) {
        for (MailboxDatabase database : databases) {
            if (request.load().maintenance()) {
                add(database, "maintenance", new BackgroundMaintenance(database));
            }
            for (int copy = 2; copy <= request.load().copies(); copy++) {
                add(database, "copy-" + copy, new LogReplication(database));
            }
        }
    }

    private void add(MailboxDatabase database, String name, Work work) {
        threads.add(Thread.ofPlatform()
                .name(database.place().instance() + "-" + name)
                .unstarted(() -> {
                    try {
                        work.run();
                    } catch (InterruptedException | ClosedByInterruptException e) {
                        // Ended in the middle of its work.
                        return;
                    } catch (IOException e) {
                        database.operations().add(IoCounter.ERRORS, 1);
                        failure.compareAndSet(null, e);
                    }
                }));
    }

    void begin() {
        threads.forEach(Thread::start);
    }

    /** Throws the failure that has ended one, if one has. */
    void requireSound() throws IOException {
        IOException first = failure.get();
        if (first != null) {
            throw first;
        }
    }

    /** Ends all and waits for that, one read at most, also in a thread that is interrupted. */
    void stop() {
        boolean interrupted = Thread.interrupted();
        threads.forEach(Thread::interrupt);
        threads.forEach(Uninterrupted::join);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
