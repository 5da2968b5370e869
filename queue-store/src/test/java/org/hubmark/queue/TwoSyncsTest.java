package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Receipt;
import org.hubmark.queue.log.Volume;
import org.hubmark.queue.log.VolumeFile;
import org.hubmark.queue.simulation.SimulatedVolume;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Two syncs of the log are under way: what the second makes durable waits for the first. */
class TwoSyncsTest {
    private static final int MESSAGES_MAX = 3500;
    private static final int BURST = 300;

    @TempDir
    private Path folder;

    private final SimulatedVolume segments = new SimulatedVolume("segments");
    private final AtomicBoolean hold = new AtomicBoolean();
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private volatile boolean fails;

    @ParameterizedTest
    @MethodSource("ends")
    @Timeout(60)
    void theSecondIsAnsweredAfterTheFirst(boolean firstFails) throws Exception {
        fails = firstFails;
        segments.delaySync(Duration.ofMillis(2));
        StoreUnderTest store = StoreUnderTest.at(folder)
                .log(4 << 20, 4)
                .segments(watched(Volume.class, segments))
                .open();
        List<CompletableFuture<Receipt>> answers = new ArrayList<>();
        // The first sync shows that the volume is slow.
        store.enqueue("first");
        hold.set(true);
        // Many at a time, so that some wait when a group is written, and again for the second.
        while (!aSecondWaitsForItsTurn()) {
            answers.removeIf(CompletableFuture::isDone);
            for (int i = 0; i < BURST && answers.size() < MESSAGES_MAX; i++) {
                answers.add(store.offer(10, StoreUnderTest.TO));
            }
            Thread.sleep(1);
        }
        List<CompletableFuture<Receipt>> unanswered =
                answers.stream().filter(answer -> !answer.isDone()).toList();
        assertThat(unanswered).isNotEmpty();
        mayEnd.countDown();
        for (CompletableFuture<Receipt> answer : unanswered) {
            assertThat(answer.get())
                    .isInstanceOf(firstFails ? Receipt.Refused.class : Receipt.Queued.class);
        }
        store.store().close();
    }

    /** Failures again and again: what waits behind the two fails at once, and must not pass the second. */
    static Stream<Boolean> ends() {
        return IntStream.range(0, 20).mapToObj(i -> i > 1);
    }

    private static boolean aSecondWaitsForItsTurn() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getState() == Thread.State.WAITING)
                .flatMap(thread -> Arrays.stream(thread.getValue()))
                .anyMatch(frame -> frame.getMethodName().equals("awaitTurn"));
    }

    /** Does what another does, but for one sync of the lane, which is held. */
    private <T> T watched(Class<T> type, Object other) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("sync")
                            && Thread.currentThread().getName().startsWith("log-sync")
                            && hold.compareAndSet(true, false)) {
                        mayEnd.await();
                        if (fails) {
                            throw new IOException("the medium (simulated)");
                        }
                    }
                    Object result = call(method, other, arguments);
                    return result instanceof VolumeFile file
                            ? watched(VolumeFile.class, file)
                            : result;
                }));
    }

    private static Object call(Method method, Object target, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
