package org.hubmark.hub.audit;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.hubmark.core.QueueId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.CRC32;

/** Proves that of a stored content all is compared but the hub's own trace field. */
class AuditedContentTest {
    private static final QueueId ID = new QueueId(7);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Subject: x\r\n\r\nbody\r\n",
                " begins with a blank\r\n",
                "\tbegins with a tab\r\n",
                "Received: from another; Sun, 22 Nov 2026 18:00:00 +0000\r\n",
                "\r\n",
                ""
            })
    void leavesOutTheTraceFieldAlone(String content) throws IOException {
        for (String field : new String[] {
            "Received: from a ([127.0.0.1])\r\n\tby b with ESMTP id c\r\n\tfor <d@e>;"
                    + " Sun, 22 Nov 2026 18:00:00 +0000\r\n",
            "Received: from a\r\n\t([127.0.0.1])\r\n\tby b\r\n\twith ESMTPS id c;\r\n\t"
                    + "Sun, 2 Nov 2026 18:00:00 +0000\r\n"
        }) {
            byte[] octets = content.getBytes(ISO_8859_1);
            CRC32 crc = new CRC32();
            crc.update(octets);
            byte[] stored = (field + content).getBytes(ISO_8859_1);
            assertThat(AuditedContent.read(ID, new ByteArrayInputStream(stored)))
                    .isEqualTo(new AuditedContent(ID, octets.length, (int) crc.getValue()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no trace field", "Received: from a\r\n\tby b"})
    void whatHasNoTraceFieldIsNoContent(String stored) throws IOException {
        assertThat(AuditedContent.read(ID, new ByteArrayInputStream(stored.getBytes(ISO_8859_1))))
                .isEqualTo(new AuditedContent(ID, 0, 0));
    }
}
