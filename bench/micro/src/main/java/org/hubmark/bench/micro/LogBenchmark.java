package org.hubmark.bench.micro;

import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.Envelope;
import org.hubmark.queue.BareLog;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * The intake log alone: what one group costs, and so what group commit gains. One operation is one
 * group, checksums and heads included; the log goes round in its segments.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
public class LogBenchmark {
    static final Envelope ENVELOPE = new Envelope(
            "sender@example.org",
            List.of("recipient@example.com"),
            BodyType.SEVEN_BIT,
            Instant.EPOCH,
            "127.0.0.1");

    /** Messages in a group. */
    @Param({"1", "4", "16", "64"})
    public int groupMessages;

    /** Octets of a message. */
    @Param({"4000", "57000", "80000", "1000000"})
    public int messageBytes;

    /** Size of a segment file. */
    @Param("64")
    public int segmentMebibytes;

    private ByteBuffer content = ByteBuffer.allocateDirect(0);
    private Path folder = Path.of("");
    /** Opened by {@link #open}, which JMH calls first. */
    @SuppressWarnings("NullAway.Init")
    private BareLog log;

    /** Makes a log in a fresh temporary folder. */
    @Setup
    public void open() throws IOException {
        content = content(messageBytes);
        folder = Files.createTempDirectory("hubmark-micro");
        log = BareLog.create(folder, segmentMebibytes << 20);
        Costs.meterWith(this::counts);
    }

    /** Closes the log and removes the folder. */
    @TearDown
    public void close() throws IOException {
        Costs.unmeter();
        log.close();
        Folders.delete(folder);
    }

    /** Without a sync. */
    @Benchmark
    public void append() throws IOException {
        log.append(ENVELOPE, content, groupMessages);
    }

    /** To the device. */
    @Benchmark
    public void appendAndSync() throws IOException {
        log.append(ENVELOPE, content, groupMessages);
        log.sync();
    }

    /** In memory as a receiver has it. */
    static ByteBuffer content(int bytes) {
        byte[] octets = new byte[bytes];
        new Random(1).nextBytes(octets);
        // A slice ends at a multiple of the alignment, too.
        return ByteBuffer.allocateDirect(bytes + 2 * Content.ALIGNMENT_BYTES)
                .alignedSlice(Content.ALIGNMENT_BYTES)
                .put(octets)
                .flip();
    }

    private Costs.Counts counts() {
        long messages = log.messages();
        return new Costs.Counts(
                messages, messages * messageBytes, log.writes(), 0, log.bytesWritten());
    }
}
