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
 * Proves that all messages come back, in the order of their answers and by their ids, and that what can't be
 * noted is counted, and not passed over in silence.
 */
class AcceptedMailTest {
    /** More than a piece has. */
    private static final int MESSAGES = 40_000;

    @Test
    void allComeBack() {
        List<AuditedContent> sent = new ArrayList<>();
        for (int id = 0; id < MESSAGES; id++) {
            sent.add(new AuditedContent(new QueueId(3L * id), id, -id));
        }
        Collections.shuffle(sent, new Random(1));
        AcceptedMail mail = new AcceptedMail(AuditShare.ALL);
        sent.forEach(mail::add);
        List<Long> read = new ArrayList<>();
        mail.forEach((id, sum) -> {
            read.add(id);
            read.add(sum);
        });
        assertThat(read)
                .isEqualTo(sent.stream()
                        .flatMap(one -> List.of(one.id().value(), one.sum()).stream())
                        .toList());
        assertThat(mail.ids()).hasSize(MESSAGES).isSorted().startsWith(0, 3, 6);
        assertThat(mail.count()).isEqualTo(MESSAGES);
        assertThat(mail.notNoted()).isZero();
    }

    @Test
    void countsWhatThereIsNoRoomFor() {
        AcceptedMail mail = new AcceptedMail(AuditShare.ALL, 4);
        for (int id = 1; id <= 7; id++) {
            mail.add(new AuditedContent(new QueueId(id), 10, 7));
        }
        assertThat(mail.count()).isEqualTo(4);
        assertThat(mail.notNoted()).isEqualTo(3);
        assertThat(mail.ids()).containsExactly(1, 2, 3, 4);
    }
}
