package org.hubmark.bench.hub;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Map;

/** Proves that what the user wants of each JVM reaches a hub's as well. */
class UserOptionsTest {
    @Test
    void aHubGetsWhatTheUserWantsOfEachJvm() {
        assertThat(HubJvm.userOptions(Map.of())).isEmpty();
        assertThat(HubJvm.userOptions(Map.of("HUBMARK_JAVA_OPTS", "  "))).isEmpty();
        assertThat(HubJvm.userOptions(Map.of("HUBMARK_JAVA_OPTS", " -Xmx2g\t-XX:+UseZGC ")))
                .containsExactly("-Xmx2g", "-XX:+UseZGC");
    }
}
