package org.hubmark.bench.kit.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.kit.compare.DocumentComparison;
import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.compare.Rule;
import org.hubmark.bench.kit.compare.Verdict;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.machine.Environment;
import org.hubmark.core.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Proves that a study which only counts gets its file, its reports, the self-check, the comparison and
 * the going on after an interruption from the kit.
 */
class StudyTest {
    private static final Environment MACHINE = new Environment(
            new Environment.Processor("cpu", 2, 2, null, null),
            null,
            new Environment.Software("os", "6", "25", null),
            List.of(),
            null);

    private static final Name SIDES = Name.note("sides", "Sides");

    @TempDir
    Path folder;

    private final List<String> notes = new ArrayList<>();

    private Context.Request request(Path where) {
        return request(where, MACHINE);
    }

    private Context.Request request(Path where, Environment machine) {
        return new Context.Request(
                where,
                new Tool("0.1", null),
                "hubmark dice",
                Map.of("repeats", 3),
                machine,
                new SimulatedClock(Instant.parse("2026-01-01T00:00:00Z")),
                notes::add,
                List::of);
    }

    @Test
    void fileAndReportsSayWhatWasCounted() throws Exception {
        Document found = StudyRun.of(new DiceStudy(1, 3), request(folder));
        assertThat(found.exitCode()).isZero();
        assertThat(Files.readString(folder.resolve("dice.json")))
                .contains("\"throws_per_s\" : ")
                .contains("\"throws_per_s_min\" : ")
                .contains("\"verdict\" : \"valid\"")
                .contains("\"counters\" : {");
        assertThat(Files.readString(folder.resolve("report.md")))
                .contains("| Rate (1/s) | ")
                .contains("| Throws: Rate (1/s) | throws / (measured ns / 1000000000) |");
        assertThat(Files.readString(folder.resolve("report.html"))).contains("Rate (1/s)");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        DocumentReport.print(found, new PrintStream(out, true, StandardCharsets.UTF_8));
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("Rate (1/s)");
    }

    @Test
    void eachFigureUnfoldsOnThePageToItsFormulaAndItsCounters() throws Exception {
        Document found = StudyRun.of(new DiceStudy(1, 3), request(folder));
        Row row = found.table(DiceStudy.FORM).rows().getFirst();
        String page = Files.readString(folder.resolve("report.html"));
        assertThat(page)
                .contains("<p>throws / (measured ns / 1000000000); of the repeats: medians;")
                .contains("<p class=\"source\">From dice.json</p>");
        for (int i = 0; i < 3; i++) {
            Repeat repeat = row.repeats().get(i);
            String nanos = Digits.plain(repeat.count(DiceStudy.NANOS));
            String rate = Digits.plain(DiceStudy.RATE.value(repeat));
            assertThat(page)
                    .contains("<li>repeat " + (i + 1) + ": 600 / (" + nanos + " / 1000000000) = "
                            + rate + "</li>")
                    .contains("<li>600 / (" + nanos + " / 1000000000) = " + rate + "</li>");
        }
    }

    @Test
    void figuresAreThoseOfTheirFormulas() throws Exception {
        Document found = StudyRun.of(new DiceStudy(1, 3), request(folder));
        Table table = found.table(DiceStudy.FORM);
        Row row = table.rows().getFirst();
        Repeat first = row.repeats().getFirst();
        double seconds = first.count(DiceStudy.NANOS) / 1e9;
        assertThat(DiceStudy.RATE.value(first)).isEqualTo(600 / seconds, within(1e-9));
        assertThat(DiceStudy.SHARE.value(first))
                .isEqualTo(first.count(DiceStudy.SIXES) / 6, within(1e-9));
        Estimate rate = table.estimate(row, DiceStudy.RATE);
        assertThat(rate.values()).hasSize(3);
        assertThat(rate.value()).isBetween(545.0, 600.0);
    }

    @Test
    void aChangedFigureIsNamed() throws Exception {
        var unused = StudyRun.of(new DiceStudy(1, 3), request(folder));
        Document read = DocumentFile.read(folder, DiceStudy.KIND);
        DocumentFile.Check check = DocumentFile.check(folder, read);
        assertThat(check.isClean()).isTrue();
        assertThat(check.figures()).isGreaterThan(20);

        Path file = folder.resolve("dice.json");
        Files.writeString(
                file, Files.readString(file).replaceFirst("(\"throws_per_s\" : )\\d+", "$17"));
        check = DocumentFile.check(folder, read);
        assertThat(check.mismatches()).hasSize(1).first().asString().contains("throws_per_s");
        assertThat(check.changed()).isEmpty();
    }

    @Test
    void anInterruptedRunGoesOn() throws Exception {
        Study interrupted = new Study() {
            @Override
            public Kind kind() {
                return DiceStudy.KIND;
            }

            @Override
            public Document run(Context context) throws IOException, InterruptedException {
                new DiceStudy(1, 2).run(context);
                throw new InterruptedException();
            }
        };
        Document left = StudyRun.of(interrupted, request(folder));
        assertThat(left.exitCode()).isEqualTo(130);
        Document found = StudyRun.of(new DiceStudy(99, 3), request(folder));
        assertThat(found.exitCode()).isZero();
        List<Repeat> before = left.table(DiceStudy.FORM).rows().getFirst().repeats();
        List<Repeat> after = found.table(DiceStudy.FORM).rows().getFirst().repeats();
        assertThat(after).hasSize(3);
        assertThat(after.subList(0, 2)).isEqualTo(before);
        assertThat(after).extracting(Repeat::sitting).containsExactly(1, 1, 2);
        assertThat(folder.resolve("report.md")).content().contains("; repeats of 2 sittings");
        // What is complete is measured anew.
        Document again = StudyRun.of(new DiceStudy(99, 3), request(folder));
        assertThat(again.table(DiceStudy.FORM).rows().getFirst().repeats()).isNotEqualTo(after);
    }

    /** Three repeats, and then one that does not come to its end. */
    private static Study interrupted(Object input) {
        return new Study() {
            @Override
            public Kind kind() {
                return new Kind(
                        "dice",
                        "dice.json",
                        List.of(SIDES),
                        DiceStudy.KIND.forms(),
                        Set.of(),
                        DiceStudy.KIND.findings(),
                        DiceStudy.KIND.sections(),
                        DiceStudy.KIND.charts());
            }

            @Override
            public Document run(Context context) throws IOException, InterruptedException {
                context.input(SIDES, input);
                new DiceStudy(1, 3).run(context);
                throw new InterruptedException();
            }
        };
    }

    @Test
    void aRunWhoseInputsHaveChangedDoesNotGoOn() throws Exception {
        var unused = StudyRun.of(interrupted(List.of(1, 2.0)), request(folder));
        // As it comes out of the file.
        var unused2 = StudyRun.of(interrupted(List.of(1.0, 2)), request(folder));
        assertThatThrownBy(() -> StudyRun.of(interrupted(List.of(1, 3)), request(folder)))
                .isInstanceOf(UserError.class)
                .hasMessage(folder
                        + " has results of dice with other settings (Sides 2 was 2 and is 3):"
                        + " name another --output, or give the options that it was begun with to go"
                        + " on with it");
    }

    @Test
    void aRunDoesNotGoOnOnAnotherMachine() throws Exception {
        var unused = StudyRun.of(interrupted(1), request(folder));
        Context.Request elsewhere = request(
                folder,
                new Environment(
                        new Environment.Processor("other", 4, 4, null, null),
                        null,
                        MACHINE.software(),
                        List.of(),
                        null));
        assertThatThrownBy(() -> StudyRun.of(interrupted(1), elsewhere))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("(cpu-model was cpu and is other; and 1 more)");
    }

    @Test
    void twoDocumentsAreComparedByTheDirectionOfEachColumn() throws Exception {
        Document a = found("a", 1, 600);
        Document b = found("b", 2, 500);
        DocumentComparison comparison = DocumentComparison.of(a, b, Rule.USUAL);
        assertThat(comparison.pairs()).hasSize(1);
        assertThat(comparison.pairs().getFirst().verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(comparison.regressions(0.05))
                .extracting(Regression::outcome)
                .containsExactly(Regression.Outcome.WORSE);
        assertThat(DocumentComparison.of(b, a, Rule.USUAL).pairs().getFirst().verdict())
                .isEqualTo(Verdict.FASTER);
    }

    private Document found(String name, long seed, int throwsOfRepeat) throws Exception {
        Path where = Files.createDirectory(folder.resolve(name));
        Study study = new Study() {
            @Override
            public Kind kind() {
                return DiceStudy.KIND;
            }

            @Override
            public Document run(Context context) throws IOException, InterruptedException {
                for (int repeat = 1; repeat <= 5; repeat++) {
                    long millis = 1000 + 3 * repeat + seed;
                    context.repeat(DiceStudy.FORM, Map.of(DiceStudy.DICE, 2), repeat, () -> {
                        long begin = context.clock().nanos();
                        context.clock().sleep(Duration.ofMillis(millis));
                        return Repeat.counted()
                                .count(DiceStudy.THROWS, throwsOfRepeat)
                                .count(DiceStudy.NANOS, context.clock().nanos() - begin)
                                .made();
                    });
                }
                return context.document();
            }
        };
        return StudyRun.of(study, request(where));
    }
}
