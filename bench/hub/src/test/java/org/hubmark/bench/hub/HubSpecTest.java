package org.hubmark.bench.hub;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.hub.VolumeFolders;
import org.hubmark.hub.audit.AuditShare;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.Map;

/** Proves where the messages of a hub are compared with what was sent, and where they can't be. */
class HubSpecTest {
    private static final VolumeFolders VOLUMES = VolumeFolders.below(Path.of("/v"));
    private static final Path AUDITED = Path.of("/out/audited.txt");

    @Test
    void messagesAreComparedWhereTheyCanBeRead() {
        assertThat(hub("discard").end(VOLUMES, AUDITED)).isEqualTo(new DeliveryEnd.Told(AUDITED));
        assertThat(hub("discard").measured(VOLUMES, AUDITED))
                .contains("--audit=sampled", "--audit-file=/out/audited.txt");
        assertThat(hub("hold").end(VOLUMES, AUDITED)).isEqualTo(new DeliveryEnd.Held(VOLUMES));
        assertThat(hub("hold").measured(VOLUMES, AUDITED))
                .noneMatch(argument -> argument.startsWith("--audit"));
        assertThat(hub("hold").audited(AuditShare.OFF).end(VOLUMES, AUDITED)).isNull();
    }

    @Test
    void whatANextHopOrAFolderTookIsOutOfSight() {
        assertThat(hub("directory:/m").end(VOLUMES, AUDITED)).isNull();
        assertThat(hub("directory:/m").outOfSight()).contains("out of sight");
        assertThat(hub("smtp://127.0.0.1:2525").end(VOLUMES, AUDITED)).isNull();
        assertThat(hub("smtp://127.0.0.1:2525").outOfSight()).contains("out of sight");
        assertThat(hub("lmtp://127.0.0.1:2525").audited(AuditShare.OFF).outOfSight())
                .isNull();
        assertThat(hub("hold").outOfSight()).isNull();
    }

    private static HubSpec hub(String deliver) {
        return new HubSpec(deliver, "synced", 512L << 20, true, Map.of())
                .audited(AuditShare.SAMPLED);
    }
}
