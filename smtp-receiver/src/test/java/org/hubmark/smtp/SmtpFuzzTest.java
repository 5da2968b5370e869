package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import org.hubmark.core.BodyType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * Whatever octets come, however reads cut them: nothing is thrown, no memory is kept, the same
 * octets get the same replies, and no message is taken that holds what must be refused.
 *
 * <p>Method: one target each for commands, DATA, BDAT and the whole session. Every build gives them
 * the corpus (SmtpFuzzTestInputs) and thousands of random changes of it. The agent that guides a search by coverage changes every class, so only the long form has it: {@code .ci/fuzz}.
 */
final class SmtpFuzzTest {
    private static final Map<String, String> SETTINGS =
            Map.of("smtp.message-size-max", "20KB", "smtp.recipients-max", "100");

    private static final int CHUNK_OCTETS_MAX = 100;

    /** Changes of the corpus in every build: as many each as take a second or two. */
    private static final Map<String, Integer> ROUNDS =
            Map.of("commands", 25_000, "data", 1_000, "chunks", 2_000, "session", 200);

    private final Map<String, Consumer<byte[]>> targets = Map.of(
            "commands", this::commands,
            "data", this::data,
            "chunks", this::chunks,
            "session", this::session);

    @Tag("long")
    @FuzzTest(maxDuration = "15m")
    void commands(byte[] octets) {
        List<String> whole = commandsOf(octets, octets.length);
        assertThat(commandsOf(octets, 1)).isEqualTo(whole);
        assertThat(commandsOf(octets, 7)).isEqualTo(whole);
    }

    @Tag("long")
    @FuzzTest(maxDuration = "15m")
    void data(byte[] octets) {
        String wire = text(octets) + "\r\n.\r\n";
        DataDecoderTest.Result expected = DataDecoderTest.reference(wire);
        boolean tooLong = wire.substring(0, expected.consumed())
                .lines()
                .anyMatch(line -> line.length() > 998);
        int third = wire.length() / 3;
        for (int[] cuts : new int[][] {{}, {third}, {third, 2 * third}, {wire.length() - 1}}) {
            for (int scratch : new int[] {1, 100, 16 << 10}) {
                DataDecoderTest.Result result = DataDecoderTest.decode(wire, scratch, cuts);
                assertThat(result.consumed()).isEqualTo(expected.consumed());
                if (!tooLong) {
                    assertThat(result.text()).isEqualTo(expected.text());
                }
                if (expected.fault() != null) {
                    assertThat(result.fault()).isNotNull();
                }
            }
        }
    }

    /** The first octet says how large the chunks are. */
    @Tag("long")
    @FuzzTest(maxDuration = "15m")
    void chunks(byte[] octets) {
        if (octets.length <= 20_000) {
            inChunks(text(octets), octets.length == 0 ? 1 : 1 + (octets[0] & 0xff));
        }
    }

    private static void inChunks(String content, int chunkOctets) {
        String reply = byChunks(content, content.length(), false);
        assertThat(byChunks(content, chunkOctets, false).startsWith("250"))
                .isEqualTo(reply.startsWith("250"));
        String lines = content.replace("\r\n", "");
        boolean bare = lines.contains("\r") || lines.contains("\n") || lines.contains("\0");
        boolean tooLong = content.lines().anyMatch(line -> line.length() > 990);
        if (bare) {
            assertThat(reply).startsWith("55");
        } else if (!tooLong && content.length() < 19_990) {
            assertThat(reply).startsWith("250 2.0.0 queued");
        }
        assertThat(byChunks(content, chunkOctets, true)).startsWith("250 2.0.0 queued");
    }

    @Tag("long")
    @FuzzTest(maxDuration = "15m")
    void session(byte[] octets) {
        Told whole = tell(octets, octets.length);
        assertThat(tell(octets, 1)).isEqualTo(whole);
        assertThat(tell(octets, 13)).isEqualTo(whole);
    }

    @Test
    void theCorpus() throws IOException {
        for (Map.Entry<String, Consumer<byte[]>> target : targets.entrySet()) {
            for (byte[] octets : corpus(target.getKey())) {
                accept(target, octets, "corpus");
            }
        }
    }

    @Test
    void theCorpusInChunksOfEachSize() throws IOException {
        for (byte[] octets : corpus("chunks")) {
            for (int size = 1; size <= Math.min(octets.length, CHUNK_OCTETS_MAX); size++) {
                inChunks(text(octets), size);
            }
        }
    }

    @Test
    void changesOfTheCorpus() throws IOException {
        for (Map.Entry<String, Consumer<byte[]>> target : targets.entrySet()) {
            int rounds = Objects.requireNonNull(ROUNDS.get(target.getKey()));
            changes(target, Long.getLong("hubmark.seed", 1), round -> round < rounds);
        }
    }

    @Tag("long")
    @Test
    void changesOfTheCorpusForAQuarterOfAnHour() throws IOException {
        for (Map.Entry<String, Consumer<byte[]>> target : targets.entrySet()) {
            long deadlineNanos =
                    System.nanoTime() + Duration.ofMinutes(15).dividedBy(4).toNanos();
            changes(
                    target,
                    Long.getLong("hubmark.seed", 1),
                    round -> System.nanoTime() < deadlineNanos);
        }
    }

    private static void changes(
            Map.Entry<String, Consumer<byte[]>> target, long seed, IntPredicate goesOn)
            throws IOException {
        List<byte[]> corpus = corpus(target.getKey());
        List<String> words = Files.readAllLines(resource("SmtpFuzzTestWords.txt")).stream()
                .map(DialogueTest::octets)
                .toList();
        Random random = new Random(seed);
        for (int round = 0; goesOn.test(round); round++) {
            byte[] octets = changed(corpus, words, random);
            accept(target, octets, "seed " + seed + ", round " + round);
        }
    }

    private static void accept(
            Map.Entry<String, Consumer<byte[]>> target, byte[] octets, String source) {
        try {
            target.getValue().accept(octets);
        } catch (RuntimeException | Error e) {
            String shown = text(octets).replace("\r", "\\r").replace("\n", "\\n");
            throw new AssertionError(target.getKey() + ", " + source + ": " + shown, e);
        }
    }

    /** What became of a session. */
    private record Told(String replies, boolean open, List<String> messages) {}

    private static Told tell(byte[] octets, int cutOctets) {
        MemoryIntake intake = new MemoryIntake();
        try (Peer peer = new Peer(intake, SETTINGS)) {
            StringBuilder replies = new StringBuilder(peer.replies());
            for (int at = 0; at < octets.length; at += Math.max(1, cutOctets)) {
                int end = Math.min(octets.length, at + Math.max(1, cutOctets));
                replies.append(peer.send(Arrays.copyOfRange(octets, at, end)));
                peer.channel.checkException();
            }
            assertThat(replies.toString().lines())
                    .allMatch(line -> line.matches("[2-5][0-5][0-9][ -][ -~]*"));
            assertThat(replies).startsWith("220 ").doesNotContain(Reply.FAULT.toString());
            boolean bye = replies.indexOf("\n221 ") >= 0;
            assertThat(peer.endings())
                    .as(replies.toString())
                    .isEqualTo(peer.isOpen() || bye ? 0 : 1);
            List<String> messages = new ArrayList<>();
            for (MemoryIntake.Message message : intake.messages()) {
                if (message.envelope().bodyType() != BodyType.BINARY_MIME) {
                    assertThat(message.octets().replace("\r\n", ""))
                            .doesNotContain("\r", "\n", "\0");
                    assertThat(message.octets()).endsWith("\r\n");
                }
                messages.add(message.envelope().reversePath()
                        + message.envelope().forwardPaths()
                        + message.text());
            }
            return new Told(replies.toString(), peer.isOpen(), messages);
        }
    }

    /** {@return the reply to the last chunk, or to the first that is refused} */
    private static String byChunks(String content, int chunkOctets, boolean binary) {
        try (Peer peer = new Peer(new MemoryIntake(), SETTINGS)) {
            peer.send(binary ? Peer.BINARY_TRANSACTION : Peer.TRANSACTION);
            String reply = "250 ";
            int at = 0;
            boolean last = false;
            while (!last && reply.startsWith("250 ")) {
                int end = Math.min(content.length(), at + Math.max(1, chunkOctets));
                last = end == content.length();
                reply = peer.send("BDAT " + (end - at) + (last ? " LAST" : "") + "\r\n"
                        + content.substring(at, end));
                at = end;
            }
            for (MemoryIntake.Message message : peer.intake.messages()) {
                boolean whole = binary || content.isEmpty() || content.endsWith("\r\n");
                assertThat(message.text())
                        .isEqualTo(MemoryIntake.Message.belowTraceField(
                                whole ? content : content + "\r\n"));
            }
            return reply;
        }
    }

    private static List<String> commandsOf(byte[] octets, int cutOctets) {
        CommandDecoder decoder = new CommandDecoder(new byte[16 << 10], 555, 1024);
        List<String> results = new ArrayList<>();
        ByteBuf in = Unpooled.buffer();
        for (int at = 0; at < octets.length; at += Math.max(1, cutOctets)) {
            in.writeBytes(octets, at, Math.min(octets.length - at, Math.max(1, cutOctets)));
            boolean goesOn = true;
            while (goesOn) {
                CommandDecoder.Result result = decoder.decode(in);
                goesOn = switch (result) {
                    case COMMAND, MALFORMED, TOO_LONG -> in.isReadable();
                    case INCOMPLETE, ENDLESS, FOREIGN, BINARY -> false;
                };
                if (result == CommandDecoder.Result.COMMAND) {
                    assertThat(decoder.argument()).doesNotContain("\r", "\n", "\0");
                    results.add(decoder.verb() + " " + decoder.argument());
                } else if (result != CommandDecoder.Result.INCOMPLETE) {
                    results.add(result.name());
                }
                switch (result) {
                    case ENDLESS, FOREIGN, BINARY -> {
                        return results;
                    }
                    case COMMAND, MALFORMED, TOO_LONG, INCOMPLETE -> {}
                }
            }
        }
        return results;
    }

    private static byte[] changed(List<byte[]> corpus, List<String> words, Random random) {
        StringBuilder text = new StringBuilder(text(corpus.get(random.nextInt(corpus.size()))));
        if (random.nextInt(4) == 0) {
            String other = text(corpus.get(random.nextInt(corpus.size())));
            text.setLength(random.nextInt(text.length() + 1));
            text.append(other.substring(random.nextInt(other.length() + 1)));
        }
        for (int changes = random.nextInt(6); changes > 0; changes--) {
            int at = random.nextInt(text.length() + 1);
            int end = Math.min(text.length(), at + random.nextInt(20));
            switch (random.nextInt(5)) {
                case 0 -> text.delete(at, end);
                case 1 -> text.insert(at, words.get(random.nextInt(words.size())));
                case 2 -> text.insert(at, (char) random.nextInt(256));
                case 3 -> text.insert(at, text.substring(at, end).repeat(random.nextInt(8)));
                case 4 -> text.insert(at, "x".repeat(random.nextInt(700)));
                default -> throw new IllegalStateException("five changes");
            }
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    static List<byte[]> corpus(String target) throws IOException {
        List<byte[]> corpus = new ArrayList<>();
        try (Stream<Path> files = Files.list(resource("SmtpFuzzTestInputs/" + target))) {
            for (Path file : files.sorted().toList()) {
                corpus.add(Files.readAllBytes(file));
            }
        }
        return corpus;
    }

    private static Path resource(String name) {
        return Path.of("src/test/resources/org/hubmark/smtp", name);
    }

    private static String text(byte[] octets) {
        return new String(octets, StandardCharsets.ISO_8859_1);
    }
}
