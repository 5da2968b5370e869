package org.hubmark.bench.kit.compare;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.MachineSections;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Html;
import org.hubmark.bench.kit.page.Markdown;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.kit.page.TerminalText;
import org.hubmark.bench.kit.statistics.Ratio;
import org.hubmark.core.OutputFile;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Two documents of one kind, row by row, the second against the first. A figure that has a direction is
 * judged, unless the study says which; the others stand beside each other.
 *
 * @param pairs the figures that are known of both
 * @param unmatched what could not be compared, and why
 * @param lacking what of it is of the first
 * @param remarks what must be known of the whole
 * @param origins of each, by which version it was measured, when, and by which command
 */
public record DocumentComparison(
        Rule rule,
        List<Pair> pairs,
        List<String> unmatched,
        List<String> lacking,
        List<String> remarks,
        List<String> origins) {
    /** {@return the two compared by the kit's rule alone} */
    public static DocumentComparison of(Document first, Document second, Rule rule) {
        return of(first, second, rule, null);
    }

    /** {@return the two compared; the study may say of each row what is judged} */
    public static DocumentComparison of(
            Document first, Document second, Rule rule, RowRule.@Nullable OfRows ofRows) {
        RowComparison rows = new RowComparison(rule, ofRows);
        List<String> remarks = rows.remarks;
        if (!isInTurn(first.provenance(), second.provenance())) {
            remarks.add("not measured in turn: a drift of the machine counts as a difference");
        }
        for (MachineDifference difference : MachineDifference.between(
                MachineSections.measured(first), MachineSections.measured(second))) {
            boolean isObstacle =
                    difference.isCondition() && !rule.across().contains(difference.name());
            (isObstacle ? rows.unmatched : remarks).add(difference.text());
        }
        for (String condition : conditions(first, second, ofRows != null)) {
            Object from = first.provenance().settings().get(condition);
            Object to = second.provenance().settings().get(condition);
            if (!Objects.equals(String.valueOf(from), String.valueOf(to))
                    || isOtherFact(condition, first, second)) {
                String text = condition + " differs: " + from + " and " + to;
                (rule.across().contains(condition) ? remarks : rows.unmatched).add(text);
            }
        }
        if (rows.unmatched.isEmpty()) {
            rows.compare(first, second);
        }
        if (ofRows == null) {
            answer("A", first.findings(), remarks);
            answer("B", second.findings(), remarks);
        }
        remark("A", first.findings(), remarks);
        remark("B", second.findings(), remarks);
        return new DocumentComparison(
                rule,
                rows.pairs,
                Stream.concat(rows.unmatched.stream(), rows.onlyInSecond.stream())
                        .toList(),
                rows.unmatched,
                remarks,
                List.of(
                        DocumentReport.origin(first.provenance()),
                        DocumentReport.origin(second.provenance())));
    }

    /** {@return whether both are parts of one result, whose rounds have both} */
    private static boolean isInTurn(Provenance a, Provenance b) {
        return a.startedAt().equals(b.startedAt()) && a.finishedAt().equals(b.finishedAt());
    }

    /** {@return whether what a setting names is another in each, though it may have the same name: a file, say} */
    private static boolean isOtherFact(String condition, Document first, Document second) {
        return !JsonFile.tree(first.facts().get(condition))
                .equals(JsonFile.tree(second.facts().get(condition)));
    }

    private static void answer(String name, Findings findings, List<String> remarks) {
        findings.answer().lines().findFirst().ifPresent(line -> remarks.add(name + ": " + line));
    }

    /**
     * {@return those of the kind, and the settings of a hub, whose keys have a dot and those of options none}
     *
     * @param isByRows whether the study says of each row what has to be alike
     */
    private static Set<String> conditions(Document first, Document second, boolean isByRows) {
        Set<String> all = new TreeSet<>(first.kind().conditions());
        Stream.of(first, second)
                .flatMap(one -> one.provenance().settings().keySet().stream())
                .filter(key -> key.contains(".") && !isByRows)
                .forEach(all::add);
        return all;
    }

    private static void remark(String name, Findings findings, List<String> remarks) {
        findings.reasons()
                .forEach(reason -> remarks.add(name + ", " + findings.verdict() + ": " + reason));
    }

    /**
     * {@return an answer for each figure that is judged, and for each row of the first that can't be compared}
     *
     * @param limit the slowdown that shall be caught, as a share
     */
    public List<Regression> regressions(double limit) {
        List<Regression> found = new ArrayList<>();
        pairs.forEach(pair -> pair.regression(limit).ifPresent(found::add));
        for (String line : lacking) {
            found.add(new Regression(line, Regression.Outcome.NOT_COMPARED, "not in both"));
        }
        return List.copyOf(found);
    }

    /** {@return the figures that have a verdict, and what stands beside those that decide} */
    private Block.Grid judged() {
        return grid(
                "B against A: geometric means of the repeats, the interval of their ratio, and in"
                        + " parentheses its level, by which the chance of any false difference here"
                        + " is 5 % at most",
                pairs.stream().filter(pair -> pair.weight() != Pair.Weight.NONE).toList());
    }

    /** {@return all figures that are known of both} */
    private Block.Grid all() {
        return grid(
                "B against A: geometric means of the repeats; a figure without a verdict is not judged",
                pairs);
    }

    private Block.Grid grid(String caption, List<Pair> pairs) {
        return new Block.Grid(
                        caption,
                        List.of("row", "figure", "A", "B", "B to A", "interval (level)", "B is"),
                        pairs.stream()
                                .map(pair -> List.of(
                                        pair.row(),
                                        pair.column().heading(),
                                        pair.a().text(),
                                        pair.b().text(),
                                        pair.change(),
                                        pair.interval(),
                                        pair.verdictText()))
                                .toList())
                .with(Set.of(1));
    }

    /**
     * Writes comparison.json, report.html and report.md.
     *
     * @param a name of the first
     * @param b name of the second
     * @param failFrom the slowdown, as a share, that was asked for; null for none
     */
    public void write(String a, String b, @Nullable Double failFrom, Path folder)
            throws IOException {
        String title = "Two results side by side";
        List<Block> answer = new ArrayList<>();
        answer.add(new Block.Facts(List.of(
                new Block.Fact("A", a + ", " + origins.getFirst()),
                new Block.Fact("B", b + ", " + origins.getLast()))));
        List<String> lines = new ArrayList<>(decisions());
        unmatched.forEach(line -> lines.add("not compared: " + line));
        lines.addAll(remarks());
        if (!lines.isEmpty()) {
            answer.add(new Block.Items(lines));
        }
        List<Section> sections = new ArrayList<>();
        sections.add(new Section(2, "Answer", answer));
        sections.add(new Section(2, "Figures that are judged", List.of(judged())));
        sections.add(new Section(2, "All figures", List.of(all())));
        OutputFile.write(folder.resolve("comparison.json"), json(a, b, failFrom) + "\n");
        OutputFile.write(folder.resolve("report.md"), Markdown.of(title, "", sections));
        OutputFile.write(folder.resolve("report.html"), Html.of(title, "", sections));
    }

    /** Prints it. */
    public void print(PrintStream out) {
        TerminalText.print(judged(), out);
        out.println();
        decisions().forEach(out::println);
        unmatched.forEach(line -> out.println("not compared: " + line));
        remarks.forEach(line -> out.println("note: " + line));
        out.flush();
    }

    /** {@return how many of each verdict there are, where several rows have one} */
    private List<String> decisions() {
        List<Pair> decisive = pairs.stream()
                .filter(pair -> pair.weight() == Pair.Weight.DECIDES)
                .toList();
        if (decisive.size() < 2) {
            return List.of();
        }
        Map<Verdict, Integer> counts = new TreeMap<>();
        decisive.forEach(
                pair -> counts.merge(Objects.requireNonNull(pair.verdict()), 1, Integer::sum));
        List<String> words = new ArrayList<>();
        counts.forEach((verdict, count) -> words.add(count + " " + verdict.text()));
        return List.of(decisive.size() + " rows: " + String.join(", ", words));
    }

    /**
     * {@return it as JSON}
     *
     * @param failFrom the slowdown, as a share, that was asked for; null for none
     */
    public String json(String a, String b, @Nullable Double failFrom) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("schema", JsonFile.SCHEMA);
        all.put("a", a);
        all.put("b", b);
        all.put("smallest", rule.smallest());
        all.put("fail_if_slower", failFrom);
        all.put("figures", pairs.stream().map(pair -> figure(pair, failFrom)).toList());
        all.put("unmatched", unmatched);
        all.put("remarks", remarks);
        return JsonFile.text(all);
    }

    private Map<String, @Nullable Object> figure(Pair pair, @Nullable Double failFrom) {
        Optional<Ratio> ratio = Optional.ofNullable(pair.ratio());
        Map<String, @Nullable Object> figure = new LinkedHashMap<>();
        figure.put("row", pair.row());
        figure.put("figure", pair.column().key());
        figure.put("unit", pair.column().unit());
        figure.put("a", known(pair.a().value()));
        figure.put("b", known(pair.b().value()));
        figure.put("ratio", ratio.map(Ratio::value).orElse(null));
        figure.put("ratio_interval", ratio.map(Ratio::interval).orElse(null));
        figure.put(
                "ratio_interval_level",
                ratio.filter(one -> one.interval() != null).map(Ratio::level).orElse(null));
        figure.put("decides", pair.weight() == Pair.Weight.DECIDES);
        figure.put("verdict", pair.verdict() == null ? null : pair.verdict().text());
        figure.put(
                "regression",
                Optional.ofNullable(failFrom)
                        .flatMap(limit -> pair.regression(limit))
                        .map(found -> found.outcome().text())
                        .orElse(null));
        return figure;
    }

    private static @Nullable Double known(double value) {
        return Double.isFinite(value) ? (Double) value : null;
    }
}
