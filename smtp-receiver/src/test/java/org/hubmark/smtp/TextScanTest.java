package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
 * Both forms of the scan skip what is plain text and nothing else. Method: a definition of a few lines,
 * against both for random text. DataDecoderTest has a decoder with each. Where there are no vectors the form
 * by words is compared with itself, and only the definition counts.
 */
final class TextScanTest {
    private static final String VECTOR_MODULE = "jdk.incubator.vector";
    private static final TextScan BEST = TextScan.best();
    private static final TextScan WORDS = TextScan.words();

    /** What is seldom in text, and what is easily taken for it: bit 7 set, or the next number. */
    private static final String[] ODD = {
        "\r", "\n", "\0", ".", "\r\n", "\r\n.", "\r\n..", "\n.", "\r.\n", "\r\r\n", "\r\n\n",
        "\r\n.\r", "\r\n\0", "\t", "\u000b", "\u000c", "\u000e", "\u0001", "\u001f", "\u007f",
        "\u008d", "\u008a", "\u00ae", "\u0080", "\u00ff"
    };

    @Test
    void skipsPlainTextAndNothingElse() {
        long seed = Long.getLong("hubmark.seed", 1);
        Random random = new Random(seed);
        for (int round = 0; round < 50_000; round++) {
            byte[] octets = text(random, random.nextInt(400)).getBytes(StandardCharsets.ISO_8859_1);
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
                .contains("by words of 64 bits: Result[text=a.b c\r\n, fault=null, consumed=10]")
                .contains("org.hubmark.smtp.WordScan source:")
                .doesNotContain("org.hubmark.smtp.VectorScan source:");
    }

    /** What the JVM of the test above runs: a decoder by whatever is best there. */
    public static void main(String[] arguments) {
        DataDecoderTest.Result result = DataDecoderTest.decode("a.b c\r\n.\r\n", 64);
        System.out.println("by " + BEST.description() + ": " + result);
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

    static String text(Random random, int octets) {
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
        return text.toString();
    }

    private static String shown(byte[] octets) {
        return new String(octets, StandardCharsets.ISO_8859_1)
                .replace("\r", "\\r")
                .replace("\n", "\\n")
                .replace("\0", "\\0");
    }
}
