package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.report.MailReport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A folder in which commands measure mail in processes of their own: as short as they can, and on a machine
 * that others use too. Results lie in {@code out}.
 */
record RunFolder(Path path) {
    /** A rate that any machine holds; what is judged is not how fast it is. */
    private static final String SHORT = "--sizes=4KB --rate=50 --duration=1s --warmup=100ms"
            + " --warmup-max=300ms --driver-warmup=0s --repeat=1 --connections=4 --shared-machine"
            + " --output=out";

    private static final String MATRIX = " --layouts=one --checkpoint-depth=16MB --no-ceilings"
            + " --log-volume=l --queue-volume=q --tracking-volume=t";

    /** {@return what waits as long as all tests do} */
    static ConditionFactory await() {
        return Awaitility.await().atMost(CommandProcess.WAIT);
    }

    /** {@return a command that measures, with its options} The last of one name wins. */
    String[] arguments(String command, String... options) {
        String all = SHORT + (command.equals("matrix") ? MATRIX : "");
        Map<String, String> byName = new LinkedHashMap<>();
        Stream.concat(Stream.of(all.split(" ", -1)), Stream.of(options))
                .forEach(option -> byName.put(option.replaceFirst("=.*", ""), option));
        return Stream.concat(Stream.of(command), byName.values().stream()).toArray(String[]::new);
    }

    CommandProcess start(String command, String... options) throws IOException {
        return CommandProcess.start(path, arguments(command, options));
    }

    Ended measure(String command, String... options) throws Exception {
        try (CommandProcess started = start(command, options)) {
            return measured(started);
        }
    }

    /** {@return how a command ended} It must say by its exit code whether its results are valid. */
    Ended measured(CommandProcess command) throws Exception {
        Ended ended = command.end();
        boolean valid = results().scenarios().stream()
                .allMatch(scenario -> scenario.validity().valid());
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(valid ? 0 : 3);
        return ended;
    }

    /** {@return how any command ended, which must be well} */
    Ended good(String... arguments) throws Exception {
        Ended ended = CommandProcess.run(path, arguments);
        assertThat(ended.exitCode()).as("%s", ended).isZero();
        return ended;
    }

    /** {@return what any command printed, which must end well} */
    JsonNode goodJson(String... arguments) throws Exception {
        return new ObjectMapper().readTree(good(arguments).printed());
    }

    /** Waits until so many lines of samples stand in the results, the head among them. */
    void awaitSamples(String output, int count) {
        Path samples = path.resolve(output).resolve("series.csv");
        await().until(() -> Files.exists(samples) && Files.readAllLines(samples).size() >= count);
    }

    /** Interrupts a command once it has samples. {@return how it ended} It must say that it was interrupted. */
    Ended interrupt(CommandProcess command, String output) throws Exception {
        awaitSamples(output, 3);
        return terminated(command);
    }

    static Ended terminated(CommandProcess command) throws Exception {
        command.terminate();
        Ended ended = command.end();
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(130);
        return ended;
    }

    Results results() throws IOException {
        return MailReport.read(file("results.json"));
    }

    Scenario scenario() throws IOException {
        return results().scenarios().getFirst();
    }

    Path file(String name) {
        return path.resolve("out").resolve(name);
    }

    JsonNode json(String name) throws IOException {
        return new ObjectMapper().readTree(file(name).toFile());
    }
}
