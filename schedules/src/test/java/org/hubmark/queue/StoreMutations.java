package org.hubmark.queue;

import org.hubmark.queue.table.MessageState;
import org.hubmark.queue.table.QueueDatabase;
import org.hubmark.schedules.PutBack;
import org.hubmark.schedules.Scenario;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Races of the store, with the commit that mended or forestalled each. */
public final class StoreMutations {
    private static final ThreadLocal<Runnable> LATER = ThreadLocal.withInitial(() -> () -> {});

    private StoreMutations() {}

    /** {@return the races, in their order} */
    public static Stream<PutBack> all() {
        return Stream.of(
                // c41d135c
                new PutBack("not-withdrawn", Scenario.STORE_OPERATOR, GroupBuilder.class)
                        .with(Messages::withdraw, StoreMutations::notWithdrawn),
                // b5443fb2
                new PutBack("database-first", Scenario.STORE_DEAD_LETTERS, Messages.class)
                        .with(Messages::deadInLog, StoreMutations::deadInLogLater)
                        .with(QueueDatabase::scanRows, StoreMutations::rowsBefore),
                // 1e8c948e
                new PutBack("reclaimer-left", Scenario.STORE_RECLAIM, Checkpointer.class)
                        .without(SpaceReclaimer::stop, StoreMutations::notStopped),
                // 03326e28
                new PutBack("late-change-kept", Scenario.STORE_CLOSE, Committer.class)
                        .without(Committer::takeBackIfEnded, StoreMutations::notTakenBack));
    }

    /** It stays in the schedule while an operator's change is written. */
    static boolean notWithdrawn(Messages messages, long id, MessageState state) {
        return !messages.isLeased(id);
    }

    /** The rows of the database are read before those of the log, which come into this list after them. */
    static List<Long> deadInLogLater(Messages messages, long from, int max) {
        List<Long> later = new ArrayList<>();
        LATER.set(() -> later.addAll(messages.deadInLog(from, max)));
        return later;
    }

    static boolean rowsBefore(
            QueueDatabase database, long from, QueueDatabase.SomeRowsVisitor visitor)
            throws IOException {
        Map<Long, QueueDatabase.EncodedRow> rows = new TreeMap<>();
        database.scanRows(from, (id, encoded) -> rows.put(id, encoded) == null);
        LATER.get().run();
        for (Map.Entry<Long, QueueDatabase.EncodedRow> row : rows.entrySet()) {
            if (!visitor.visit(row.getKey(), row.getValue())) {
                return false;
            }
        }
        return true;
    }

    /** The reclaimer goes on when the store is closed. */
    static void notStopped(SpaceReclaimer reclaimer) {}

    /** A change that comes when the committer has ended stays in the hand-off. */
    static void notTakenBack(Committer committer, Change change) {}
}
