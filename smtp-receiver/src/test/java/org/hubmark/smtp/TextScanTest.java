package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.QueueId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Both forms of the scan skip what is plain text and nothing else, and a decoder makes the same of
 * the same octets with either. Method: a definition of a few lines, against both for random text;
 * and random messages in random reads, of DATA and of chunks, through a decoder with each. Where
 * there are no vectors the form by words is compared with itself, and only the definition counts.
 */
final class TextScanTest {
    private static final String VECTOR_MODULE = "jdk.incubator.vector";
    private static final TextScan BEST = TextScan.best();
    private static final TextScan WORDS = TextScan.words();
    private static final int LINE_OCTETS_MAX = 1000;

    /** What is seldom in text, and what is easily taken for it: bit 7 set, or the next number. */
    private static final String[] ODD = {
        "\r", "\n", "\0", ".", "\r\n", "\r\n.", "\r\n..", "\n.", "\r.\n", "\r\r\n", "\r\n\n",
        "\r\n.\r", "\r\n\0", "\t", "\u000b", "\u000c", "\u000e", "\u0001", "\u001f", "\u007f",
        "\u008d", "\u008a", "\u00ae", "\u0080", "\u00ff"
    };

    @Test
    void skipsPlainTextAndNothingElse() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 50_000; round++) {
            byte[] octets = text(random, random.nextInt(400));
            int start = random.nextInt(octets.length + 1);
            int end = start + random.nextInt(octets.length - start + 1);
            if (start > 0 && octets[start - 1] == '\r') {
                continue;
            }
            boolean eightBit = random.nextBoolean();
            for (TextScan scan : List.of(WORDS, BEST)) {
                int skipped = scan.plainLines(octets, start, end, eightBit);
                if (skipped < start
                        || skipped > end
                        || !isPlain(octets, start, skipped, eightBit)
                        || (skipped > start && octets[skipped - 1] == '\r')) {
                    fail(
                            "seed %d, round %d, %s: from %d to %d, %d skipped of %s",
                            seed, round, scan.description(), start, end, skipped, shown(octets));
                }
            }
        }
    }

    /** Else a scan that skips nothing at all would pass the other tests. */
    @Test
    void skipsAllOfLongPlainTextButItsEnd() {
        byte[] lines = ("0123456789\r\n" + "x".repeat(200) + "\r\n" + "a.b\r\n".repeat(3)
                        + "\u00e4.\r\n")
                .repeat(100)
                .getBytes(StandardCharsets.ISO_8859_1);
        for (TextScan scan : List.of(WORDS, BEST)) {
            for (int start = 0; start < 12; start += start == 10 ? 2 : 1) {
                assertThat(scan.plainLines(lines, start, lines.length, true))
                        .as("from %d by %s", start, scan.description())
                        .isBetween(lines.length - 80, lines.length);
            }
        }
    }

    /** What is odd lies at every octet of a few blocks, whatever their size. */
    @Test
    void stopsBeforeWhatIsOddAtEveryOctet() {
        String line = "x".repeat(37) + "\r\n";
        String text = line.repeat(8);
        for (String odd : ODD) {
            for (int at = 0; at <= text.length() - 100; at++) {
                byte[] octets = (text.substring(0, at) + odd + text.substring(at))
                        .getBytes(StandardCharsets.ISO_8859_1);
                for (TextScan scan : List.of(WORDS, BEST)) {
                    for (boolean eightBit : new boolean[] {false, true}) {
                        int skipped = scan.plainLines(octets, 0, octets.length, eightBit);
                        assertThat(isPlain(octets, 0, skipped, eightBit))
                                .as("by %s, at %d: %s", scan.description(), at, shown(octets))
                                .isTrue();
                    }
                }
            }
        }
    }

    @Test
    void aDecoderTakesTheSameByBothForms() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 20_000; round++) {
            byte[] wire = text(random, random.nextInt(random.nextInt(20) == 0 ? 40_000 : 600));
            List<Integer> cuts = cuts(random, wire.length);
            boolean chunked = random.nextBoolean();
            int octetsMax = random.nextInt(4) == 0 ? random.nextInt(wire.length + 1) : 1 << 20;
            int scratch = random.nextBoolean() ? 16 << 10 : 1 + random.nextInt(300);
            String byWords = decoded(wire, cuts, chunked, octetsMax, scratch, WORDS);
            String byBest = decoded(wire, cuts, chunked, octetsMax, scratch, BEST);
            if (!byWords.equals(byBest)) {
                fail(
                        "seed %d, round %d, scratch of %d, %s, cuts %s, of %s:\n%s\n%s",
                        seed,
                        round,
                        scratch,
                        chunked ? "chunks" : "DATA",
                        cuts,
                        shown(wire),
                        byWords,
                        byBest);
            }
        }
    }

    /** Where this fails, the tests above have compared words with words. */
    @Test
    void theBestFormIsByVectorsWhereTheJvmHasThem() {
        assumeTrue(ModuleLayer.boot().findModule(VECTOR_MODULE).isPresent(), "no " + VECTOR_MODULE);
        assumeTrue(VectorScan.isWide(), "narrow vectors");
        assertThat(BEST.description()).startsWith("vectors of ");
    }

    @ParameterizedTest
    @CsvSource({
        "no module, ''",
        "interpreted, --add-modules jdk.incubator.vector -Xint",
        "C1 alone, --add-modules jdk.incubator.vector -XX:TieredStopAtLevel=1"
    })
    void anotherJvmScansByWordsAndNeverLoadsTheOtherForm(String why, String options)
            throws Exception {
        assumeTrue(
                !options.contains(VECTOR_MODULE)
                        || ModuleFinder.ofSystem().find(VECTOR_MODULE).isPresent(),
                "no " + VECTOR_MODULE);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Xlog:class+load"));
        command.addAll(options.isEmpty() ? List.of() : List.of(options.split(" ")));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(TextScanTest.class.getName());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(said)
                .as(why)
                .contains("by words of 64 bits: a.b c\\r\\n ended at 10 null false")
                .contains("org.hubmark.smtp.WordScan source:")
                .doesNotContain("org.hubmark.smtp.VectorScan source:");
    }

    /** What the JVM of the test above runs: {@link #decoded} by whatever is best there. */
    public static void main(String[] arguments) {
        byte[] wire = "a.b c\r\n.\r\n".getBytes(StandardCharsets.ISO_8859_1);
        TextScan best = TextScan.best();
        System.out.println(
                "by " + best.description() + ": " + decoded(wire, List.of(), false, 100, 64, best));
    }

    private static boolean isPlain(byte[] octets, int start, int end, boolean eightBit) {
        for (int at = start; at < end; at++) {
            boolean afterCr = at > start && octets[at - 1] == '\r';
            boolean afterLf = at > start && octets[at - 1] == '\n';
            if (octets[at] == 0
                    || (octets[at] < 0 && !eightBit)
                    || (octets[at] == '\n') != afterCr
                    || (octets[at] == '.' && afterLf)) {
                return false;
            }
        }
        return true;
    }

    private static byte[] text(Random random, int octets) {
        StringBuilder text = new StringBuilder();
        int oddPermille = new int[] {0, 5, 50, 500}[random.nextInt(4)];
        int lettersMax = 1 + random.nextInt(random.nextInt(8) == 0 ? 2000 : 100);
        while (text.length() < octets) {
            if (random.nextInt(1000) < oddPermille) {
                text.append(ODD[random.nextInt(ODD.length)]);
            }
            for (int i = random.nextInt(lettersMax); i > 0; i--) {
                text.append((char) ('a' + random.nextInt(26)));
            }
            text.append("\r\n");
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static List<Integer> cuts(Random random, int octets) {
        List<Integer> cuts = new ArrayList<>();
        int readMax = 1 + random.nextInt(Math.max(1, octets));
        for (int at = 0; at < octets && cuts.size() < 200; ) {
            at += 1 + random.nextInt(readMax);
            cuts.add(Math.min(at, octets));
        }
        return cuts;
    }

    /** Everything that a decoder tells about some octets and the end of a message behind them. */
    private static String decoded(
            byte[] octets,
            List<Integer> cuts,
            boolean chunked,
            int octetsMax,
            int scratch,
            TextScan scan) {
        ContentBudget budget = new ContentBudget(1 << 24);
        Content content = Content.open(new QueueId(1), budget, 100);
        assertThat(content).isNotNull();
        DataDecoder decoder = new DataDecoder(new byte[scratch], LINE_OCTETS_MAX, scan);
        if (chunked) {
            decoder.beginChunks(content, octetsMax);
        } else {
            decoder.begin(content, octetsMax);
        }
        int from = 0;
        StringBuilder told = new StringBuilder();
        for (int i = 0; i <= cuts.size(); i++) {
            int to = i < cuts.size() ? cuts.get(i) : octets.length;
            ByteBuf in = Unpooled.wrappedBuffer(octets, from, to - from);
            boolean ended = decoder.decode(in, Integer.MAX_VALUE);
            if (in.isReadable() || ended) {
                told.append("ended at ").append(to - in.readableBytes()).append(' ');
                break;
            }
            from = to;
        }
        if (chunked) {
            decoder.endChunks();
        }
        byte[] kept = new byte[content.memoryBytes()];
        content.memory().get(kept);
        content.close();
        return shown(kept) + ' ' + told + decoder.fault() + ' ' + decoder.isEightBit();
    }

    private static String shown(byte[] octets) {
        return new String(octets, StandardCharsets.ISO_8859_1)
                .replace("\r", "\\r")
                .replace("\n", "\\n")
                .replace("\0", "\\0");
    }
}
