package org.hubmark.bench.users.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.results.page.Block;
import org.hubmark.bench.results.page.Cells;
import org.hubmark.bench.results.page.Section;

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
        return List.of(
                new Section(
                        2,
                        "Machine of the driver",
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
                                new Block.Lines(List.of(results.path("command").asText())),
                                new Block.Facts(List.of(
                                        fact("Version", results.at("/tool/version")),
                                        fact("Commit", results.at("/tool/commit")),
                                        fact("Started", results.path("started_at")),
                                        fact("Finished", results.path("finished_at")))),
                                new Block.Facts(settings))));
    }

    private static Block.Fact fact(String name, JsonNode value) {
        return new Block.Fact(name, Cells.of(value));
    }
}
