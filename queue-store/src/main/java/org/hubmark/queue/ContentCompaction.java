package org.hubmark.queue;

import org.hubmark.queue.table.ContentFiles;
import org.hubmark.queue.table.ContentPlace;
import org.hubmark.queue.table.QueueBatch;
import org.hubmark.queue.table.QueueDatabase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Deletes content files of which nothing is needed, and copies what is needed out of those of
 * which half or more is garbage, so that they can be deleted too: for each byte that is freed at
 * most one is written. It needs no memory that grows with the queue: the database is gone through
 * twice, for how much of each file is needed, and for what is to be copied.
 *
 * <p>A copy is durable before the database names it in place of the original, and a file is deleted
 * when a flush has made durable that nothing names it.
 *
 * <p>One thread runs it, any thread cancels it.
 */
final class ContentCompaction {
    /** How many parts are copied between two syncs: what is kept of them in memory. */
    private static final int COPIES_MAX = 8192;

    /** Between two syncs too, so that little is copied again after a crash. */
    private static final long COPIED_BYTES_MAX = 64 << 20;

    /** How many places are changed while the committer may have to wait. */
    private static final int LOCKED_MAX = 128;

    private static final Logger LOG = LoggerFactory.getLogger(ContentCompaction.class);

    private final StoreParts parts;
    private final QueueDatabase database;
    private final ContentFiles files;
    private volatile boolean cancelled;

    /** An extent that lies in two places. */
    record Copy(long id, int extent, ContentPlace from, ContentPlace to) {}

    /** Files that can be freed. */
    record Plan(Set<Long> files, long neededBytes, boolean isWhole) {}

    /** Makes one that has not run. */
    ContentCompaction(StoreParts parts) {
        this.parts = parts;
        this.database = parts.database();
        this.files = database.content();
    }

    /** Ends it soon, and lets none begin. */
    void cancel() {
        cancelled = true;
    }

    /**
     * Looks for what can be freed.
     *
     * @param below number below which the files are looked at; nothing is appended to them any more
     * @param roomBytes that copies may take
     */
    Plan plan(long below, long roomBytes) throws IOException {
        NavigableMap<Long, Long> bytes = files.bytesBelow(below);
        Map<Long, Long> needed = new TreeMap<>();
        bytes.keySet().forEach(number -> needed.put(number, 0L));
        database.scanPlaces((id, extent, place) -> {
            needed.computeIfPresent(
                    place.file(), (number, sum) -> sum + place.extent().lengthBytes());
            return !cancelled;
        });
        // A file of which more than half is needed is not worth copying.
        needed.entrySet()
                .removeIf(file -> file.getValue() > bytes.getOrDefault(file.getKey(), 0L) / 2);
        List<Map.Entry<Long, Long>> candidates = new ArrayList<>(needed.entrySet());
        candidates.sort(Map.Entry.comparingByValue());
        Set<Long> chosen = new HashSet<>();
        long neededBytes = 0;
        for (Map.Entry<Long, Long> candidate : candidates) {
            if (neededBytes + candidate.getValue() > roomBytes && candidate.getValue() > 0) {
                break;
            }
            chosen.add(candidate.getKey());
            neededBytes += candidate.getValue();
        }
        return new Plan(chosen, neededBytes, chosen.size() == candidates.size());
    }

    /** Frees what was planned; false if it was cancelled, which leaves all files. */
    boolean run(Plan plan) throws IOException {
        Set<Long> leaving = new HashSet<>(plan.files());
        try (QueueBatch batch = database.newBatch()) {
            if (plan.neededBytes() > 0) {
                Copying copying = new Copying(leaving, batch, parts.contentWriter());
                database.scanPlaces(copying);
                copying.place();
            }
            if (cancelled) {
                return false;
            }
            for (long number : leaving) {
                batch.deleteContentFile(number);
            }
            database.write(batch);
            database.flush();
        }
        for (long number : leaving) {
            files.delete(number);
        }
        return true;
    }

    /** Copies what is needed out of the files that are leaving. */
    private final class Copying implements QueueDatabase.PlaceVisitor {
        private final Set<Long> leaving;
        private final QueueBatch batch;
        private final ContentWriter writer;
        private final List<Copy> copies = new ArrayList<>();
        private long copiedBytes;

        Copying(Set<Long> leaving, QueueBatch batch, ContentWriter writer) {
            this.leaving = leaving;
            this.batch = batch;
            this.writer = writer;
        }

        @Override
        public boolean visit(long id, int extent, ContentPlace place) throws IOException {
            if (leaving.contains(place.file())) {
                copy(id, extent, place);
            }
            return !cancelled;
        }

        private void copy(long id, int extent, ContentPlace from) throws IOException {
            byte[] octets;
            try {
                // What is damaged is copied as it is, and found by whoever reads it.
                octets = files.readUnverified(from);
            } catch (IOException e) {
                LOG.warn("a content file stays, since not all of it can be read", e);
                leaving.remove(from.file());
                return;
            }
            ContentPlace to = writer.append(ByteBuffer.wrap(octets), from.extent());
            copies.add(new Copy(id, extent, from, to));
            copiedBytes += octets.length;
            if (copies.size() >= COPIES_MAX || copiedBytes >= COPIED_BYTES_MAX) {
                place();
            }
        }

        /** Names the copies in place of the originals, where those are still there. */
        void place() throws IOException {
            writer.sync(batch);
            for (int first = 0; first < copies.size(); first += LOCKED_MAX) {
                int end = Math.min(copies.size(), first + LOCKED_MAX);
                parts.messages().copied(copies.subList(first, end), batch);
            }
            copies.clear();
            copiedBytes = 0;
        }
    }
}
