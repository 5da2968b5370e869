package org.hubmark.bench.users.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.kit.page.Section;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Which plot is the counterpart of which figure of LoadSim's source, and what is still printed there. */
final class SourceFigures {
    /** The plot of each figure of the source that is measured here; its figure 1 is a drawing. */
    private static final Map<Integer, String> PLOTS = Map.of(
            2, "score", 3, "cpu", 4, "queue", 5, "queue", 6, "io", 7, "io", 8, "memory", 9,
            "paging");

    private SourceFigures() {}

    static Section section(Charts charts) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode figure : Published.loadSim("/figures")) {
            int number = figure.path("number").asInt();
            rows.add(List.of(
                    Integer.toString(number),
                    figure.path("title").asText(),
                    number == 1 ? "none: a drawing" : plot(number, charts),
                    number == 1 ? Cells.UNKNOWN : printed(number)));
        }
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Block.Grid(
                "The figures of " + Published.LOADSIM,
                List.of("Figure", "What it shows", "Here", "Published points"),
                rows));
        JsonNode network = Published.loadSim("/text_figures/network");
        blocks.add(new Block.Text("The source has no figure of the network; its text says "
                + network.path("utilization_10base_t_percent").asText() + " % of 10 Mbit/s and "
                + network.path("utilization_100base_tx_percent").asText()
                + " % of 100 Mbit/s with " + Numbers.whole(network.path("users")) + " users."));
        return new Section(2, "Figures of the source", blocks);
    }

    private static String plot(int number, Charts charts) {
        return charts.all().stream()
                .filter(chart -> chart.id().equals(PLOTS.get(number)))
                .map(chart -> "plot " + chart.title())
                .findFirst()
                .orElse("none: not known of the server's machine");
    }

    /** The curves are pictures that are lost; a score is left in the text. */
    private static String printed(int number) {
        if (number != 2) {
            return "none";
        }
        List<String> scores = new ArrayList<>();
        Published.loadSim("/measured_scores")
                .forEach(one -> scores.add("configuration "
                        + one.path("configuration").asText() + ", "
                        + Numbers.whole(one.path("users")) + " users: "
                        + Numbers.plain(one.path("score_ms")) + " ms"));
        return scores.stream().collect(Collectors.joining("; ", "", "; no other"));
    }
}
