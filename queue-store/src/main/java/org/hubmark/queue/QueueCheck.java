package org.hubmark.queue;

import org.hubmark.core.QueueId;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** One pass over a queue that verifies all of it. One thread; memory doesn't grow with the queue. */
final class QueueCheck {
    /** More lines help nobody, and a damaged queue may have millions. */
    private static final int PROBLEMS_MAX = 1000;

    private final QueueDatabase database;
    private final List<String> problems = new ArrayList<>();
    private Totals found = Totals.EMPTY;
    private long bytes;

    QueueCheck(QueueDatabase database) {
        this.database = database;
    }

    CheckReport run() throws IOException {
        database.scanRows(this::checkMessage);
        checkSchedule();
        checkOwners();
        checkTotals();
        return new CheckReport(found.messages(), bytes, problems);
    }

    private void checkMessage(long id, byte[] encoded) throws IOException {
        QueueId name = new QueueId(id);
        MessageRow row = decode(id, encoded);
        if (row == null) {
            return;
        }
        found = found.enqueued(id, row.sizeBytes());
        if (row.dead()) {
            found = new Totals(
                    found.messages(), found.bytes(), found.deadMessages() + 1, found.highestId());
        }
        boolean scheduled = database.hasSchedule(new ScheduleKey(row.dueMillis(), id));
        if (scheduled == row.dead()) {
            report(name + (scheduled ? ": dead, but in the schedule" : ": not in the schedule"));
        }
        for (int part = 0; part < row.parts().size(); part++) {
            checkPart(name, part, row.parts().get(part));
        }
    }

    private void checkPart(QueueId id, int part, ContentPart expected) {
        try {
            byte[] octets = database.part(id.value(), part);
            if (octets == null) {
                report(id + ": part " + part + " of its content is missing");
                return;
            }
            bytes += octets.length;
            if (octets.length != expected.lengthBytes()) {
                report(id + ": part " + part + " of its content has " + octets.length
                        + " octets, the index says " + expected.lengthBytes());
            } else if (!expected.matches(octets)) {
                report(id + ": part " + part + " of its content doesn't match its checksum");
            }
        } catch (IOException e) {
            report(id + ": part " + part + " of its content can't be read: " + e.getMessage());
        }
    }

    private void checkSchedule() throws IOException {
        List<IOException> failed = new ArrayList<>();
        database.scanSchedule(ScheduleKey.START, key -> {
            try {
                byte[] encoded = database.encodedRow(key.id());
                MessageRow row = encoded == null ? null : decode(key.id(), encoded);
                if (encoded == null) {
                    report(new QueueId(key.id()) + ": in the schedule, but not in the index");
                } else if (row != null && row.dueMillis() != key.dueMillis()) {
                    report(new QueueId(key.id()) + ": in the schedule for " + key.dueMillis()
                            + ", the index says " + row.dueMillis());
                }
                return true;
            } catch (IOException e) {
                failed.add(e);
                return false;
            }
        });
        for (IOException e : failed) {
            throw e;
        }
    }

    /** Content that belongs to no message; parts of one that is being received belong to its mark. */
    private void checkOwners() throws IOException {
        List<Long> incomplete = database.incomplete();
        database.scanPartKeys((id, part) -> {
            if (!incomplete.contains(id)) {
                byte[] encoded = database.encodedRow(id);
                MessageRow row = encoded == null ? null : decode(id, encoded);
                if (encoded == null || (row != null && part >= row.parts().size())) {
                    report(new QueueId(id) + ": part " + part + " of a content belongs to nothing");
                }
            }
        });
    }

    private void checkTotals() throws IOException {
        Totals kept = database.totals();
        if (kept.messages() != found.messages()
                || kept.bytes() != found.bytes()
                || kept.deadMessages() != found.deadMessages()
                || kept.highestId() < found.highestId()) {
            report("the totals say " + kept + ", the index holds " + found);
        }
    }

    private @Nullable MessageRow decode(long id, byte[] encoded) {
        try {
            return MessageRow.decode(id, encoded);
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
