package org.hubmark.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What measures the figures works, and loses nothing; how fast it is depends on the machine. */
final class FiguresTest {
    @Test
    void everyMessageOfALoadArrives() throws Exception {
        TestkitFigures.firstTest();
        assertThat(TestkitFigures.messagesPerSecond(400)).isPositive();
    }
}
