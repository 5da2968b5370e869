package org.hubmark.bench.micro;

import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.queue.BareLog;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What a start after a crash does with the log: reads all of it, verifies every checksum, decodes
 * every record and builds the index. One operation is one scan; {@code megabytes} is the rate.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 1, time = 2)
@Measurement(iterations = 5, time = 2)
public class RecoveryBenchmark {
    private static final int SEGMENT_BYTES = 4 << 20;
    private static final int GROUP_MESSAGES = 16;

    /** Octets of a message. */
    @Param({"4000", "57000", "1000000"})
    public int messageBytes;

    /** Size of the log. */
    @Param("512")
    public int logMebibytes;

    /** Whether the page cache has it: warm after a kill, cold after a restart of the machine. */
    @Param({"warm", "cold"})
    public String cache = "";

    private Path folder = Path.of("");
    private long messages;
    private long scanned;

    /** What JMH reports beside scans a second. */
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    @State(Scope.Thread)
    public static class Read {
        /** Read from the log, in 1000 x 1000 octets. */
        public double megabytes;

        /** Starts an iteration. */
        @Setup(Level.Iteration)
        public void reset() {
            megabytes = 0;
        }
    }

    /** Writes a log into a fresh temporary folder. */
    @Setup
    public void write() throws IOException {
        folder = Files.createTempDirectory("hubmark-micro");
        ByteBuffer content = LogBenchmark.content(messageBytes);
        int segments = (logMebibytes << 20) / SEGMENT_BYTES;
        // Three messages of 1 MB fill a segment, with a quarter of it left over.
        int segmentsMax = segments * 3 / 2 + 2;
        try (BareLog log = BareLog.createKeeping(folder, SEGMENT_BYTES, segmentsMax)) {
            long bytes = (long) (segments - 1) * SEGMENT_BYTES;
            while (log.bytesWritten() < bytes) {
                log.append(LogBenchmark.ENVELOPE, content, GROUP_MESSAGES);
            }
            log.sync();
            messages = log.messages();
        }
        scanned = 0;
        Costs.meterWith(() -> new Costs.Counts(scanned, scanned * messageBytes, 0, 0, 0));
    }

    /** Takes the log out of the page cache, if it is to be cold. */
    @Setup(Level.Invocation)
    public void cool() throws IOException, InterruptedException {
        if (!cache.equals("cold")) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                drop(file);
            }
        }
    }

    /** Removes the folder. */
    @TearDown
    public void delete() throws IOException {
        Costs.unmeter();
        Folders.delete(folder);
    }

    /** {@return what it found} */
    @Benchmark
    public BareLog.Scanned scan(Read read) throws IOException {
        BareLog.Scanned found = BareLog.scan(folder);
        if (found.messages() != messages) {
            throw new IllegalStateException(
                    found.messages() + " messages found, " + messages + " written");
        }
        scanned += messages;
        read.megabytes += found.bytesRead() / 1e6;
        return found;
    }

    /** Without root, and without touching what others have in the cache: dd can ask for it. */
    private static void drop(Path file) throws IOException, InterruptedException {
        List<String> command =
                List.of("dd", "if=" + file, "iflag=nocache", "count=0", "status=none");
        Process process = new ProcessBuilder(command).inheritIO().start();
        if (process.waitFor() != 0) {
            throw new IOException("failed: " + String.join(" ", command));
        }
    }
}
