package org.hubmark.bench.micro;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import org.hubmark.smtp.CommandDecoder;
import org.hubmark.smtp.PathCommand;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * The commands of one message, as a pipelining client sends them: MAIL, RCPT, DATA. One operation is
 * the three of them, from octets to checked paths.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class CommandParserBenchmark {
    private static final int LINE_OCTETS_MAX = 555;

    private final CommandDecoder decoder =
            new CommandDecoder(new byte[16 << 10], LINE_OCTETS_MAX, 64 << 10);
    private final ByteBuf wire =
            Unpooled.directBuffer().writeBytes("""
                    MAIL FROM:<first.last@sender.example.com> SIZE=57000 BODY=8BITMIME\r
                    RCPT TO:<someone.else@recipient.example.org>\r
                    DATA\r
                    """.getBytes(StandardCharsets.US_ASCII));

    /** Frees the commands. */
    @TearDown
    public void tearDown() {
        wire.release();
    }

    /** Reads the group. */
    @Benchmark
    public void group(Blackhole blackhole) {
        ByteBuf in = wire.duplicate();
        while (in.isReadable()) {
            if (decoder.decode(in) != CommandDecoder.Result.COMMAND) {
                throw new IllegalStateException("not a command: " + decoder.verb());
            }
            switch (decoder.verb()) {
                case MAIL -> blackhole.consume(PathCommand.mail(decoder.argument()));
                case RCPT -> blackhole.consume(PathCommand.recipient(decoder.argument()));
                case HELO,
                        EHLO,
                        DATA,
                        BDAT,
                        RSET,
                        NOOP,
                        VRFY,
                        HELP,
                        QUIT,
                        STARTTLS,
                        EXPN,
                        UNKNOWN -> blackhole.consume(decoder.verb());
            }
        }
    }
}
