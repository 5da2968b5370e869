package org.hubmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.hubmark.core.QueueId;
import org.hubmark.hub.audit.AuditShare;
import org.hubmark.hub.audit.AuditedContent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Proves that all messages come back, each in one range, however few stay in memory, and that what can't
 * be noted is counted, and not passed over in silence.
 */
class AcceptedMailTest {
    private static final int MESSAGES = 1_000;
    private static final int PIECE = 8;

    @TempDir
    Path folder;

    @Test
    void allComeBackByRangesOfIds() throws IOException {
        List<AuditedContent> sent = new ArrayList<>();
        for (int id = 0; id < MESSAGES; id++) {
            sent.add(new AuditedContent(new QueueId(3L * id), id, -id));
        }
        // Answers overtake each other a little.
        for (int at = 0; at + 30 <= MESSAGES; at += 20) {
            Collections.shuffle(sent.subList(at, at + 30), new Random(at));
        }
        try (AcceptedMail mail = new AcceptedMail(
                AuditShare.ALL, folder, new AcceptedMail.Limits(PIECE, 2, MESSAGES, 3))) {
            sent.forEach(mail::add);
            assertThat(folder).as("the file has no name").isEmptyDirectory();
            List<AcceptedMail.Range> ranges = mail.ranges();
            assertThat(ranges).hasSizeGreaterThan(MESSAGES / PIECE / 4);
            List<AuditedContent> read = new ArrayList<>();
            long next = 0;
            for (AcceptedMail.Range range : ranges) {
                assertThat(range.from()).isEqualTo(next);
                next = range.to() + 1;
                List<AuditedContent> contents = mail.contents(range);
                assertThat(contents).hasSizeBetween(1, 8 * PIECE);
                read.addAll(contents);
            }
            assertThat(next).isEqualTo(Long.MIN_VALUE);
            assertThat(read).containsExactlyInAnyOrderElementsOf(sent);
            assertThat(mail.count()).isEqualTo(MESSAGES);
            assertThat(mail.notNoted()).isZero();
        }
    }

    @Test
    void countsWhatCannotBeWritten() throws IOException {
        Path gone = folder.resolve("gone");
        AcceptedMail.Limits limits = new AcceptedMail.Limits(2, 1, MESSAGES, 1);
        try (AcceptedMail mail = new AcceptedMail(AuditShare.ALL, gone, limits)) {
            add(mail, 1, 5);
            await().atMost(Duration.ofMinutes(1)).until(() -> mail.failure() != null);
            assertThat(mail.notNoted()).isZero();
            add(mail, 6, 9);
            assertThat(mail.count()).as("the piece has room for one more").isEqualTo(6);
            assertThat(mail.notNoted()).isEqualTo(3);
            assertThat(size(mail)).isEqualTo(6);
        }
    }

    /** The driver does not wait for a disk. */
    @Test
    void countsWhatADiskIsTooSlowFor() throws IOException {
        AcceptedMail.Limits limits = new AcceptedMail.Limits(2, 1, 0, 1);
        try (AcceptedMail mail = new AcceptedMail(AuditShare.ALL, folder, limits)) {
            add(mail, 1, 7);
            assertThat(mail.count()).isEqualTo(4);
            assertThat(mail.notNoted()).isEqualTo(3);
            assertThat(mail.failure()).isEqualTo("the disk is too slow for them");
            assertThat(size(mail)).isEqualTo(4);
        }
    }

    private static void add(AcceptedMail mail, int from, int to) {
        for (int id = from; id <= to; id++) {
            mail.add(new AuditedContent(new QueueId(id), 10, 7));
        }
    }

    private static int size(AcceptedMail mail) {
        return mail.ranges().stream().mapToInt(range -> size(mail, range)).sum();
    }

    private static int size(AcceptedMail mail, AcceptedMail.Range range) {
        try {
            return mail.contents(range).size();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
