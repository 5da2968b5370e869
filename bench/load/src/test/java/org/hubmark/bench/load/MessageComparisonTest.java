package org.hubmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.QueueId;
import org.hubmark.hub.audit.AuditShare;
import org.hubmark.hub.audit.AuditedContent;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Proves what each fault of a delivery is called, alone and together. */
class MessageComparisonTest {
    private static final Pattern ID = Pattern.compile("@([0-9])");

    /**
     * The last: its connection broke before the 250, so that the driver knows nothing of it.
     *
     * @param delivered queue ids, each with another content where a length and a sum stand behind it
     * @param faults with ids behind @
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            3 1 2   | 1 2 3           | 3 0 0 0 0 0 | ''
            1 2 3   | 1 3 3 3         | 3 1 1 0 0 0 | 1 of 3 audited messages were accepted and not delivered, first @2; 1 of 3 audited messages were delivered more than once, first @3
            1 2 3   | 1 2:100:8 3:99:7 | 3 0 0 2 0 0 | 2 of 3 audited messages were delivered with other content than was sent, first @2
            5 4 5 5 | 4 5             | 2 0 0 0 2 0 | 2 audited messages got a queue id that another had got before, first @5
            1       | 1 2 2           | 1 0 0 0 0 2 | ''
            """)
    void faultsAreNamed(String accepted, String delivered, String counts, String faults) {
        AcceptedMail mail = new AcceptedMail(AuditShare.ALL);
        for (String one : accepted.split(" ", -1)) {
            mail.add(content(one));
        }
        MessageComparison comparison = new MessageComparison(mail);
        for (String one : delivered.split(" ", -1)) {
            comparison.delivered(content(one));
        }
        long[] n = Stream.of(counts.split(" ", -1)).mapToLong(Long::parseLong).toArray();
        assertThat(comparison.audit())
                .isEqualTo(new Audit("all", n[0], n[1], n[2], n[3], n[4], n[5]));
        assertThat(String.join("; ", comparison.faults()))
                .isEqualTo(ID.matcher(faults)
                        .replaceAll(id -> "" + new QueueId(Long.parseLong(id.group(1)))));
    }

    private static AuditedContent content(String text) {
        String[] parts = (text.contains(":") ? text : text + ":100:7").split(":", -1);
        return new AuditedContent(
                new QueueId(Long.parseLong(parts[0])),
                Integer.parseInt(parts[1]),
                Integer.parseInt(parts[2]));
    }
}
