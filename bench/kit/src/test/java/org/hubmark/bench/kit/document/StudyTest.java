package org.hubmark.bench.kit.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.machine.Environment;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Proves that a study which only counts gets its file, its reports, the self-check and the
 * going on after an interruption from the kit.
 */
class StudyTest {
    private static final Name SIDES = Name.note("sides", "Sides");

    @TempDir
    Path folder;

    private Document run(int seed, int repeats) throws Exception {
        return Made.run(new DiceStudy(seed, repeats), folder);
    }

    @Test
    void fileAndReportsSayWhatWasCounted() throws Exception {
        Document found = run(1, 3);
        assertThat(found.exitCode()).isZero();
        assertThat(Files.readString(folder.resolve("dice.json")))
                .contains("\"throws_per_s\" : ")
                .contains("\"throws_per_s_min\" : ")
                .contains("\"verdict\" : \"valid\"")
                .contains("\"counters\" : {");
        assertThat(Files.readString(folder.resolve("report.md")))
                .contains("| Rate (1/s) | ")
                .contains("| Throws: Rate (1/s) | throws / (measured ns / 1000000000) |");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        DocumentReport.print(found, new PrintStream(out, true, StandardCharsets.UTF_8));
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("Rate (1/s)");
    }

    @Test
    void eachFigureUnfoldsOnThePageToItsFormulaAndItsCounters() throws Exception {
        Row row = run(1, 3).table(DiceStudy.FORM).rows().getFirst();
        String page = Files.readString(folder.resolve("report.html"));
        assertThat(page)
                .contains("Rate (1/s)")
                .contains("<p>throws / (measured ns / 1000000000); of the repeats: medians;")
                .contains("<p class=\"source\">From dice.json</p>");
        for (int i = 0; i < 3; i++) {
            Repeat repeat = row.repeats().get(i);
            double nanos = repeat.count(DiceStudy.NANOS);
            String made = "600 / (" + Digits.plain(nanos) + " / 1000000000) = "
                    + Digits.plain(600 / (nanos / 1e9));
            assertThat(page)
                    .contains("<li>repeat " + (i + 1) + ": " + made + "</li>")
                    .contains("<li>" + made + "</li>");
        }
    }

    @Test
    void aChangedFigureIsNamed() throws Exception {
        var unused = run(1, 3);
        Document read = DocumentFile.read(folder, DiceStudy.KIND);
        DocumentFile.Check check = DocumentFile.check(folder, read);
        assertThat(check.isClean()).isTrue();
        assertThat(check.figures()).isGreaterThan(20);
        Path file = folder.resolve("dice.json");
        Files.writeString(
                file, Files.readString(file).replaceFirst("(\"throws_per_s\" : )\\d+", "$17"));
        check = DocumentFile.check(folder, read);
        assertThat(check.mismatches()).singleElement(STRING).contains("throws_per_s");
        assertThat(check.changed()).isEmpty();
    }

    @Test
    void anInterruptedRunGoesOn() throws Exception {
        Document left = Made.run(interrupted(DiceStudy.KIND, 2, null), folder);
        assertThat(left.exitCode()).isEqualTo(130);
        Document found = run(99, 3);
        assertThat(found.exitCode()).isZero();
        List<Repeat> before = left.table(DiceStudy.FORM).rows().getFirst().repeats();
        List<Repeat> after = found.table(DiceStudy.FORM).rows().getFirst().repeats();
        assertThat(after).hasSize(3);
        assertThat(after.subList(0, 2)).isEqualTo(before);
        assertThat(after).extracting(Repeat::sitting).containsExactly(1, 1, 2);
        assertThat(folder.resolve("report.md")).content().contains("; repeats of 2 sittings");
        // What is complete is measured anew.
        assertThat(run(99, 3).table(DiceStudy.FORM).rows().getFirst().repeats())
                .isNotEqualTo(after);
    }

    @Test
    void aRunWhoseInputsHaveChangedDoesNotGoOn() throws Exception {
        Kind kind = Made.kind("dice", List.of(SIDES), DiceStudy.FORM);
        var unused = Made.run(interrupted(kind, 3, List.of(1, 2.0)), folder);
        // As it comes out of the file.
        var unused2 = Made.run(interrupted(kind, 3, List.of(1.0, 2)), folder);
        assertThatThrownBy(() -> Made.run(interrupted(kind, 3, List.of(1, 3)), folder))
                .isInstanceOf(UserError.class)
                .hasMessage(folder
                        + " has results of dice with other settings (Sides 2 was 2 and is 3):"
                        + " name another --output, or give the same options to continue it");
    }

    @Test
    void aRunDoesNotGoOnOnAnotherMachine() throws Exception {
        Study study = interrupted(DiceStudy.KIND, 3, null);
        var unused = Made.run(study, folder);
        Environment elsewhere = Made.machine("other", 4, "6");
        assertThatThrownBy(() -> Made.run(study, folder, Map.of(), elsewhere))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("(cpu-model was cpu and is other; and 1 more)");
    }

    /** So many repeats, and then one that does not come to its end. */
    private static Study interrupted(Kind kind, int repeats, @Nullable Object input) {
        return Made.study(kind, context -> {
            if (input != null) {
                context.input(SIDES, input);
            }
            var unused = new DiceStudy(1, repeats).run(context);
            throw new InterruptedException();
        });
    }
}
