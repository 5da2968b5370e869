package org.hubmark.bench.micro;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.QueueId;
import org.hubmark.smtp.DataDecoder;
import org.hubmark.smtp.TextScan;
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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Text content from the receive buffers into a content buffer: opening it, the search for line ends
 * and, of DATA, for dots and the end, the copy, and giving it back. One operation is one message.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class DataDecoderBenchmark {
    private static final int RECEIVE_BUFFER_BYTES = 64 << 10;
    private static final int SCRATCH_BYTES = 16 << 10;
    private static final int LINE_OCTETS_MAX = 64 << 10;
    private static final int MESSAGES_BYTES = 16 << 20;
    private static final int DOTTED_PERMILLE = 20;
    private static final long SEED = 20071120;
    private static final byte[] END = {'\r', '\n', '.', '\r', '\n'};

    /** What messages look like. */
    public enum Text {
        /** 40 to 76 octets a line. */
        LINES,
        /** The same, with some dots that were doubled. */
        DOTS,
        /** 76 octets a line. */
        BASE64
    }

    /** Octets of the content as it is sent, dots and end included. */
    @Param({"4000", "57000"})
    public int messageBytes;

    /** Lines of many lengths; the same with a dot in front of 2 in 100; base64 in lines of 76. */
    @Param({"LINES", "DOTS", "BASE64"})
    public Text text;

    /** The form of the scan: the best one here, which is by vectors where JVM and processor have them, or words. */
    @Param({"best", "words"})
    public String textScan;

    private final ContentBudget budget = new ContentBudget(Long.MAX_VALUE);
    private final List<ByteBuf> wires = new ArrayList<>();
    private DataDecoder decoder = decoder(TextScan.words());
    private long messages;

    /** Makes the messages: many, since a processor learns where the lines of a few end. */
    @Setup
    public void setUp() {
        TextScan form = textScan.equals("words") ? TextScan.words() : TextScan.best();
        if (textScan.equals("best")) {
            // Else nobody would know which one the figures are of.
            System.out.println("the best scan here: " + form.description());
        }
        decoder = decoder(form);
        // The rate says little where others use the processor too; cycles do.
        Costs.meterWith(() -> new Costs.Counts(messages, 0, 0, 0, 0));
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = Math.max(1, MESSAGES_BYTES / messageBytes); i > 0; i--) {
            byte[] octets = message(random);
            wires.add(
                    PooledByteBufAllocator.DEFAULT.directBuffer(octets.length).writeBytes(octets));
        }
    }

    private static DataDecoder decoder(TextScan form) {
        return new DataDecoder(new byte[SCRATCH_BYTES], LINE_OCTETS_MAX, form);
    }

    private byte[] message(SplittableRandom random) {
        byte[] octets = new byte[messageBytes];
        int at = 0;
        while (at < messageBytes - 100) {
            if (text == Text.DOTS && random.nextInt(1000) < DOTTED_PERMILLE) {
                octets[at++] = '.';
                octets[at++] = '.';
            }
            int end = at + (text == Text.BASE64 ? 76 : 40 + random.nextInt(37));
            long bits = 0;
            for (int letter = 0; at < end; letter++) {
                bits = letter % 10 == 0 ? random.nextLong() : bits >>> 6;
                octets[at++] = (byte) ('0' + (bits & 63));
            }
            octets[at++] = '\r';
            octets[at++] = '\n';
        }
        Arrays.fill(octets, at, messageBytes - END.length, (byte) 'x');
        System.arraycopy(END, 0, octets, messageBytes - END.length, END.length);
        return octets;
    }

    /** Frees the messages. */
    @TearDown
    public void tearDown() {
        Costs.unmeter();
        wires.forEach(ByteBuf::release);
        wires.clear();
    }

    /** Takes it as a chunk of BDAT that is checked as DATA is, in reads of one receive buffer. */
    @Benchmark
    public long checkChunk() {
        Content content = Content.open(new QueueId(++messages), budget, messageBytes);
        if (content == null) {
            throw new IllegalStateException("a budget without a limit has no room");
        }
        try (content) {
            decoder.beginChunks(content, Long.MAX_VALUE);
            ByteBuf in = wires.get((int) (messages % wires.size())).duplicate();
            while (in.isReadable()) {
                content.makeRoom(Math.min(RECEIVE_BUFFER_BYTES, in.readableBytes()));
                decoder.decode(in, RECEIVE_BUFFER_BYTES);
            }
            decoder.endChunks();
            if (decoder.fault() != null) {
                throw new IllegalStateException("not taken: " + decoder.fault());
            }
            return content.sizeBytes();
        }
    }

    /** Decodes it, in reads of one receive buffer. */
    @Benchmark
    public long decode() {
        Content content = Content.open(new QueueId(++messages), budget, messageBytes);
        if (content == null) {
            throw new IllegalStateException("a budget without a limit has no room");
        }
        try (content) {
            decoder.begin(content, Long.MAX_VALUE);
            ByteBuf in = wires.get((int) (messages % wires.size())).duplicate();
            boolean ended = false;
            while (!ended) {
                content.makeRoom(Math.min(RECEIVE_BUFFER_BYTES, in.readableBytes()));
                ended = decoder.decode(in, RECEIVE_BUFFER_BYTES);
            }
            if (decoder.fault() != null || in.isReadable()) {
                throw new IllegalStateException("not decoded to its end: " + decoder.fault());
            }
            return content.sizeBytes();
        }
    }
}
