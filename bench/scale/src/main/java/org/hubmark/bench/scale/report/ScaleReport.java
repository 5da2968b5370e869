package org.hubmark.bench.scale.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Html;
import org.hubmark.bench.kit.page.Markdown;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.scale.result.ScalabilityLaw;
import org.hubmark.bench.scale.result.ScalePoint;
import org.hubmark.bench.scale.result.ScaleResults;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes report.html and report.md of a scale-out. */
public final class ScaleReport {
    private ScaleReport() {}

    /** Writes both. */
    public static void write(ScaleResults results, Path folder) throws IOException {
        List<Section> sections = new ArrayList<>();
        sections.add(new Section(2, "Answer", answer(results)));
        sections.add(new Section(
                2, "Hosts", List.of(ScaleTables.points(results), ScaleTables.published(results))));
        sections.add(new Section(2, "Costs", costs(results)));
        sections.add(new Section(2, "Model", model(results.model())));
        sections.add(new Section(
                2,
                "What was shared",
                results.shared().stream().map(ScaleReport::text).toList()));
        sections.add(new Section(2, "Runs", List.of(ScaleTables.runs(results))));
        sections.addAll(settings(results));
        String title = "Scale-out, " + results.scaling() + ": " + range(results);
        Files.writeString(folder.resolve("report.md"), Markdown.of(title, sections));
        Files.writeString(
                folder.resolve("report.html"), Html.of(title, sections, ScaleCharts.of(results)));
    }

    /** {@return the answer in a sentence} */
    public static String sentence(ScaleResults results) {
        ScalePoint last = results.points().getLast();
        String taken = Shown.number(last.throughputMsgsPerS()) + " messages a second with "
                + last.hosts() + (last.hosts() == 1 ? " host" : " hosts");
        Double efficiency = last.efficiency();
        if (efficiency == null || last.hosts() == 1) {
            return taken;
        }
        return taken
                + String.format(
                        Locale.ROOT,
                        ", %.2f times what one took: %.0f %% of linear",
                        efficiency * last.hosts(),
                        100 * efficiency);
    }

    private static String range(ScaleResults results) {
        int least = results.points().getFirst().hosts();
        int most = results.points().getLast().hosts();
        return least == most
                ? least + (least == 1 ? " host" : " hosts")
                : least + " to " + most + " hosts";
    }

    private static List<Block> answer(ScaleResults results) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(text(sentence(results) + "."));
        blocks.add(text("A host is a network namespace with a hub, a broker and a bookie, and "
                + Shown.number(results.hostCores())
                + " of a core for all three. Figures are " + results.rule() + "."));
        if (!results.complete()) {
            blocks.add(text("It was interrupted: runs are missing."));
        }
        if (!results.valid()) {
            blocks.add(text("Not valid, do not use these results:"));
            blocks.add(new Block.Lines(results.invalidReasons()));
        }
        if (!results.warnings().isEmpty()) {
            blocks.add(text("Less certain than it looks:"));
            blocks.add(new Block.Lines(results.warnings()));
        }
        return blocks;
    }

    private static List<Block> costs(ScaleResults results) {
        return List.of(
                ScaleTables.costs(results),
                text(
                        "CPU is user and system time of the processes, delivery included. Written are the"
                                + " octets that the kernel has sent to storage for them; a bookie writes each copy to"
                                + " its journal at once and to its ledgers later. Sent and received go over the host's"
                                + " link; between processes of one host nothing does. Throttled is the share of the"
                                + " measured time in which the control group held back processes that had work."));
    }

    private static List<Block> model(@Nullable ScalabilityLaw model) {
        return model == null
                ? List.of(text(
                        "None is fitted: it takes three numbers of hosts or more, more than three"
                                + " runs, and --rate max."))
                : List.of(
                        ScaleTables.model(model),
                        text(
                                "Contention is what waits for something that all share, coherence what hosts"
                                        + " spend on each other; below 0 neither has a meaning, and an interval that"
                                        + " holds 0 tells it from nothing. On one machine both hold what the hosts share"
                                        + " of it. Beyond the numbers of hosts that were measured it is a guess."));
    }

    private static List<Section> settings(ScaleResults results) {
        JsonNode environment = results.tree().path("environment");
        List<Block.Fact> settings = new ArrayList<>();
        results.tree()
                .path("settings")
                .properties()
                .forEach(one ->
                        settings.add(new Block.Fact(one.getKey(), Cells.of(one.getValue()))));
        return List.of(
                new Section(
                        2,
                        "Machine",
                        List.of(new Block.Facts(List.of(
                                fact("CPU", environment.path("cpu_model")),
                                fact("Logical cores", environment.path("logical_cores")),
                                fact("Memory (bytes)", environment.path("memory_bytes")),
                                fact("OS", environment.path("os")),
                                fact("Kernel", environment.path("kernel")),
                                fact("JDK", environment.path("jdk")))))),
                new Section(
                        2,
                        "Settings",
                        List.of(
                                new Block.Lines(List.of(results.command())),
                                new Block.Facts(List.of(
                                        new Block.Fact(
                                                "Version", or(results.tool().version())),
                                        new Block.Fact(
                                                "Commit", or(results.tool().commit())),
                                        new Block.Fact("Started", results.startedAt()),
                                        new Block.Fact("Finished", results.finishedAt()))),
                                new Block.Facts(settings))));
    }

    private static Block text(String text) {
        return new Block.Text(text);
    }

    private static Block.Fact fact(String name, JsonNode value) {
        return new Block.Fact(name, Cells.of(value));
    }

    private static String or(@Nullable String text) {
        return text == null ? Cells.UNKNOWN : text;
    }
}
