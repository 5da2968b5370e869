package org.hubmark.bench.micro;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.QueueId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import java.util.concurrent.TimeUnit;

/**
 * The one copy of the receive path: from the socket's buffers into the content's. One operation is
 * one message, opened, filled and closed.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ContentBenchmark {
    /** What Netty reads from a socket at once when it is busy. */
    private static final int READ_BYTES = 64 << 10;

    /** Octets of the message. */
    @Param({"4000", "57000", "80000", "1000000"})
    public int sizeBytes;

    /** Whether the client said the size at MAIL. */
    @Param({"true", "false"})
    public boolean sizeDeclared;

    private final QueueId id = new QueueId(1);
    private final ContentBudget budget = new ContentBudget(1L << 30);
    private ByteBuf read = Unpooled.EMPTY_BUFFER;

    /** Makes what the socket would deliver. */
    @Setup
    public void fill() {
        read = Unpooled.directBuffer(READ_BYTES, READ_BYTES);
        read.writeZero(READ_BYTES);
    }

    /** Frees it. */
    @TearDown
    public void free() {
        read.release();
    }

    /** {@return the size, so that nothing is left out} */
    @Benchmark
    public long receive() {
        Content content = Content.open(id, budget, sizeDeclared ? sizeBytes : 0);
        if (content == null) {
            throw new IllegalStateException("the budget is larger than any message");
        }
        try (content) {
            for (int sent = 0; sent < sizeBytes; sent += READ_BYTES) {
                content.append(read, 0, Math.min(READ_BYTES, sizeBytes - sent));
            }
            return content.sizeBytes();
        }
    }
}
