package org.hubmark.bench.measure.matrix;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;

import org.hubmark.bench.measure.Bottleneck;
import org.hubmark.bench.measure.run.RunRequest;
import org.hubmark.bench.measure.run.RunSession;
import org.hubmark.bench.measure.run.ScenarioRequest;
import org.hubmark.bench.results.Ceilings;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Scenario;
import org.hubmark.core.OutputFile;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Rates of the receive path and of the loopback alone. No volume has a part in it, so all cells of
 * a message size and a number of connections share them; they are kept for a later session. One
 * thread.
 */
final class SharedCeilings {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    private final Path file;
    private final Map<String, Ceilings> known = new TreeMap<>();

    /** Makes the request that measures one cell's load. */
    interface Load {
        ScenarioRequest of(Cell cell);
    }

    /** Reads what an earlier session measured; a file of another version counts as none. */
    SharedCeilings(Path file) throws IOException {
        this.file = file;
        if (Files.exists(file)) {
            try {
                known.putAll(MAPPER.readValue(
                        file.toFile(),
                        MAPPER.getTypeFactory()
                                .constructMapType(TreeMap.class, String.class, Ceilings.class)));
            } catch (JacksonException e) {
                known.clear();
            }
        }
    }

    /** {@return one cell for each load that is still to be measured} */
    List<Cell> missing(List<Cell> cells) {
        Map<String, Cell> missing = new TreeMap<>();
        for (Cell cell : cells) {
            if (!known.containsKey(key(cell))) {
                missing.putIfAbsent(key(cell), cell);
            }
        }
        return List.copyOf(missing.values());
    }

    /**
     * Measures what is missing.
     *
     * @param like has the rest of the request
     * @param surroundings of the session that measures it, in an empty folder
     */
    void measure(
            List<Cell> missing, Load load, RunRequest like, RunSession.Surroundings surroundings)
            throws IOException, InterruptedException {
        List<ScenarioRequest> scenarios = new ArrayList<>();
        missing.forEach(cell -> scenarios.add(load.of(cell.atRate("max"))));
        RunRequest request = new RunRequest(
                like.program(),
                scenarios,
                new RunRequest.Repeats(1, like.repeats().seed()),
                like.times(),
                like.target(),
                like.sharedMachine(),
                new RunRequest.Extras(true, null, null));
        try (RunSession session = new RunSession(request, surroundings)) {
            Map<String, Ceilings> found = session.sharedCeilings();
            for (int i = 0; i < missing.size(); i++) {
                Ceilings one = found.get(scenarios.get(i).id());
                if (one != null) {
                    known.put(key(missing.get(i)), one);
                }
            }
            if (!found.isEmpty()) {
                OutputFile.write(file, out -> MAPPER.writeValue(out, known));
            }
        } catch (UserError e) {
            // What was measured before must not be lost with them.
            surroundings.progress().note("no ceilings: " + e.getMessage());
        }
    }

    /** {@return the scenario with its ceilings, and how near it came to each} */
    Scenario with(Scenario scenario, Cell cell, @Nullable Double logDevice) {
        Ceilings shared = known.get(key(cell));
        if (shared == null && logDevice == null) {
            return scenario;
        }
        Double rate = scenario.figures().get(Figure.THROUGHPUT_MSGS_PER_S);
        Double receive = shared == null ? null : shared.receiveMsgsPerS();
        Double loopback = shared == null ? null : shared.loopbackMsgsPerS();
        Ceilings found = new Ceilings(
                receive,
                percent(rate, receive),
                logDevice,
                percent(rate, logDevice),
                loopback,
                percent(rate, loopback));
        return scenario.with(found, Bottleneck.beside(scenario.figures().limiting(), found));
    }

    private static @Nullable Double percent(@Nullable Double rate, @Nullable Double ceiling) {
        return rate == null || ceiling == null ? null : 100 * rate / ceiling;
    }

    private static String key(Cell cell) {
        return cell.sizeBytes() + " " + cell.connections();
    }
}
