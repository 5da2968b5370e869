package org.hubmark.bench.users;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.net.ProtocolException;

/** Proves that a failure is told with the server's words, and that words which differ each time are counted all the same. */
final class TaskTallyTest {
    @Test
    void whatTheServerSaidIsInTheReason() {
        ProtocolException garbled = new ProtocolException("sent a line: '* 5 EXh7 OK'");
        assertThat(TaskFailure.of("IMAP", garbled).kind())
                .isEqualTo("IMAP: spoke something else (sent a line: '* 5 EXh7 OK')");
        assertThat(TaskFailure.inFull("IMAP", garbled))
                .isEqualTo(TaskFailure.of("IMAP", garbled).kind());
        assertThat(TaskFailure.of("SMTP", new ProtocolException("x".repeat(1000)))
                        .kind())
                .hasSizeLessThan(350);
    }

    @Test
    void aServerWhoseWordsDifferEachTimeFillsNoMemory() {
        TaskTally tally = new TaskTally();
        for (int i = 0; i < 1000; i++) {
            tally.failedAside("IMAP: spoke something else (" + i + ")");
        }
        tally.failedAside("IMAP: spoke something else (3)");
        assertThat(tally.asides())
                .hasSize(TaskTally.KINDS_MAX + 1)
                .containsEntry("IMAP: spoke something else (3)", 2L)
                .containsEntry(TaskTally.OTHERS, 1000L - TaskTally.KINDS_MAX);
    }
}
