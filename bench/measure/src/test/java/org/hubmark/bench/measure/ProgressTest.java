package org.hubmark.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Path;

/** Proves that a command that is asked for the width of a terminal holds nobody up: one stops itself. */
class ProgressTest {
    private static final Path TERMINAL = Path.of("/dev/null");

    @Test
    @Timeout(60)
    void oneThatIsStoppedIsNotWaitedFor() {
        assertThat(Progress.columns(TERMINAL, "echo", "24 60")).isEqualTo(60);
        assertThat(Progress.columns(TERMINAL, "sh", "-c", "kill -STOP $$")).isEqualTo(80);
    }
}
