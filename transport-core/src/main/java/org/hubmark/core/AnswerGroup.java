package org.hubmark.core;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Gives the answers of an intake that become ready together. What they hand over to event loops goes to
 * each loop as one task, after the last answer: a loop that is woken for the first one often sleeps
 * again before the next, and each time costs a system call and a change of threads. Any thread; each has
 * a group of its own.
 */
public final class AnswerGroup {
    private static final ThreadLocal<@Nullable Map<Executor, List<Runnable>>> OPEN =
            new ThreadLocal<>();

    private AnswerGroup() {}

    /**
     * Gives all answers. What an executor that has ended does not take is dropped.
     *
     * @param onFailure is told why another executor did not take its own, as without memory; the rest go on
     */
    public static void give(List<Runnable> answers, Consumer<Throwable> onFailure) {
        Map<Executor, List<Runnable>> handedOver = new HashMap<>();
        OPEN.set(handedOver);
        try {
            answers.forEach(Runnable::run);
        } finally {
            OPEN.remove();
            handedOver.forEach((executor, tasks) -> handOver(executor, tasks, onFailure));
        }
    }

    private static void handOver(
            Executor executor, List<Runnable> tasks, Consumer<Throwable> onFailure) {
        try {
            executor.execute(() -> tasks.forEach(Runnable::run));
        } catch (RejectedExecutionException e) {
            // Its connections are gone: nobody is left to be told.
            tasks.clear();
        } catch (Throwable e) {
            onFailure.accept(e);
        }
    }

    /**
     * Hands a task over, with the others of the group if the caller is an answer of one, else at once.
     *
     * @param task does not throw
     */
    public static void execute(Executor executor, Runnable task) {
        Map<Executor, List<Runnable>> open = OPEN.get();
        if (open == null) {
            executor.execute(task);
        } else {
            open.computeIfAbsent(executor, first -> new ArrayList<>()).add(task);
        }
    }
}
