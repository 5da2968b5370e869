package org.hubmark.bench.kit.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Proves that a study can be extended, and takes down what turns out only while it runs. */
class StudyExtentTest {
    private static final Name CELL = Name.of("cell", "Cell");
    private static final Name COLOUR = Name.note("colour", "Colour");
    private static final Name TOTAL = Name.note("total", "");
    private static final Counter COUNT = new Counter("count");
    private static final Form CELLS = Form.of(
            "cells", "Cells", List.of(CELL, COLOUR), List.of(Column.of(COUNT, "", "Count")));
    private static final Kind KIND = Made.kind("cells", List.of(TOTAL), CELLS);

    @TempDir
    Path folder;

    private final List<String> counted = new ArrayList<>();

    /** Counts each cell once; at the cell that is broken it fails. */
    private record Cells(List<String> cells, @Nullable String broken, List<String> counted)
            implements Study {
        @Override
        public Kind kind() {
            return KIND;
        }

        @Override
        public Set<String> extent() {
            return Set.of("cells");
        }

        @Override
        public Document run(Context context) throws IOException, InterruptedException {
            for (String cell : cells) {
                if (cell.equals(broken)) {
                    context.failed(cell + " is broken");
                    return context.document();
                }
                Map<Name, Object> id = Map.of(CELL, cell);
                Repeat unused = context.repeat(CELLS, id, 1, () -> {
                    counted.add(cell);
                    context.describe(CELLS, id, COLOUR, "red");
                    context.setting("hub.size", cells.size());
                    context.environment(Made.machine("cpu", 2, "seen"));
                    return Repeat.counted().count(COUNT, 1).made();
                });
                assertThat(context.document().table(CELLS).rows().getLast().names())
                        .containsEntry(COLOUR.key(), "red");
            }
            return context.document();
        }

        @Override
        public Document concluded(Document found) {
            return found.with(TOTAL, found.table(CELLS).rows().size());
        }

        @Override
        public void report(Document written, Path own) throws IOException {
            Files.writeString(own.resolve("report.md"), "drawn");
        }
    }

    private Document run(
            List<String> cells, @Nullable String broken, Map<String, @Nullable Object> settings)
            throws Exception {
        return Made.run(new Cells(cells, broken, counted), folder, settings, Made.MACHINE);
    }

    @Test
    void aFinishedRunIsExtendedByWhatIsMoreAndKeepsTheRest() throws Exception {
        Document one = run(List.of("a"), null, Map.of("cells", "a", "load", 5));
        assertThat(one.complete()).isTrue();
        assertThat(one.facts()).containsEntry("total", 1);
        assertThat(Files.readString(folder.resolve("report.md"))).isEqualTo("drawn");
        assertThat(one.provenance().environment().software().kernel()).isEqualTo("seen");
        assertThat(one.provenance().settings()).containsEntry("hub.size", 1);

        Document two = run(List.of("b", "a"), null, Map.of("cells", "b,a", "load", 5));
        assertThat(counted).containsExactly("a", "b");
        assertThat(two.table(CELLS).rows()).hasSize(2);
        assertThat(two.facts()).containsEntry("total", 2);
        assertThat(two.provenance().startedAt()).isEqualTo(one.provenance().startedAt());

        assertThatThrownBy(() -> run(List.of("a"), null, Map.of("cells", "a", "load", 6)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(
                        "has results of cells with other settings (load was 5 and is 6)");
    }

    @Test
    void whatAStudyThatFailsHasCountedIsKeptAndGoneOnWith() throws Exception {
        Document failed = run(List.of("a", "b"), "b", Map.of("cells", "a,b"));
        assertThat(failed.complete()).isFalse();
        assertThat(failed.table(CELLS).rows()).hasSize(1);
        Document whole = run(List.of("a", "b"), null, Map.of("cells", "a,b"));
        assertThat(whole.complete()).isTrue();
        assertThat(counted).containsExactly("a", "b");
    }

    @Test
    void aStudyThatFailsBeforeThereIsAnythingSaysWhy() {
        assertThatThrownBy(() -> run(List.of("a"), "a", Map.of()))
                .isInstanceOf(UserError.class)
                .hasMessage("a is broken");
        assertThat(folder).isEmptyDirectory();
    }
}
