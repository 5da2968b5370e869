package org.hubmark.bench.users;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.users.result.LevelForm;
import org.junit.jupiter.api.Test;

import java.util.List;

/** Proves that each message is arrived, missing, twice there or uncertain, and counted as such. */
class SentMailTest {
    private final SentMail sentMail = new SentMail();

    private SentMail.Sent accepted(Task task, boolean measured, Integer... recipients) {
        SentMail.Sent sent =
                sentMail.open(new Task.Turn(task, 1000, measured), List.of(recipients));
        sent.accepted();
        return sent;
    }

    /** {@return sent, expected, arrived, missing, uncounted, twice and uncertain} */
    private List<Long> accounting() {
        return sentMail.accounting().values().stream().limit(7).toList();
    }

    @Test
    void countsCopies() {
        SentMail.Sent whole = accepted(Task.SEND, true, 1, 2, 3);
        SentMail.Sent half = accepted(Task.REPLY_ALL, false, 1, 2);
        for (int user = 1; user <= 3; user++) {
            sentMail.seen(whole.id(), user, 5000);
        }
        sentMail.seen(half.id(), 1, 5000);
        sentMail.seen(half.id(), 1, 5000);
        assertThat(sentMail.isComplete()).isFalse();
        assertThat(accounting()).isEqualTo(List.of(2L, 5L, 4L, 0L, 1L, 1L, 0L));
        sentMail.counted(1);
        assertThat(accounting()).isEqualTo(List.of(2L, 5L, 4L, 0L, 1L, 1L, 0L));
        sentMail.counted(2);
        assertThat(accounting()).isEqualTo(List.of(2L, 5L, 4L, 1L, 0L, 1L, 0L));
        // What was not measured is in no latency.
        Repeat.Builder builder = Repeat.counted();
        sentMail.count(builder, 2);
        Repeat counted = builder.made();
        assertThat(counted.times(LevelForm.ARRIVAL_NS).getTotalCount()).isEqualTo(3);
        assertThat(counted.times(LevelForm.ARRIVAL_NS).getMaxValue()).isBetween(3990L, 4010L);
        assertThat(counted.counters())
                .containsEntry("sent_msgs", 2.0)
                .containsEntry("missing_msgs", 1.0)
                .containsEntry("user_days", 2.0)
                .containsEntry("sent_new", 1.0)
                .containsEntry("sent_reply_all", 0.0)
                .containsEntry("received", 3.0)
                .containsEntry("recipients", 3.0);
    }

    @Test
    void whatWasMovedIsThereOnce() {
        SentMail.Sent sent = accepted(Task.SEND, true, 4);
        sentMail.seen(sent.id(), 4, 2000);
        sentMail.present(sent.id(), 4, 1, 3000);
        assertThat(accounting()).isEqualTo(List.of(1L, 1L, 1L, 0L, 0L, 0L, 0L));
        sentMail.present(sent.id(), 4, 2, 3000);
        assertThat(accounting()).isEqualTo(List.of(1L, 1L, 1L, 0L, 0L, 1L, 0L));
    }

    @Test
    void whatNobodyKnowsOfIsExpectedNowhere() {
        SentMail.Sent refused = sentMail.open(new Task.Turn(Task.SEND, 0, true), List.of(1));
        refused.refused();
        SentMail.Sent uncertain = sentMail.open(new Task.Turn(Task.SEND, 0, true), List.of(2));
        sentMail.seen(uncertain.id(), 2, 10);
        assertThat(accounting()).isEqualTo(List.of(0L, 0L, 0L, 0L, 0L, 0L, 1L));
        assertThat(sentMail.isComplete()).isTrue();
    }

    @Test
    void strangersAreNoneOfThem() {
        SentMail.Sent sent = accepted(Task.SEND, true, 1);
        sentMail.seen("", 1, 0);
        sentMail.seen("fill-1.2", 1, 0);
        sentMail.seen(sentMail.run() + ".", 1, 0);
        sentMail.seen(sentMail.run() + ".x", 1, 0);
        sentMail.seen(sentMail.run() + ".99999999999999999999", 1, 0);
        sentMail.seen(new SentMail().run() + ".1", 1, 0);
        sentMail.seen(sent.id(), 9, 0);
        assertThat(sentMail.accounting().get(LevelForm.ARRIVED)).isZero();
    }
}
