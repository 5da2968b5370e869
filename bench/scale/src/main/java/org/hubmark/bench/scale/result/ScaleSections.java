package org.hubmark.bench.scale.result;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** What the report of a scale-out has beside its tables. */
final class ScaleSections {
    private static final double[] NO_REPEATS = {};

    private ScaleSections() {}

    static List<Section> of(Document document) {
        return List.of(
                new Section(2, "Published", List.of(published())),
                new Section(2, "Model", model(ScaleOut.model(document))),
                new Section(
                        2,
                        "What was shared",
                        ScaleOut.shared(document).stream()
                                .map(ScaleSections::text)
                                .toList()));
    }

    private static Block published() {
        return new Block.Grid(
                "Published: " + PublishedPoint.name()
                        + "; other hardware and software: for orientation, not for comparison",
                List.of("Hosts", "Users", "Messages/s", "Send mean (ms)", "Send p95 (ms)"),
                PublishedPoint.all().stream()
                        .map(point -> List.of(
                                Integer.toString(point.hosts()),
                                Integer.toString(point.users()),
                                number(point.msgsPerS()),
                                number(point.sendLatencyMs().mean()),
                                number(point.sendLatencyMs().p95())))
                        .toList());
    }

    private static List<Block> model(@Nullable ScalabilityLaw model) {
        if (model == null) {
            return List.of(text("None is fitted: it takes three numbers of hosts or more, more than"
                    + " three runs, and --rate max."));
        }
        return List.of(
                new Block.Grid(
                        "A model, not a measurement: the universal scalability law,"
                                + " X(n) = a n / (1 + s (n - 1) + k n (n - 1)); in parentheses"
                                + " intervals of 95 %",
                        List.of(
                                "a (messages/s of one host)",
                                "s (contention)",
                                "k (coherence)",
                                "Largest residual (%)",
                                "Peak at (hosts)"),
                        List.of(List.of(
                                parameter(model.perHost(), model.perHostCi95()),
                                parameter(model.contention(), model.contentionCi95()),
                                parameter(model.coherence(), model.coherenceCi95()),
                                number(model.residualMaxPercent()),
                                number(model.hostsAtPeak())))),
                text("Contention is work that waits for something that all hosts share, coherence"
                        + " is work that hosts cause each other. Values below 0 have no meaning,"
                        + " and an interval that contains 0 shows no effect. On one machine both"
                        + " include the parts of it that the hosts share. Beyond the measured"
                        + " numbers of hosts the model is a guess."));
    }

    private static String parameter(double value, @Nullable Interval interval) {
        return interval == null
                ? number(value)
                : number(value) + " (" + number(interval.low()) + " to " + number(interval.high())
                        + ")";
    }

    private static String number(@Nullable Double value) {
        return value == null ? Cells.UNKNOWN : Digits.text(value, NO_REPEATS, 3);
    }

    private static Block text(String text) {
        return new Block.Text(text);
    }
}
