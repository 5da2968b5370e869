package org.hubmark.bench.kit.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Made;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.machine.Environment;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.DoubleStream;

/**
 * Proves what is judged together, that printed ratios follow from printed cells, that the order of
 * measuring is part of a verdict, and which machines are not compared: with documents of known counters.
 */
class DocumentComparisonTest {
    private static final Name SIZE = Name.of("size", "Size");
    private static final Counter ACCEPTED = new Counter("accepted");
    private static final Column RATE =
            Column.of("rate", "1/s", "Rate", 3, Column.Better.MORE, ACCEPTED.over(1));
    private static final Form ROWS = Form.of("rows", "Rows", List.of(SIZE), List.of(RATE));
    private static final Kind KIND = Made.kind("made", ROWS);
    private static final Environment MACHINE = machine("");

    /** {@return a machine of which something is otherwise: a key of its JSON with a value} */
    private static Environment machine(String changed) {
        Map<String, @Nullable Object> log = new HashMap<>(
                Map.of("role", "log", "path", "/log", "device", "loop3", "filesystem", "ext4"));
        Map<String, @Nullable Object> all = new HashMap<>(Map.of(
                "cpu_model",
                "cpu",
                "logical_cores",
                2,
                "kernel",
                "6.12.3",
                "volumes",
                List.of(log)));
        all.put("jdk", "Eclipse Adoptium 25.0.1+8");
        if (!changed.isEmpty()) {
            String[] parts = changed.split("=", 2);
            (log.containsKey(parts[0]) ? log : all)
                    .put(parts[0], parts[1].isEmpty() ? null : parts[1]);
        }
        try {
            return JsonFile.read(JsonFile.tree(all), Environment.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Row row(int size, double... rates) {
        return new Row(
                Map.of(SIZE.key(), size),
                DoubleStream.of(rates)
                        .mapToObj(rate -> Repeat.counted().count(ACCEPTED, rate).made())
                        .toList());
    }

    /** Measured in so many hours of one day, all but the first of the rows alike. */
    private static Document document(
            int fromHour, Environment machine, int rows, double... firstRates) {
        List<Row> all = new ArrayList<>();
        all.add(row(1, firstRates));
        for (int size = 2; size <= rows; size++) {
            all.add(row(size, 100, 102, 98, 101, 99));
        }
        return Made.document(KIND, fromHour, machine, Map.of(), all);
    }

    private static DocumentComparison compared(Document a, Document b, String... across) {
        return DocumentComparison.of(a, b, new Rule(Set.of(across), 0.02));
    }

    private static String printed(DocumentComparison comparison) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        comparison.print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Its chance is 2 %: told alone, and not as the least of eight. */
    @Test
    void eightAreJudgedTogether() {
        double[] before = {100, 102, 98, 101, 99};
        double[] after = {97, 96, 99, 95, 98};
        DocumentComparison alone =
                compared(document(0, MACHINE, 1, before), document(2, MACHINE, 1, after));
        assertThat(alone.pairs().getFirst().verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(alone.regressions(0.02))
                .extracting(Regression::outcome)
                .containsExactly(Regression.Outcome.WORSE);
        DocumentComparison eight =
                compared(document(0, MACHINE, 8, before), document(2, MACHINE, 8, after));
        assertThat(eight.pairs()).hasSize(8);
        assertThat(eight.pairs().getFirst().verdict()).isEqualTo(Verdict.NOT_DISTINGUISHABLE);
        assertThat(Objects.requireNonNull(eight.pairs().getFirst().ratio()).level())
                .isCloseTo(1 - 0.05 / 8, within(1e-9));
        assertThat(eight.regressions(0.02).getFirst().outcome())
                .isEqualTo(Regression.Outcome.TOO_NOISY);
        assertThat(printed(eight)).contains("(99.38 %)");
        assertThat(eight.json("A", "B", null)).contains("\"ratio_interval_level\" : 0.99375");
    }

    @Test
    void theRatioFollowsFromItsCells() {
        DocumentComparison comparison =
                compared(document(0, MACHINE, 1, 10, 1000), document(2, MACHINE, 1, 10, 4000));
        Pair pair = comparison.pairs().getFirst();
        assertThat(pair.a().value()).isCloseTo(100, within(1e-9));
        assertThat(pair.b().value()).isCloseTo(200, within(1e-9));
        assertThat(Objects.requireNonNull(pair.ratio()).value()).isCloseTo(2, within(1e-9));
        assertThat(printed(comparison)).contains("+100.0 %");
    }

    @Test
    void aColumnSaysWhichWayIsBetter() {
        Document less = document(0, MACHINE, 1, 100, 101, 99);
        Document more = document(2, MACHINE, 1, 120, 121, 119);
        assertThat(compared(less, more).pairs().getFirst().verdict()).isEqualTo(Verdict.FASTER);
        assertThat(compared(more, less).pairs().getFirst().verdict()).isEqualTo(Verdict.SLOWER);
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "1, 1", "0, 0"})
    void whatWasNotMeasuredInTurnIsSaid(int hour, int remarks) {
        Document first = document(0, MACHINE, 1, 100, 101, 99);
        Document second = document(hour, MACHINE, 1, 80, 81, 79);
        DocumentComparison comparison = compared(first, second);
        assertThat(comparison.regressions(0.05).getFirst().text()).startsWith("slower, B -20.0 %");
        assertThat(comparison.remarks())
                .filteredOn(remark -> remark.startsWith("not measured in turn"))
                .hasSize(remarks);
    }

    /** As a change of a machine with kernel 6.12.3, JDK 25.0.1 of Adoptium, and the log on ext4 on loop3. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            kernel=6.12.9 | kernel differs: 6.12.3 and 6.12.9 | false
            kernel=6.1.3 | kernel differs: 6.12.3 and 6.1.3 | false
            jdk=Debian 25.0.2+10 | jdk differs: Eclipse Adoptium 25.0.1+8 and Debian 25.0.2+10 | false
            jdk=Eclipse Adoptium 21.0.5 | jdk differs: Eclipse Adoptium 25.0.1+8 and Eclipse Adoptium 21.0.5 | false
            jdk= | jdk is known of A only: Eclipse Adoptium 25.0.1+8 | false
            device=nvme0n1 | device of log differs: loop and nvme0n1 | true
            filesystem=xfs | filesystem of log differs: ext4 and xfs | true
            filesystem= | filesystem of log is known of A only: ext4 | false
            """)
    void anotherMachineIsSaidOrNotCompared(String changed, String text, boolean isCondition) {
        Document first = document(0, MACHINE, 1, 100, 101);
        Document second = document(2, machine(changed), 1, 100, 101);
        DocumentComparison comparison = compared(first, second);
        assertThat(comparison.pairs().isEmpty()).isEqualTo(isCondition);
        assertThat(isCondition ? comparison.unmatched() : comparison.remarks()).contains(text);
        String name = text.substring(0, text.indexOf(' '));
        assertThat(MachineDifference.NAMES.contains(name) || !isCondition).isTrue();
        DocumentComparison across = compared(first, second, name);
        assertThat(across.pairs()).hasSize(1);
        assertThat(across.remarks()).contains(text);
    }

    @Test
    void theNumberOfALoopDeviceIsNoDifference() {
        Document first = document(0, MACHINE, 1, 100, 101);
        Document second = document(2, machine("device=loop7"), 1, 100, 101);
        assertThat(compared(first, second).remarks())
                .allMatch(remark -> remark.startsWith("not measured in turn"));
    }
}
