package org.hubmark.bench.qualify.report;

import org.hubmark.bench.kit.document.YamlResource;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.TableCell;
import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The forms of the source, row by row: what this run has stands beside what was published. */
record EsrpForm(
        List<Row> profile,
        List<Row> server,
        List<Row> hardware,
        List<Row> bestPractices,
        List<Row> reliability,
        List<Row> backupAndReplay,
        List<Row> parameters) {
    static final EsrpForm FORM = YamlResource.read("/reference/esrp-form.yaml", EsrpForm.class);
    static final List<String> BESIDE = List.of("", "this run", Esrp.NAME);

    /**
     * A row of a form.
     *
     * @param ours the name of what this run has; null where nothing on any machine can tell
     * @param published its place in the source; null where that has none
     * @param otherwise stands for what isn't known; null for a dash
     */
    record Row(
            String label,
            @Nullable String ours,
            @Nullable String published,
            @Nullable String otherwise) {
        /** {@return what a run has: its fact, or what stands for it} */
        String ours(Map<String, @Nullable Object> facts) {
            Object fact = ours == null ? null : facts.get(ours);
            boolean isKnown = fact instanceof Collection<?> all
                    ? !all.isEmpty()
                    : fact instanceof Double number ? Double.isFinite(number) : fact != null;
            return isKnown ? Tables.ours(fact) : otherwise == null ? Cells.UNKNOWN : otherwise;
        }

        /** {@return what was published, a dash where nothing was} */
        String theirs() {
            return Tables.text(published == null ? null : Esrp.at(published));
        }
    }

    /** {@return a form with facts by the names of its rows} */
    static Block.Grid grid(String caption, List<Row> rows, Map<String, @Nullable Object> facts) {
        return new Block.Grid(
                caption,
                BESIDE,
                rows.stream()
                        .map(row -> List.of(row.label, row.ours(facts), row.theirs()))
                        .toList());
    }

    /** {@return a row of a figure, which unfolds to how it is made} */
    static List<TableCell> beside(String label, TableCell ours, @Nullable Object published) {
        return List.of(TableCell.text(label), ours, TableCell.text(Tables.text(published)));
    }
}
