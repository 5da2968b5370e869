package org.hubmark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Each executor gets what a group of answers hands over to it as one task, in order and after the last
 * answer. Method: executors that keep their tasks.
 */
final class AnswerGroupTest {
    private final List<Runnable> first = new ArrayList<>();
    private final List<Runnable> second = new ArrayList<>();
    private final List<String> done = new ArrayList<>();
    private final Executor toFirst = first::add;
    private final Executor toSecond = second::add;
    private final Executor ended = task -> {
        throw new RejectedExecutionException();
    };

    private Runnable answer(Executor executor, String name) {
        return () -> {
            assertThat(first).isEmpty();
            assertThat(second).isEmpty();
            AnswerGroup.execute(executor, () -> done.add(name));
        };
    }

    @Test
    void eachExecutorGetsOneTaskAfterTheLastAnswer() {
        List<Throwable> failures = new ArrayList<>();
        OutOfMemoryError noMemory = new OutOfMemoryError("simulated");
        Executor broken = task -> {
            throw noMemory;
        };
        AnswerGroup.give(
                List.of(
                        answer(broken, "z"),
                        answer(toFirst, "a"),
                        answer(ended, "b"),
                        answer(toSecond, "c"),
                        answer(toFirst, "d")),
                failures::add);
        assertThat(failures).containsExactly(noMemory);
        assertThat(first).hasSize(1);
        assertThat(second).hasSize(1);
        first.getFirst().run();
        assertThat(done).containsExactly("a", "d");
        second.getFirst().run();
        assertThat(done).containsExactly("a", "d", "c");
    }

    @Test
    void withoutAGroupATaskIsHandedOverAtOnce() {
        AnswerGroup.give(List.of(answer(toFirst, "a")), e -> {});
        AnswerGroup.execute(toFirst, () -> done.add("b"));
        assertThat(first).hasSize(2);
        assertThatThrownBy(() -> AnswerGroup.execute(ended, () -> {}))
                .isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void anAnswerThatFailsKeepsNothingBack() {
        List<Runnable> answers = List.of(answer(toFirst, "a"), () -> {
            throw new IllegalStateException("a fault");
        });
        assertThatThrownBy(() -> AnswerGroup.give(answers, e -> {})).hasMessage("a fault");
        assertThat(first).hasSize(1);
        AnswerGroup.execute(toFirst, () -> {});
        assertThat(first).hasSize(2);
    }
}
