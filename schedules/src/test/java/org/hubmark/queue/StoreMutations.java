package org.hubmark.queue;

import org.hubmark.queue.table.MessageState;
import org.hubmark.queue.table.QueueDatabase;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What mutants of the store call in the place of what it calls. */
final class StoreMutations {
    private static final ThreadLocal<Map<Long, QueueDatabase.EncodedRow>> ROWS =
            new ThreadLocal<>();

    private StoreMutations() {}

    /** It stays in the schedule while an operator's change is written. */
    static boolean notWithdrawn(Messages messages, long id, MessageState state) {
        return !messages.isLeased(id);
    }

    /** The rows of the database are read before those of the log. */
    @SuppressWarnings("unchecked")
    static List<Long> deadInLogLate(Messages messages, long from, int max)
            throws IOException, ReflectiveOperationException {
        Field database = Messages.class.getDeclaredField("database");
        database.setAccessible(true);
        Map<Long, QueueDatabase.EncodedRow> rows = new TreeMap<>();
        ((QueueDatabase) database.get(messages))
                .scanRows(from, (id, encoded) -> rows.put(id, encoded) == null);
        ROWS.set(rows);
        Method deadInLog = Messages.class.getDeclaredMethod("deadInLog", long.class, int.class);
        deadInLog.setAccessible(true);
        return (List<Long>) deadInLog.invoke(messages, from, max);
    }

    static boolean rowsBefore(
            QueueDatabase database, long from, QueueDatabase.SomeRowsVisitor visitor)
            throws IOException {
        for (Map.Entry<Long, QueueDatabase.EncodedRow> row : ROWS.get().entrySet()) {
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
