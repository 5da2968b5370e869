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
    private final List<Worker> workers = new ArrayList<>();

    /** Loads a database until its thread is interrupted. */
    interface Work {
        void run() throws IOException, InterruptedException;
    }

    OtherLoad(List<MailboxDatabase> databases, QualifyRequest request) {
        for (MailboxDatabase database : databases) {
            if (request.load().maintenance()) {
                Work maintenance = new BackgroundMaintenance(database);
                workers.add(new Worker(database, "maintenance", maintenance));
            }
            for (int copy = 2; copy <= request.load().copies(); copy++) {
                workers.add(new Worker(database, "copy-" + copy, new LogReplication(database)));
            }
        }
    }

    void begin() {
        workers.forEach(worker -> worker.thread.start());
    }

    /** Throws the failure that has ended one, if one has. */
    void requireSound() throws IOException {
        for (Worker worker : workers) {
            IOException failure = worker.failure.get();
            if (failure != null) {
                throw failure;
            }
        }
    }

    /** Ends all and waits for that, one read at most, also in a thread that is interrupted. */
    void stop() {
        boolean interrupted = Thread.interrupted();
        workers.forEach(worker -> worker.thread.interrupt());
        workers.forEach(worker -> Uninterrupted.join(worker.thread));
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A thread with its work. */
    private static final class Worker {
        private final MailboxDatabase database;
        private final Thread thread;
        private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();

        private Worker(MailboxDatabase database, String name, Work work) {
            this.database = database;
            this.thread = Thread.ofPlatform()
                    .name(database.place().instance() + "-" + name)
                    .unstarted(() -> run(work));
        }

        private void run(Work work) {
            try {
                work.run();
            } catch (InterruptedException | ClosedByInterruptException e) {
                // Ended in the middle of its work.
                return;
            } catch (IOException e) {
                database.operations().add(IoCounter.ERRORS, 1);
                failure.set(e);
            }
        }
    }
}
