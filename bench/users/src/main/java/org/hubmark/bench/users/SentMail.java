package org.hubmark.bench.users;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.users.result.LevelForm;
import org.hubmark.bench.users.result.Task;
import org.jspecify.annotations.Nullable;

import java.security.SecureRandom;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Every message of a run: who sent it to whom, and in whose mailbox it was seen. Each has an id of its
 * own in the header field {@link #FIELD}: that of the run, and a number. Any thread.
 */
final class SentMail {
    /** The header field that has the id. */
    static final String FIELD = "X-Hubmark-Message";

    private final String run = HexFormat.of().toHexDigits(new SecureRandom().nextLong());
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, Sent> messages = new ConcurrentHashMap<>();
    /** Copies that messages have which were accepted, and that nobody has seen yet. */
    private final LongAdder expected = new LongAdder();

    private final LongAdder arrived = new LongAdder();
    private final Histogram arrivalNanos = new ConcurrentHistogram(3);
    /** Users all of whose folders were looked through. */
    private final Set<Integer> counted = ConcurrentHashMap.newKeySet();

    /**
     * Where every message went. But for sentMsgs and uncertainMsgs, a message counts once for each of its
     * recipients.
     *
     * @param sentMsgs that the server accepted
     * @param expectedMsgs those, times the recipients of each
     * @param arrivedMsgs of which a recipient got one copy or more
     * @param missingMsgs which a recipient did not get
     * @param uncountedMsgs that were not seen in mailboxes that could not be looked into at the end: they are
     *     there or not
     * @param twiceMsgs copies beyond the first
     * @param uncertainMsgs whose sending broke off before the server's answer: they may arrive or not, and
     *     are in none of the others
     */
    record Accounting(
            long sentMsgs,
            long expectedMsgs,
            long arrivedMsgs,
            long missingMsgs,
            long uncountedMsgs,
            long twiceMsgs,
            long uncertainMsgs) {}

    /** What became of a message. */
    private enum State {
        OPEN,
        ACCEPTED,
        REFUSED,
        UNCERTAIN
    }

    /** A message that is being sent, or was. */
    final class Sent {
        private final long number;
        private final Task task;
        private final long dueNanos;
        private final boolean measured;
        private final List<Integer> recipients;
        /** Seen so far, by the place in the recipients. */
        private final AtomicIntegerArray copies;

        private volatile State state = State.OPEN;

        private Sent(
                long number, Task task, long dueNanos, boolean measured, List<Integer> recipients) {
            this.number = number;
            this.task = task;
            this.dueNanos = dueNanos;
            this.measured = measured;
            this.recipients = recipients;
            this.copies = new AtomicIntegerArray(recipients.size());
        }

        /** {@return its id} */
        String id() {
            return run + "." + number;
        }

        /** The server has taken it. */
        void accepted() {
            expected.add(recipients.size());
            state = State.ACCEPTED;
        }

        /** The server has not taken it. */
        void refused() {
            state = State.REFUSED;
        }

        /** Nobody knows. */
        void uncertain() {
            state = State.UNCERTAIN;
        }
    }

    /** {@return what is in each id of this run} */
    String run() {
        return run;
    }

    /**
     * Notes a message that is about to be sent.
     *
     * @param dueNanos the intended start of sending
     * @param measured whether that is in the measured time
     */
    Sent open(Task task, long dueNanos, boolean measured, List<Integer> recipients) {
        Sent sent = new Sent(
                numbers.incrementAndGet(), task, dueNanos, measured, List.copyOf(recipients));
        messages.put(sent.number, sent);
        return sent;
    }

    /** {@return the message of an id, or null when it is none of this run's} */
    @Nullable
    Sent find(String id) {
        String own = run + ".";
        if (!id.startsWith(own) || id.length() > own.length() + 18) {
            return null;
        }
        try {
            return messages.get(Long.parseLong(id, own.length(), id.length(), 10));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** A copy of a message has come into the mailbox of a user. */
    void seen(String id, int user, long nowNanos) {
        Sent sent = find(id);
        int place = sent == null ? -1 : sent.recipients.indexOf(user);
        if (sent != null && place >= 0 && sent.copies.incrementAndGet(place) == 1) {
            arrived.increment();
            if (sent.measured) {
                arrivalNanos.recordValue(Math.max(0, nowNanos - sent.dueNanos));
            }
        }
    }

    /**
     * Notes the number of copies of a message in the folders of a user; a number that is not larger
     * than before changes nothing.
     */
    void present(String id, int user, int count, long nowNanos) {
        Sent sent = find(id);
        int place = sent == null ? -1 : sent.recipients.indexOf(user);
        if (sent != null && place >= 0) {
            for (int known = sent.copies.get(place); known < count; known++) {
                seen(id, user, nowNanos);
            }
        }
    }

    /** All folders of a user were looked through: what was not seen there is missing. */
    void counted(int user) {
        counted.add(user);
    }

    /** {@return whether all that was accepted has arrived, as far as one can say without counting} */
    boolean isComplete() {
        if (arrived.sum() < expected.sum()) {
            return false;
        }
        // Messages that were refused or are uncertain may arrive too: then a count has to say.
        Accounting now = accounting();
        return now.arrivedMsgs() == now.expectedMsgs();
    }

    /** {@return where all messages are} */
    Accounting accounting() {
        long sent = 0;
        long wanted = 0;
        long there = 0;
        long missing = 0;
        long twice = 0;
        long uncertain = 0;
        for (Sent message : messages.values()) {
            switch (message.state) {
                case OPEN, UNCERTAIN -> uncertain++;
                case REFUSED -> {
                    // Expected nowhere.
                }
                case ACCEPTED -> {
                    sent++;
                    wanted += message.recipients.size();
                    for (int i = 0; i < message.copies.length(); i++) {
                        int copies = message.copies.get(i);
                        there += Math.min(1, copies);
                        if (copies == 0 && counted.contains(message.recipients.get(i))) {
                            missing++;
                        }
                        twice += Math.max(0, copies - 1);
                    }
                }
            }
        }
        return new Accounting(
                sent, wanted, there, missing, wanted - there - missing, twice, uncertain);
    }

    /**
     * Takes down where all messages are, and what was sent in the measured time.
     *
     * @param userDays users times the part of a day that was measured
     */
    void count(Repeat.Builder counted, double userDays) {
        Accounting all = accounting();
        Map<Task, Long> byTask = new EnumMap<>(Task.class);
        long received = 0;
        long recipients = 0;
        for (Sent message : messages.values()) {
            if (message.state == State.ACCEPTED && message.measured) {
                byTask.merge(message.task, 1L, Long::sum);
                recipients += message.recipients.size();
                for (int i = 0; i < message.copies.length(); i++) {
                    received += Math.min(1, message.copies.get(i));
                }
            }
        }
        counted.count(LevelForm.SENT, all.sentMsgs)
                .count(LevelForm.EXPECTED_MSGS, all.expectedMsgs)
                .count(LevelForm.ARRIVED, all.arrivedMsgs)
                .count(LevelForm.MISSING, all.missingMsgs)
                .count(LevelForm.UNCOUNTED, all.uncountedMsgs)
                .count(LevelForm.TWICE, all.twiceMsgs)
                .count(LevelForm.UNCERTAIN, all.uncertainMsgs)
                .count(LevelForm.USER_DAYS, userDays)
                .count(LevelForm.SENT_NEW, byTask.getOrDefault(Task.SEND, 0L))
                .count(LevelForm.SENT_REPLY, byTask.getOrDefault(Task.REPLY, 0L))
                .count(LevelForm.SENT_REPLY_ALL, byTask.getOrDefault(Task.REPLY_ALL, 0L))
                .count(LevelForm.SENT_FORWARD, byTask.getOrDefault(Task.FORWARD, 0L))
                .count(LevelForm.RECEIVED, received)
                .count(LevelForm.RECIPIENTS, recipients)
                .times(LevelForm.ARRIVAL_NS, arrivalNanos.copy());
    }
}
