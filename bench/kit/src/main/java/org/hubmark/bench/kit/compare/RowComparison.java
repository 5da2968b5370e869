package org.hubmark.bench.kit.compare;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.statistics.Holm;
import org.hubmark.bench.kit.statistics.Ratio;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Compares the tables of two documents, row by row. One thread. */
final class RowComparison {
    private final Rule rule;
    private final RowRule.@Nullable OfRows ofRows;
    final List<Pair> pairs = new ArrayList<>();
    final List<String> unmatched = new ArrayList<>();
    final List<String> onlyInSecond = new ArrayList<>();
    final List<String> remarks = new ArrayList<>();
    /** Of the documents as a whole. */
    private final List<String> faults = new ArrayList<>();

    /**
     * What is to be done with a figure of two rows.
     *
     * @param weight of its verdict
     * @param isAlike whether both counted it alike
     * @param faults why it gets none
     */
    private record Judged(Pair.Weight weight, boolean isAlike, List<String> faults) {}

    RowComparison(Rule rule, RowRule.@Nullable OfRows ofRows) {
        this.rule = rule;
        this.ofRows = ofRows;
    }

    void compare(Document first, Document second) {
        faults("A", first.findings());
        faults("B", second.findings());
        for (Form form : first.kind().forms()) {
            compare("", first.table(form), second.table(form), unmatched, onlyInSecond);
        }
        judge();
    }

    /** All figures of a comparison are one family: none of them may tell a difference by chance. */
    private void judge() {
        Iterator<Ratio> ratios = Holm.judged(pairs.stream()
                        .filter(Pair::isToBeJudged)
                        .map(pair -> Objects.requireNonNull(pair.ratio()))
                        .toList())
                .iterator();
        pairs.replaceAll(
                pair -> pair.isToBeJudged() ? pair.judged(ratios.next(), rule.smallest()) : pair);
    }

    private void faults(String name, Findings findings) {
        if (findings.outcome() == Findings.Outcome.NOT_VALID) {
            faults.add(name + " is not valid");
        }
    }

    private void compare(
            String above, Table first, Table second, List<String> missing, List<String> more) {
        for (Row row : first.rows()) {
            Optional<Row> other = second.row(row.id(first.form()));
            String id = above + row.id(first.form());
            if (other.isPresent()) {
                compare(id, first, row, second, other.get(), missing);
            } else {
                missing.add(id + ": only in A");
            }
        }
        for (Row row : second.rows()) {
            String id = row.id(second.form());
            if (first.row(id).isEmpty()) {
                more.add(above + id + ": only in B");
            }
        }
    }

    private void compare(
            String id, Table first, Row row, Table second, Row other, List<String> missing) {
        RowRule own = ofRows == null ? null : ofRows.of(row, other);
        if (own != null && !own.obstacles().isEmpty()) {
            missing.add(id + ": " + String.join("; ", own.obstacles()));
            return;
        }
        if (own != null) {
            own.remarks().forEach(remark -> remarks.add(id + ": " + remark));
        }
        for (Form part : own == null ? first.form().parts() : List.<Form>of()) {
            // What only one of them is made of is no row that is missing.
            List<String> ignored = new ArrayList<>();
            compare(id + ", ", row.part(part), other.part(part), ignored, ignored);
        }
        Set<Column> columns =
                new LinkedHashSet<>(own == null ? Set.of() : own.weights().keySet());
        columns.addAll(first.form().columns());
        for (Column column : columns) {
            Judged judged = judged(column, own);
            if (judged.isAlike || judged.weight == Pair.Weight.DECIDES) {
                Pair pair = pair(id, column, first, row, second, other, judged);
                if (pair.ratio() != null || pair.verdict() != null) {
                    pairs.add(pair);
                } else if (pair.weight() == Pair.Weight.EACH
                        && Double.isFinite(pair.a().value())) {
                    missing.add(pair.title() + ": not above 0, or not known in all repeats");
                }
            }
        }
    }

    private Judged judged(Column column, @Nullable RowRule own) {
        boolean isJudged = column.better() != Column.Better.NEITHER;
        return own == null
                ? new Judged(isJudged ? Pair.Weight.EACH : Pair.Weight.NONE, true, faults)
                : new Judged(
                        own.weights().getOrDefault(column, Pair.Weight.NONE),
                        !own.left().contains(column),
                        own.faults());
    }

    private Pair pair(
            String id,
            Column column,
            Table first,
            Row row,
            Table second,
            Row other,
            Judged judged) {
        double[] from = row.values(column);
        double[] to = other.values(column);
        if (judged.isAlike && isPositive(from, to)) {
            boolean isFaulty = judged.weight.isJudged() && !judged.faults.isEmpty();
            return new Pair(
                    id,
                    column,
                    Pair.Side.mean(from, column),
                    Pair.Side.mean(to, column),
                    Ratio.of(from, to),
                    judged.weight,
                    isFaulty ? Verdict.NOT_VALID : null,
                    judged.faults);
        }
        Estimate before = first.estimate(row, column);
        Estimate after = second.estimate(other, column);
        return new Pair(
                id,
                column,
                new Pair.Side(before.value(), first.text(row, column)),
                new Pair.Side(after.value(), second.text(other, column)),
                null,
                judged.weight,
                answer(column, before, after, judged),
                judged.faults);
    }

    /** {@return what is to be said where there is no ratio; null where nothing is} */
    private static @Nullable Verdict answer(
            Column column, Estimate from, Estimate to, Judged judged) {
        if (!judged.weight.isJudged()) {
            return null;
        }
        if (!column.isYesOrNo() || !from.isKnown() || !to.isKnown()) {
            return judged.weight != Pair.Weight.DECIDES
                    ? null
                    : judged.faults.isEmpty() ? Verdict.NO_VERDICT : Verdict.NOT_VALID;
        }
        if (!judged.faults.isEmpty()) {
            return Verdict.NOT_VALID;
        }
        if (from.value() == to.value()) {
            return Verdict.EQUIVALENT;
        }
        return to.value() > from.value() == (column.better() == Column.Better.MORE)
                ? Verdict.BETTER
                : Verdict.WORSE;
    }

    private static boolean isPositive(double[] from, double[] to) {
        return from.length > 0
                && to.length > 0
                && Arrays.stream(from).allMatch(value -> value > 0)
                && Arrays.stream(to).allMatch(value -> value > 0);
    }
}
