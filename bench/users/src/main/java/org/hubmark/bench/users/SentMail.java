package org.hubmark.bench.users;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.users.result.LevelForm;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    /** Where messages went: the first are of all, the others of those that were sent in the measured time. */
    private static final List<Counter> COUNTERS = List.of(
            LevelForm.SENT,
            LevelForm.EXPECTED_MSGS,
            LevelForm.ARRIVED,
            LevelForm.MISSING,
            LevelForm.UNCOUNTED,
            LevelForm.TWICE,
            LevelForm.UNCERTAIN,
            LevelForm.SENT_NEW,
            LevelForm.SENT_REPLY,
            LevelForm.SENT_REPLY_ALL,
            LevelForm.SENT_FORWARD,
            LevelForm.RECEIVED,
            LevelForm.RECIPIENTS);

    private final String run = HexFormat.of().toHexDigits(new SecureRandom().nextLong());
    private final AtomicLong numbers = new AtomicLong();
    private final Map<String, Sent> messages = new ConcurrentHashMap<>();
    /** Copies that messages have which were accepted, and that nobody has seen yet. */
    private final LongAdder expected = new LongAdder();

    private final LongAdder arrived = new LongAdder();
    private final Histogram arrivalNanos = new ConcurrentHistogram(3);
    /** Users all of whose folders were looked through. */
    private final Set<Integer> counted = ConcurrentHashMap.newKeySet();

    /** What became of a message; it is uncertain until the server says. */
    private enum State {
        UNCERTAIN,
        ACCEPTED,
        REFUSED
    }

    /** A message that is being sent, or was. */
    final class Sent {
        private final String id;
        private final Task.Turn turn;
        private final List<Integer> recipients;
        /** Seen so far, by the place in the recipients. */
        private final AtomicIntegerArray copies;

        private volatile State state = State.UNCERTAIN;

        private Sent(String id, Task.Turn turn, List<Integer> recipients) {
            this.id = id;
            this.turn = turn;
            this.recipients = recipients;
            this.copies = new AtomicIntegerArray(recipients.size());
        }

        /** {@return its id} */
        String id() {
            return id;
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

        private void seen(int place, long nowNanos) {
            if (copies.incrementAndGet(place) == 1) {
                arrived.increment();
                if (turn.measured()) {
                    arrivalNanos.recordValue(Math.max(0, nowNanos - turn.dueNanos()));
                }
            }
        }

        private void addTo(Map<Counter, Long> sums) {
            if (state == State.UNCERTAIN) {
                add(sums, LevelForm.UNCERTAIN, 1);
            }
            if (state != State.ACCEPTED) {
                return;
            }
            long there = 0;
            long missing = 0;
            long twice = 0;
            for (int i = 0; i < copies.length(); i++) {
                int seen = copies.get(i);
                there += Math.min(1, seen);
                missing += seen == 0 && counted.contains(recipients.get(i)) ? 1 : 0;
                twice += Math.max(0, seen - 1);
            }
            add(sums, LevelForm.SENT, 1);
            add(sums, LevelForm.EXPECTED_MSGS, recipients.size());
            add(sums, LevelForm.ARRIVED, there);
            add(sums, LevelForm.MISSING, missing);
            add(sums, LevelForm.UNCOUNTED, recipients.size() - there - missing);
            add(sums, LevelForm.TWICE, twice);
            if (turn.measured()) {
                add(sums, Objects.requireNonNull(turn.task().sent()), 1);
                add(sums, LevelForm.RECEIVED, there);
                add(sums, LevelForm.RECIPIENTS, recipients.size());
            }
        }

        private static void add(Map<Counter, Long> sums, Counter counter, long more) {
            sums.merge(counter, more, Long::sum);
        }
    }

    /** {@return what is in each id of this run} */
    String run() {
        return run;
    }

    /**
     * Notes a message that is about to be sent.
     *
     * @param turn whose task is one that sends
     */
    Sent open(Task.Turn turn, List<Integer> recipients) {
        String id = run + "." + numbers.incrementAndGet();
        Sent sent = new Sent(id, turn, List.copyOf(recipients));
        messages.put(id, sent);
        return sent;
    }

    /** {@return whether a message of that id is one of this run's} */
    boolean has(String id) {
        return messages.containsKey(id);
    }

    /** A copy of a message has come into the mailbox of a user. */
    void seen(String id, int user, long nowNanos) {
        Sent sent = messages.get(id);
        int place = sent == null ? -1 : sent.recipients.indexOf(user);
        if (sent != null && place >= 0) {
            sent.seen(place, nowNanos);
        }
    }

    /**
     * Notes the number of copies of a message in the folders of a user; a number that is not larger
     * than before changes nothing.
     */
    void present(String id, int user, int count, long nowNanos) {
        Sent sent = messages.get(id);
        int place = sent == null ? -1 : sent.recipients.indexOf(user);
        if (sent != null && place >= 0) {
            for (int known = sent.copies.get(place); known < count; known++) {
                sent.seen(place, nowNanos);
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
        Map<Counter, Long> now = accounting();
        return Objects.equals(now.get(LevelForm.ARRIVED), now.get(LevelForm.EXPECTED_MSGS));
    }

    /** {@return where all messages are; a message counts once for each recipient but in sent and uncertain} */
    Map<Counter, Long> accounting() {
        Map<Counter, Long> sums = new LinkedHashMap<>();
        COUNTERS.forEach(counter -> sums.put(counter, 0L));
        messages.values().forEach(message -> message.addTo(sums));
        return sums;
    }

    /**
     * Takes down where all messages are, and what was sent in the measured time.
     *
     * @param userDays users times the part of a day that was measured
     */
    void count(Repeat.Builder all, double userDays) {
        accounting().forEach(all::count);
        all.count(LevelForm.USER_DAYS, userDays).times(LevelForm.ARRIVAL_NS, arrivalNanos.copy());
    }
}
