package org.hubmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.QueueId;
import org.hubmark.hub.audit.AuditShare;
import org.hubmark.hub.audit.AuditedContent;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

/** Proves what each fault of a delivery is called, alone and together. */
class MessageComparisonTest {
    private final AcceptedMail mail = new AcceptedMail(AuditShare.ALL);

    @Test
    void findsNothingInWhatArrivedOnce() throws Exception {
        accept(3, 1, 2);
        MessageComparison comparison = delivered(1, 2, 3);
        assertThat(comparison.audit()).isEqualTo(new Audit("all", 3, 0, 0L, 0, 0, 0L));
        assertThat(comparison.faults()).isEmpty();
    }

    @Test
    void aMessageThatCameTwiceHidesNoneThatDidNotCome() throws Exception {
        accept(1, 2, 3);
        MessageComparison comparison = delivered(1, 3, 3, 3);
        assertThat(comparison.audit()).isEqualTo(new Audit("all", 3, 1, 1L, 0, 0, 0L));
        assertThat(comparison.faults())
                .containsExactly(
                        "1 of 3 audited messages were accepted and not delivered, first "
                                + new QueueId(2),
                        "1 of 3 audited messages were delivered more than once, first "
                                + new QueueId(3));
    }

    @Test
    void seesOtherOctetsAndAnotherLength() throws Exception {
        accept(1, 2, 3);
        MessageComparison comparison = delivered(
                content(1),
                new AuditedContent(new QueueId(2), 100, 8),
                new AuditedContent(new QueueId(3), 99, 7));
        assertThat(comparison.audit()).isEqualTo(new Audit("all", 3, 0, 0L, 2, 0, 0L));
        assertThat(comparison.faults())
                .containsExactly(
                        "2 of 3 audited messages were delivered with other content than was"
                                + " sent, first " + new QueueId(2));
    }

    @Test
    void seesAQueueIdThatTwoMessagesGot() throws Exception {
        accept(5, 4, 5, 5);
        MessageComparison comparison = delivered(4, 5);
        assertThat(comparison.audit()).isEqualTo(new Audit("all", 2, 0, 0L, 0, 2, 0L));
        assertThat(comparison.faults())
                .containsExactly("2 audited messages got a queue id that another had got before,"
                        + " first " + new QueueId(5));
    }

    /** Its connection broke before the 250, so that the driver knows nothing of it. */
    @Test
    void aMessageThatTheDriverDoesNotKnowIsNoFault() throws Exception {
        accept(1);
        MessageComparison comparison = delivered(1, 2, 2);
        assertThat(comparison.audit()).isEqualTo(new Audit("all", 1, 0, 0L, 0, 0, 2L));
        assertThat(comparison.faults()).isEmpty();
    }

    private void accept(long... ids) {
        for (long id : ids) {
            mail.add(content(id));
        }
    }

    private MessageComparison delivered(long... ids) {
        return delivered(Arrays.stream(ids)
                .mapToObj(MessageComparisonTest::content)
                .toArray(AuditedContent[]::new));
    }

    private MessageComparison delivered(AuditedContent... contents) {
        MessageComparison comparison = new MessageComparison(mail);
        List.of(contents).forEach(comparison::delivered);
        return comparison;
    }

    private static AuditedContent content(long id) {
        return new AuditedContent(new QueueId(id), 100, 7);
    }
}
