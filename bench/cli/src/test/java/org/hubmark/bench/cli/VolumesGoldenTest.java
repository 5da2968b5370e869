package org.hubmark.bench.cli;

import static org.hubmark.golden.GoldenFiles.requireSame;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;

import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.devices.VolumesJson;
import org.hubmark.bench.machine.volumes.ProbeResult;
import org.hubmark.golden.GoldenFiles;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.function.Consumer;

/**
 * Proves that no figure, key or word of volumes inspect and volumes probe changes unnoticed: what was
 * recorded is read, written and printed, and comes out as the golden files have it.
 */
class VolumesGoldenTest {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    @Test
    void inspect() throws IOException {
        List<VolumeFacts> facts = List.of(read("inspect", VolumeFacts[].class));
        requireSame("volumes/inspect.json", VolumesJson.write(facts));
        requireSame("volumes/inspect.txt", printed(out -> VolumeLines.print(facts, out)));
    }

    @Test
    void probe() throws IOException {
        ProbeResult result = read("probe", ProbeResult.class);
        requireSame("volumes/probe.json", VolumesJson.write(result));
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        ProbeLines.print(result, new PrintStream(text, true, UTF_8));
        requireSame("volumes/probe.txt", text.toString(UTF_8));
    }

    private static <T> T read(String name, Class<T> type) throws IOException {
        return MAPPER.readValue(
                GoldenFiles.FOLDER.resolve("volumes/" + name + ".json").toFile(), type);
    }

    private static String printed(Consumer<PrintWriter> what) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        what.accept(out);
        out.flush();
        return text.toString();
    }
}
