package org.hubmark.queue;

import org.hubmark.core.ContentSource;
import org.hubmark.core.FileErrors;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.StoreException;
import org.hubmark.queue.log.DirectoryVolume;
import org.hubmark.queue.log.LogException;
import org.hubmark.queue.log.Volume;
import org.hubmark.queue.table.ContentFiles;
import org.hubmark.queue.table.MessageRow;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Looks into a queue without changing it, also while a hub is running on it: then it sees the queue
 * as it stood at one moment shortly before. A content may have left by the time it is opened.
 *
 * <p>Any thread. It needs memory for what the log holds that is not in the queue database yet.
 */
public final class QueueReader implements AutoCloseable {
    /** A message may leave during a check, so what it finds must be there again. */
    private static final int ATTEMPTS_MAX = 5;

    private final Path logVolume;
    private final Path queueVolume;
    private final QueueView view;

    private QueueReader(Path logVolume, Path queueVolume, QueueView view) {
        this.logVolume = logVolume;
        this.queueVolume = queueVolume;
        this.view = view;
    }

    /**
     * {@return whether there is a queue on two volumes} Looks at their names only.
     *
     * @throws StoreException if they are not one store's; the message says what to do
     */
    public static boolean isThere(Path logVolume, Path queueVolume) throws StoreException {
        return StoreIdentity.find(logVolume, queueVolume) != null;
    }

    /**
     * Opens the queue on two volumes for reading.
     *
     * @throws StoreException if there is no queue there, or it can't be read
     */
    public static QueueReader open(Path logVolume, Path queueVolume) throws StoreException {
        StoreIdentity identity = StoreIdentity.require(logVolume, queueVolume);
        try {
            Volume segments =
                    DirectoryVolume.readOnly(logVolume.resolve(StoreStart.SEGMENTS_FOLDER));
            QueueView view = QueueView.open(
                    identity, segments, ContentFiles.readOnly(queueVolume), queueVolume);
            return new QueueReader(logVolume, queueVolume, view);
        } catch (StoreException e) {
            throw e;
        } catch (LogException e) {
            throw new StoreException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new StoreException(
                    "can't read the queue on " + logVolume + " and " + queueVolume + ": "
                            + FileErrors.text(e),
                    e);
        }
    }

    /** Visits every message, oldest id first, with memory that doesn't grow with their number. */
    public void forEach(Consumer<QueuedMessage> visitor) throws IOException {
        view.forEach((id, row) -> visitor.accept(row.message(new QueueId(id))));
    }

    /** {@return one message, if it is there} */
    public Optional<QueuedMessage> find(QueueId id) throws IOException {
        MessageRow row = view.row(id.value());
        return row == null ? Optional.empty() : Optional.of(row.message(id));
    }

    /**
     * {@return opens a message's content}
     *
     * @throws StoreException if there is no such message
     */
    public ContentSource content(QueueId id) throws IOException {
        MessageRow row = view.row(id.value());
        if (row == null) {
            throw new StoreException("there is no message " + id + " in the queue");
        }
        return view.content(id.value(), row);
    }

    /**
     * Reads everything, verifies every checksum and the agreement of index, schedule and content.
     * While a hub is running on the queue a message may leave during the check: what was found is
     * looked at again in a later state of the queue, and reported if it is still there.
     */
    public CheckReport check() throws IOException {
        CheckReport report = new QueueCheck(view).run();
        Set<String> lasting = new LinkedHashSet<>(report.problems());
        for (int again = 1; again < ATTEMPTS_MAX && !lasting.isEmpty(); again++) {
            try (QueueReader later = open(logVolume, queueVolume)) {
                lasting.retainAll(new QueueCheck(later.view).run().problems());
            }
        }
        return new CheckReport(report.messages(), report.bytes(), List.copyOf(lasting));
    }

    @Override
    public void close() {
        try {
            view.close();
        } catch (IOException e) {
            // Files that were only read.
            throw new UncheckedIOException(e);
        }
    }
}
