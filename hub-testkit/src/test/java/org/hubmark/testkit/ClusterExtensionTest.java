package org.hubmark.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

import java.util.List;

/** Where a test on a cluster can't run, it is skipped, and says why. */
class ClusterExtensionTest {
    @OnCluster
    static class OneTest {
        @Test
        void receives(TestHub hub) {
            assertThat(hub.port()).isPositive();
        }
    }

    private static String reason() {
        List<Event> skipped = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(OneTest.class))
                .execute()
                .allEvents()
                .skipped()
                .list();
        assertThat(skipped).hasSize(1);
        return skipped.getFirst().getPayload(String.class).orElseThrow();
    }

    @Test
    void withoutAClusterItIsSkipped() {
        String before = System.clearProperty(ClusterExtension.PROPERTY);
        try {
            assertThat(reason())
                    .contains("no cluster is named with"
                            + " -Dhubmark.pulsar=pulsar://HOST:PORT/TENANT/NAMESPACE");
            System.setProperty(ClusterExtension.PROPERTY, "pulsar://127.0.0.1:1/public/default");
            assertThat(reason())
                    .contains("pulsar://127.0.0.1:1/public/default: there is no engine");
        } finally {
            if (before == null) {
                System.clearProperty(ClusterExtension.PROPERTY);
            } else {
                System.setProperty(ClusterExtension.PROPERTY, before);
            }
        }
    }
}
