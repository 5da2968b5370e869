package org.hubmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.QueueId;
import org.hubmark.hub.audit.AuditShare;
import org.hubmark.hub.audit.AuditedContent;
import org.junit.jupiter.api.Test;

/** Proves that what no longer fits is counted, and not passed over in silence. */
class AcceptedMailTest {
    @Test
    void countsWhatIsBeyondItsLimit() {
        AcceptedMail mail = new AcceptedMail(AuditShare.ALL, 2);
        for (int id = 1; id <= 5; id++) {
            mail.add(new AuditedContent(new QueueId(id), 10, 7));
        }
        assertThat(mail.contents()).hasSize(2);
        assertThat(mail.beyondLimit()).isEqualTo(3);
    }
}
