package org.hubmark.bench.qualify;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What goes on beside the transactions: maintenance, and replication to the other copies. One thread. */
final class OtherLoad {
    private final List<BackgroundMaintenance> maintenance = new ArrayList<>();
    private final List<LogReplication> replication = new ArrayList<>();

    OtherLoad(List<MailboxDatabase> databases, QualifyRequest request) {
        for (MailboxDatabase database : databases) {
            if (request.load().maintenance()) {
                maintenance.add(new BackgroundMaintenance(database));
            }
            for (int copy = 2; copy <= request.load().copies(); copy++) {
                replication.add(new LogReplication(database, copy));
            }
        }
    }

    void begin() {
        maintenance.forEach(BackgroundMaintenance::begin);
        replication.forEach(LogReplication::begin);
    }

    /** Throws the failure that has ended one, if one has. */
    void requireSound() throws IOException {
        for (BackgroundMaintenance one : maintenance) {
            one.requireSound();
        }
        for (LogReplication one : replication) {
            one.requireSound();
        }
    }

    /** Ends all and waits for that, also in a thread that is interrupted. */
    void stop() {
        boolean interrupted = Thread.interrupted();
        maintenance.forEach(BackgroundMaintenance::stop);
        replication.forEach(LogReplication::stop);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
