package org.hubmark.smtp;

import org.hubmark.core.Content;
import org.hubmark.core.Envelope;
import org.hubmark.core.Intake;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An intake that keeps messages in memory. It answers on the calling thread, or, when answers are
 * held, on the thread that calls {@link #answer}. Any thread.
 */
final class MemoryIntake implements Intake {
    record Message(QueueId id, Envelope envelope, String octets, int extents) {
        /** It ends with its date; content that begins with white space looks like more of it. */
        private static final Pattern TRACE_END =
                Pattern.compile("[0-9]{2}:[0-9]{2}:[0-9]{2} [+-][0-9]{4}\r\n");

        /** {@return the content below our trace field} */
        String text() {
            Matcher end = TRACE_END.matcher(octets);
            if (!end.find()) {
                throw new AssertionError("no trace field: " + octets);
            }
            return octets.substring(end.end());
        }

        String traceField() {
            return octets.substring(0, octets.length() - text().length());
        }

        /** {@return what is below our trace field if that content was sent} */
        static String belowTraceField(String content) {
            boolean spaced = content.startsWith(" ") || content.startsWith("\t");
            return spaced ? "\r\n" + content : content;
        }
    }

    final List<Message> messages = new ArrayList<>();
    final LinkedBlockingQueue<Runnable> held = new LinkedBlockingQueue<>();
    volatile boolean holdsAnswers;
    volatile Receipt.@Nullable Refused refusal;
    volatile Receipt.@Nullable Refused commitRefusal;
    volatile Receipt.@Nullable Refused extentRefusal;
    volatile long pauseNanos;

    /** The method that throws from now on, as a faulty intake does; empty for none. */
    volatile String faultyMethod = "";

    int abandoned;
    private final Map<QueueId, ByteArrayOutputStream> extents = new HashMap<>();
    private final AtomicLong ids = new AtomicLong();

    @Override
    public Receipt.@Nullable Refused refusal() {
        failIf("refusal");
        return refusal;
    }

    @Override
    public long pauseNanos() {
        failIf("pauseNanos");
        return pauseNanos;
    }

    @Override
    public QueueId nextId() {
        failIf("nextId");
        return new QueueId(ids.incrementAndGet());
    }

    @Override
    public void storeExtent(Content content, Consumer<Optional<Receipt.Refused>> listener) {
        failIf("storeExtent");
        answerNowOrLater(() -> {
            Receipt.Refused refused = extentRefusal;
            synchronized (this) {
                if (refused == null) {
                    take(content);
                    content.markExtentStored();
                }
            }
            listener.accept(Optional.ofNullable(refused));
        });
    }

    @Override
    public void enqueue(Envelope envelope, Content content, Consumer<Receipt> listener) {
        failIf("enqueue");
        answerNowOrLater(() -> {
            Receipt.Refused refused = commitRefusal;
            synchronized (this) {
                take(content);
                ByteArrayOutputStream whole = extents.remove(content.id());
                if (refused == null && whole != null) {
                    messages.add(new Message(
                            content.id(),
                            envelope,
                            whole.toString(StandardCharsets.ISO_8859_1),
                            content.storedExtents()));
                }
                content.close();
            }
            listener.accept(refused == null ? new Receipt.Queued(content.id()) : refused);
        });
    }

    @Override
    public synchronized void abandon(Content content) {
        extents.remove(content.id());
        content.close();
        abandoned++;
    }

    synchronized List<Message> messages() {
        return List.copyOf(messages);
    }

    synchronized int extentsKept() {
        return extents.size();
    }

    /** Gives the oldest answer that is held, waiting for one to come. */
    void answer() throws InterruptedException {
        held.take().run();
    }

    private void failIf(String method) {
        if (method.equals(faultyMethod)) {
            throw new IllegalStateException("a test makes " + method + " throw");
        }
    }

    void answerNowOrLater(Runnable answer) {
        if (holdsAnswers) {
            held.add(answer);
        } else {
            answer.run();
        }
    }

    private void take(Content content) {
        ByteBuffer memory = content.memory();
        byte[] octets = new byte[memory.remaining()];
        memory.get(octets);
        extents.computeIfAbsent(content.id(), id -> new ByteArrayOutputStream()).writeBytes(octets);
    }
}
