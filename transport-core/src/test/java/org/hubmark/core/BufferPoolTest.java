package org.hubmark.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PoolArenaMetric;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocalThread;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The memory of a large message is used again for the next one, in a program that says nothing to
 * Netty; what it does say counts. Method: JVMs of their own, since Netty decides once.
 */
final class BufferPoolTest {
    private static final String PROPERTY = "-Dio.netty.allocator.maxCachedBufferCapacity=";

    @ParameterizedTest
    @CsvSource({"'', true", "32768, false", "4194304, true"})
    void freedMemoryOfALargeMessageIsKept(String set, boolean isKept) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        set.isEmpty() ? "-Dnothing" : PROPERTY + set,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(process.waitFor()).isZero();
        assertThat(said).isEqualTo(String.valueOf(isKept));
    }

    /** Says whether a thread as Netty's event loops are keeps a buffer that it has freed. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws InterruptedException {
            Thread loop = new FastThreadLocalThread(() -> {
                BufferPool.allocator().directBuffer(1 << 20).release();
                System.out.print(allocated() > 0);
            });
            loop.start();
            loop.join();
        }

        /** What is in a thread's cache has not been given back to the pool. */
        private static long allocated() {
            long allocated = 0;
            for (PoolArenaMetric arena : PooledByteBufAllocator.DEFAULT.metric().directArenas()) {
                allocated += arena.numActiveAllocations();
            }
            return allocated;
        }
    }
}
