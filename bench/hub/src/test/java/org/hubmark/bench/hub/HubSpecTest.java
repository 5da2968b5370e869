package org.hubmark.bench.hub;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.hub.VolumeFolders;
import org.hubmark.hub.audit.AuditShare;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Proves where the messages of a hub are compared with what was sent, and where they can't be. */
class HubSpecTest {
    private static final VolumeFolders VOLUMES = VolumeFolders.below(Path.of("/v"));
    private static final Path AUDITED = Path.of("/out/audited.txt");

    @Test
    void messagesAreComparedWhereTheyAreDiscarded() {
        assertThat(hub("discard").isAudited()).isTrue();
        assertThat(hub("discard").outOfSight()).isNull();
        assertThat(hub("discard").measured(VOLUMES, AUDITED))
                .contains("--audit=sampled", "--audit-file=/out/audited.txt");
        for (String elsewhere : List.of("hold", "directory:/m", "smtp://127.0.0.1:2525")) {
            assertThat(hub(elsewhere).isAudited()).isFalse();
            assertThat(hub(elsewhere).measured(VOLUMES, AUDITED))
                    .noneMatch(argument -> argument.startsWith("--audit"));
            assertThat(hub(elsewhere).outOfSight()).contains("that takes --deliver discard");
            assertThat(hub(elsewhere).audited(AuditShare.OFF).outOfSight()).isNull();
        }
    }

    private static HubSpec hub(String deliver) {
        return new HubSpec(deliver, "synced", 512L << 20, true, Map.of())
                .audited(AuditShare.SAMPLED);
    }
}
