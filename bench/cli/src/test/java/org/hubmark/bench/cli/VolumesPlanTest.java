package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A plan says what serve does then, and leaves every file as it is: names, sizes and times. */
final class VolumesPlanTest {
    @TempDir
    private Path folder;

    @Test
    void touchesNothingOfAQueue() throws Exception {
        try (CommandProcess hub = CommandProcess.serve(folder)) {
            hub.listening();
            BackgroundFiles.awaitIn(
                    folder.resolve("hubmark-data/log"), folder.resolve("hubmark-data/tracking"));
            Map<String, String> running = CommandInJvm.files(folder);
            JsonNode plan = plan(1);
            assertThat(CommandInJvm.files(folder)).isEqualTo(running);
            assertThat(texts(plan.path("problems")))
                    .containsExactly(
                            "the log volume " + folder.resolve("hubmark-data/log")
                                    + " is in use by process " + hub.processId(),
                            "the queue volume " + folder.resolve("hubmark-data/queue")
                                    + " is in use by process " + hub.processId());
            hub.stop();
        }
        Map<String, String> stopped = CommandInJvm.files(folder);
        JsonNode plan = plan(0);
        assertThat(CommandInJvm.files(folder)).isEqualTo(stopped);
        assertThat(plan.path("problems")).isEmpty();
        assertThat(plan.path("volumes").get(0).path("free_bytes").asLong()).isPositive();
    }

    @Test
    void saysWhatServeWouldRefuse() throws Exception {
        Path one = Files.createDirectories(folder.resolve("one"));
        JsonNode plan = plan(1, "--log-volume=" + one, "--queue-volume=" + one);
        assertThat(texts(plan.path("problems")))
                .containsExactly("the log volume and the queue volume are one folder, " + one);
        JsonNode loose = plan(0, "--durability=none");
        assertThat(loose.path("unsafe_reason").asText()).startsWith("durability none: ");
    }

    /** The file that docs/operating.md shows starts a hub; with existing-only, serve refuses at first. */
    @Test
    void saysOfTheFileOfThePageWhatServeSays() throws Exception {
        String page =
                Files.readString(Path.of(System.getProperty("hubmark.root"), "docs/operating.md"));
        int at = page.indexOf("```\nlisten=") + 4;
        String shown = page.substring(at, page.indexOf("```", at))
                .replace("/var/lib/hubmark", folder.toString())
                .replace("listen=0.0.0.0:25", "listen=127.0.0.1:0")
                .replace("127.0.0.1:9125", "127.0.0.1:0");
        Path file = folder.resolve("serve.properties");
        Files.writeString(file, shown + "existing-only=true\n");
        JsonNode refused = plan(1, "--config=" + file);
        assertThat(texts(refused.path("problems")))
                .singleElement()
                .asString()
                .contains("existing-only");
        Ended none = CommandInJvm.run("queue list", List.of("--config=" + file));
        assertThat(none.errors()).singleElement().asString().contains("there is no queue");
        Files.writeString(file, shown + "set=smtp.recipients-max=700\n");
        plan(0, "--config=" + file);
        try (CommandProcess hub = CommandProcess.start(folder, "serve", "--config", "" + file)) {
            assertThat(hub.metrics()).isNotEmpty();
            hub.listening();
            Ended list = CommandInJvm.run("queue list", List.of("--config=" + file));
            assertThat(list.exitCode()).as("%s", list).isZero();
            hub.stop();
        }
    }

    private JsonNode plan(int exitCode, String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of(options));
        // What is not named lies in the folder.
        if (all.stream().noneMatch(option -> option.startsWith("--config"))) {
            CommandInJvm.volumes(folder).stream()
                    .filter(volume -> all.stream()
                            .noneMatch(option ->
                                    option.startsWith(volume.substring(0, volume.indexOf('=')))))
                    .forEach(all::add);
        }
        Ended ended = CommandInJvm.run("volumes plan --json", all);
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(exitCode);
        return new ObjectMapper().readTree(String.join("\n", ended.out()));
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return texts;
    }
}
