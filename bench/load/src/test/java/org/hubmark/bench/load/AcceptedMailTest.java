package org.hubmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.QueueId;
import org.hubmark.hub.audit.AuditShare;
import org.hubmark.hub.audit.AuditedContent;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Proves that all messages come back, each in one range, and that what can't be noted is counted, and
 * not passed over in silence.
 */
class AcceptedMailTest {
    private static final int MESSAGES = 1_000;

    @Test
    void allComeBackByRangesOfIds() {
        List<AuditedContent> sent = new ArrayList<>();
        for (int id = 0; id < MESSAGES; id++) {
            sent.add(new AuditedContent(new QueueId(3L * id), id, -id));
        }
        // Answers overtake each other a little.
        for (int at = 0; at + 30 <= MESSAGES; at += 20) {
            Collections.shuffle(sent.subList(at, at + 30), new Random(at));
        }
        AcceptedMail mail = new AcceptedMail(AuditShare.ALL, new AcceptedMail.Limits(8, 1_000, 3));
        sent.forEach(mail::add);
        List<AcceptedMail.Range> ranges = mail.ranges();
        assertThat(ranges).hasSizeGreaterThan(MESSAGES / 32);
        List<AuditedContent> read = new ArrayList<>();
        long next = 0;
        for (AcceptedMail.Range range : ranges) {
            assertThat(range.from()).isEqualTo(next);
            next = range.to() + 1;
            List<AuditedContent> contents = mail.contents(range);
            assertThat(contents).hasSizeBetween(1, 64);
            read.addAll(contents);
        }
        assertThat(next).isEqualTo(Long.MIN_VALUE);
        assertThat(read).containsExactlyInAnyOrderElementsOf(sent);
        assertThat(mail.count()).isEqualTo(MESSAGES);
        assertThat(mail.notNoted()).isZero();
    }

    @Test
    void countsWhatThereIsNoRoomFor() {
        AcceptedMail mail = new AcceptedMail(AuditShare.ALL, new AcceptedMail.Limits(2, 2, 1));
        for (int id = 1; id <= 7; id++) {
            mail.add(new AuditedContent(new QueueId(id), 10, 7));
        }
        assertThat(mail.count()).isEqualTo(4);
        assertThat(mail.notNoted()).isEqualTo(3);
        List<QueueId> read = new ArrayList<>();
        for (AcceptedMail.Range range : mail.ranges()) {
            mail.contents(range).forEach(content -> read.add(content.id()));
        }
        assertThat(read)
                .containsExactly(new QueueId(1), new QueueId(2), new QueueId(3), new QueueId(4));
    }
}
