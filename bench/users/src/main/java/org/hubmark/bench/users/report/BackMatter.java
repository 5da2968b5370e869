package org.hubmark.bench.users.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Section;

import java.util.ArrayList;
import java.util.List;

/** How it was asked for, and on which machine. */
final class BackMatter {
    private BackMatter() {}

    static List<Section> sections(JsonNode results) {
        JsonNode environment = results.path("environment");
        List<Block.Fact> settings = new ArrayList<>();
        results.path("settings")
                .properties()
                .forEach(one -> settings.add(fact(one.getKey(), one.getValue())));
        List<Section> sections = new ArrayList<>();
        JsonNode server = results.path("server_environment");
        if (server.isObject()) {
            sections.add(new Section(
                    2, "Machine of the server", server(server, results.path("target_watch"))));
        }
        sections.add(new Section(
                2,
                "Machine of the driver",
                List.of(machine(environment, fact("JDK", environment.path("jdk"))))));
        sections.add(new Section(
                2,
                "Settings",
                List.of(
                        new Block.Lines(List.of(results.path("command").asText())),
                        new Block.Facts(List.of(
                                fact("Version", results.at("/tool/version")),
                                fact("Commit", results.at("/tool/commit")),
                                fact("Started", results.path("started_at")),
                                fact("Finished", results.path("finished_at")))),
                        new Block.Facts(settings))));
        return sections;
    }

    private static Block machine(JsonNode environment, Block.Fact more) {
        return new Block.Facts(List.of(
                fact("CPU", environment.path("cpu_model")),
                fact("Logical cores", environment.path("logical_cores")),
                fact("Memory (bytes)", environment.path("memory_bytes")),
                fact("OS", environment.path("os")),
                fact("Kernel", environment.path("kernel")),
                more));
    }

    private static List<Block> server(JsonNode environment, JsonNode watch) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(machine(
                environment,
                new Block.Fact(
                        "Counters read by",
                        watch.path("source").asText() + " at "
                                + watch.path("address").asText())));
        JsonNode error = watch.path("alignment_error_ms");
        if (error.isNumber()) {
            blocks.add(new Block.Text("The time in which they were counted began and ended at most "
                    + Numbers.millis(error) + " ms beside the measured time."));
        }
        if (watch.path("counts").asText().equals("machine")) {
            blocks.add(new Block.Text("Nobody counted the server's own processes."));
        }
        return blocks;
    }

    private static Block.Fact fact(String name, JsonNode value) {
        return new Block.Fact(name, Cells.of(value));
    }
}
