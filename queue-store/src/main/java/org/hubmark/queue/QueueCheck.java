package org.hubmark.queue;

import org.hubmark.core.QueueId;
import org.hubmark.core.StoreException;
import org.hubmark.queue.table.MessageRow;
import org.hubmark.queue.table.QueueDatabase;
import org.hubmark.queue.table.ScheduleKey;
import org.hubmark.queue.table.Totals;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One pass over a queue that verifies all of it. One thread; memory doesn't grow with the queue. */
final class QueueCheck {
    /** More lines help nobody, and a damaged queue may have millions. */
    private static final int PROBLEMS_MAX = 1000;

    private final QueueReader reader;
    private final QueueDatabase database;
    private final List<String> problems = new ArrayList<>();
    private Totals found = Totals.EMPTY;
    private Totals inDatabase = Totals.EMPTY;
    private long bytes;

    QueueCheck(QueueReader reader) {
        this.reader = reader;
        this.database = reader.database;
    }

    CheckReport run() throws IOException {
        reader.damage.forEach(this::report);
        reader.forEachRow(this::checkMessage);
        database.scanRows(0, this::checkRow);
        checkSchedule();
        checkOwners();
        checkTotals();
        return new CheckReport(found.messages(), bytes, problems);
    }

    /** What the queue holds, wherever it lies. */
    private void checkMessage(long id, MessageRow row) {
        found = found.came(id, row.sizeBytes(), row.state());
        for (int extent = 0; extent < row.extents().size(); extent++) {
            checkExtent(id, row, extent);
        }
    }

    private void checkExtent(long id, MessageRow row, int extent) {
        String name = new QueueId(id) + ": extent " + extent + " of its content";
        try {
            ByteBuffer octets = reader.extent(id, row, extent);
            bytes += octets.remaining();
            if (octets.remaining() != row.extents().get(extent).lengthBytes()) {
                report(name + " has " + octets.remaining() + " octets, the index says "
                        + row.extents().get(extent).lengthBytes());
            }
        } catch (IOException e) {
            report(name + " can't be read: " + e.getMessage());
        }
    }

    /** The database by itself: its flushes are of one moment, so it must agree with itself. */
    private boolean checkRow(long id, QueueDatabase.EncodedRow encoded) throws IOException {
        MessageRow row = decode(encoded);
        if (row == null) {
            return true;
        }
        inDatabase = inDatabase.came(id, row.sizeBytes(), row.state());
        boolean scheduled = database.hasSchedule(row.state().key(id));
        if (scheduled != row.state().isScheduled()) {
            report(new QueueId(id)
                    + (scheduled
                            ? ": not to be delivered, but in the schedule"
                            : ": not in the schedule"));
        }
        return true;
    }

    private void checkSchedule() throws IOException {
        database.scanSchedule(ScheduleKey.START, ScheduleKey.END, key -> {
            QueueDatabase.EncodedRow encoded = database.encodedRow(key.id());
            MessageRow row = encoded == null ? null : decode(encoded);
            if (encoded == null) {
                report(new QueueId(key.id()) + ": in the schedule, but not in the index");
            } else if (row != null && row.state().dueMillis() != key.dueMillis()) {
                report(new QueueId(key.id()) + ": in the schedule for " + key.dueMillis()
                        + ", the index says " + row.state().dueMillis());
            }
            return true;
        });
    }

    /** Content that belongs to no message; extents of one that is being received belong to its mark. */
    private void checkOwners() throws IOException {
        Set<Long> incomplete = new HashSet<>(database.incomplete());
        try {
            database.scanPlaces((id, extent, place) -> {
                checkOwner(incomplete, id, extent);
                return true;
            });
        } catch (IOException e) {
            report("can't look for content without a message: " + e.getMessage());
        }
    }

    private void checkOwner(Set<Long> incomplete, long id, int extent) throws IOException {
        if (incomplete.contains(id)) {
            return;
        }
        QueueDatabase.EncodedRow encoded = database.encodedRow(id);
        MessageRow row = encoded == null ? null : decode(encoded);
        if (encoded == null || (row != null && extent >= row.extents().size())) {
            report(new QueueId(id) + ": extent " + extent + " of content belongs to no message");
        }
    }

    private void checkTotals() throws IOException {
        Totals kept = database.totals();
        if (!kept.isLike(inDatabase) || kept.highestId() < inDatabase.highestId()) {
            report("the totals say " + kept + ", the queue database holds " + inDatabase);
        }
        Totals whole = reader.table.totals();
        if (!whole.isLike(found)) {
            report("the totals say " + whole + ", the queue holds " + found);
        }
    }

    private @Nullable MessageRow decode(QueueDatabase.EncodedRow encoded) {
        try {
            return encoded.decode();
        } catch (StoreException e) {
            if (!problems.contains(e.getMessage())) {
                report(String.valueOf(e.getMessage()));
            }
            return null;
        }
    }

    private void report(String problem) {
        if (problems.size() < PROBLEMS_MAX) {
            problems.add(problem);
        }
    }
}
