package org.hubmark.bench.scale.result;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.kit.statistics.Digits;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** What the report of a scale-out has beside its tables. */
final class ScaleSections {
    private static final double[] NO_REPEATS = {};

    private ScaleSections() {}

    static List<Section> of(Document document) {
        List<Block> holds = new ArrayList<>();
        holds.add(new Block.Text(
                "This is not LoadGen's test: the hosts have no mailboxes, nobody reads"
                        + " mail, and a hub discards what it delivers. What compares with the study is"
                        + " how sending changes with the number of hosts."));
        ScaleOut.shared(document).forEach(line -> holds.add(new Block.Text(line)));
        return List.of(
                new Section(2, "Published", List.of(published())),
                new Section(2, "Scope of the figures", holds));
    }

    private static Block published() {
        return new Block.Grid(
                "Published: " + PublishedPoint.name()
                        + "; other hardware and software: for orientation, not for comparison",
                List.of(
                        "Hosts",
                        "Users",
                        "vCPUs",
                        "Memory (GB)",
                        "Messages/s",
                        "Send mean (ms)",
                        "Send p95 (ms)"),
                PublishedPoint.all().stream()
                        .map(point -> List.of(
                                Integer.toString(point.hosts()),
                                Integer.toString(point.users()),
                                Integer.toString(point.vcpus()),
                                number(point.memoryGb()),
                                number(point.msgsPerS()),
                                number(point.sendLatencyMs().mean()),
                                number(point.sendLatencyMs().p95())))
                        .toList());
    }

    private static String number(@Nullable Double value) {
        return value == null ? Cells.UNKNOWN : Digits.text(value, NO_REPEATS, 3);
    }
}
