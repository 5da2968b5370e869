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
        List<Row> performance,
        List<Row> backupAndReplay,
        List<Row> throughput,
        List<Row> parameters) {
    static final EsrpForm FORM = YamlResource.read("/reference/esrp-form.yaml", EsrpForm.class);
    static final List<String> BESIDE = List.of("", "this run", Esrp.NAME);

    /**
     * A row of a form.
     *
     * @param ours the name of what this run has; null where nothing on any machine can tell
     * @param published its place in the source, from the phase on unless it begins with a slash; null where
     *     that has none
     * @param otherwise stands for what isn't known; null for a dash
     */
    record Row(
            String label,
            @Nullable String ours,
            @Nullable String published,
            @Nullable String otherwise) {
        private TableCell ours(Map<String, @Nullable Object> facts) {
            Object fact = ours == null ? null : facts.get(ours);
            if (fact instanceof TableCell cell) {
                return cell;
            }
            boolean isKnown = fact instanceof Collection<?> all
                    ? !all.isEmpty()
                    : fact instanceof Double number ? Double.isFinite(number) : fact != null;
            return TableCell.text(
                    isKnown ? Tables.ours(fact) : otherwise == null ? Cells.UNKNOWN : otherwise);
        }

        private TableCell theirs(String phase) {
            return TableCell.text(Tables.text(
                    published == null
                            ? null
                            : published.startsWith("/")
                                    ? Esrp.at(published)
                                    : Esrp.find(phase + published)));
        }
    }

    /** {@return a form with facts by the names of its rows} */
    static Block.Grid grid(String caption, List<Row> rows, Map<String, @Nullable Object> facts) {
        return grid(caption, rows, facts, "");
    }

    /**
     * {@return the same of a phase}
     *
     * @param phase where the source has its figures
     */
    static Block.Grid grid(
            String caption, List<Row> rows, Map<String, @Nullable Object> facts, String phase) {
        return Block.Grid.of(
                caption,
                BESIDE,
                rows.stream()
                        .map(row -> List.of(
                                TableCell.text(row.label), row.ours(facts), row.theirs(phase)))
                        .toList());
    }
}
