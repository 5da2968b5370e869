package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Proves when a hub is warned of too few file descriptors, and that the warning says what to do. */
class DescriptorLimitTest {
    @Test
    void fewerThanItMayNeedAreSaid() {
        assertThat(DescriptorLimit.warning(4096, 1000, 16, 500)).isNull();
        assertThat(DescriptorLimit.warning(1024, 1000, 16, 500))
                .contains("may open 1024 file descriptors (ulimit -n) and may need 1748")
                .contains("smtp.connections-max")
                .contains("LimitNOFILE");
    }
}
