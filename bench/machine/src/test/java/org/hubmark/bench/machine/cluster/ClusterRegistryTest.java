package org.hubmark.bench.machine.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Map;

/** What ZooKeeper says of its sessions. */
class ClusterRegistryTest {
    @Test
    void theSessionOfEachBookieIsFound() {
        String dump = """
                SessionTracker dump:
                Session Sets (2)/(2):
                2 expire at Tue Nov 24 16:53:22 UTC 2026:
                	0x10000f3b3a40001
                	0x10000f3b3a40002
                ephemeral nodes dump:
                Sessions with Ephemerals (2):
                0x10000f3b3a40001:
                	/ledgers/available/198.18.0.2:37791
                	/loadbalance/brokers/198.18.0.2:8080
                0x10000f3b3a40002:
                	/ledgers/available/readonly/198.18.0.3:38659
                	/ledgers/available/198.18.0.4:42557
                Connections dump:
                Connections Sets (1)/(2):
                """;
        assertThat(ClusterRegistry.parse(dump))
                .containsOnly(
                        Map.entry("198.18.0.2:37791", "0x10000f3b3a40001"),
                        Map.entry("198.18.0.4:42557", "0x10000f3b3a40002"));
        String refused = "dump is not executed because it is not in the whitelist.\n";
        assertThat(ClusterRegistry.parse(refused)).isEmpty();
    }
}
