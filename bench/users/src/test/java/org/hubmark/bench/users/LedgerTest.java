package org.hubmark.bench.users;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.users.Ledger.Accounting;
import org.hubmark.bench.users.result.LevelForm;
import org.hubmark.bench.users.result.Task;
import org.junit.jupiter.api.Test;

import java.util.List;

/** Proves that each message is arrived, missing, twice there or uncertain, and counted as such. */
class LedgerTest {
    private final Ledger ledger = new Ledger();

    private Ledger.Sent accepted(Task task, boolean measured, Integer... recipients) {
        Ledger.Sent sent = ledger.open(task, 1000, measured, List.of(recipients));
        sent.accepted();
        return sent;
    }

    @Test
    void countsCopies() {
        Ledger.Sent whole = accepted(Task.SEND, true, 1, 2, 3);
        Ledger.Sent half = accepted(Task.REPLY_ALL, false, 1, 2);
        for (int user = 1; user <= 3; user++) {
            ledger.seen(whole.id(), user, 5000);
        }
        ledger.seen(half.id(), 1, 5000);
        ledger.seen(half.id(), 1, 5000);
        assertThat(ledger.isComplete()).isFalse();
        assertThat(ledger.accounting()).isEqualTo(new Accounting(2, 5, 4, 0, 1, 1, 0));
        ledger.counted(1);
        assertThat(ledger.accounting()).isEqualTo(new Accounting(2, 5, 4, 0, 1, 1, 0));
        ledger.counted(2);
        assertThat(ledger.accounting()).isEqualTo(new Accounting(2, 5, 4, 1, 0, 1, 0));
        // What was not measured is in no latency.
        Repeat.Builder builder = Repeat.counted();
        ledger.count(builder, 2);
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
                .containsEntry("recipients", 3.0)
                .containsEntry("recipients_squared", 9.0);
    }

    @Test
    void whatWasMovedIsThereOnce() {
        Ledger.Sent sent = accepted(Task.SEND, true, 4);
        ledger.seen(sent.id(), 4, 2000);
        ledger.present(sent.id(), 4, 1, 3000);
        assertThat(ledger.accounting()).isEqualTo(new Accounting(1, 1, 1, 0, 0, 0, 0));
        ledger.present(sent.id(), 4, 2, 3000);
        assertThat(ledger.accounting()).isEqualTo(new Accounting(1, 1, 1, 0, 0, 1, 0));
    }

    @Test
    void whatNobodyKnowsOfIsExpectedNowhere() {
        Ledger.Sent refused = ledger.open(Task.SEND, 0, true, List.of(1));
        refused.refused();
        Ledger.Sent uncertain = ledger.open(Task.SEND, 0, true, List.of(2));
        uncertain.uncertain();
        ledger.seen(uncertain.id(), 2, 10);
        assertThat(ledger.accounting()).isEqualTo(new Accounting(0, 0, 0, 0, 0, 0, 1));
        assertThat(ledger.isComplete()).isTrue();
    }

    @Test
    void strangersAreNoneOfThem() {
        Ledger.Sent sent = accepted(Task.SEND, true, 1);
        ledger.seen("", 1, 0);
        ledger.seen("fill-1.2", 1, 0);
        ledger.seen(ledger.run() + ".", 1, 0);
        ledger.seen(ledger.run() + ".x", 1, 0);
        ledger.seen(ledger.run() + ".99999999999999999999", 1, 0);
        ledger.seen(new Ledger().run() + ".1", 1, 0);
        ledger.seen(sent.id(), 9, 0);
        assertThat(ledger.accounting().arrivedMsgs()).isZero();
    }
}
