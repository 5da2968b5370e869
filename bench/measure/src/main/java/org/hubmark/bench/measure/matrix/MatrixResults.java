package org.hubmark.bench.measure.matrix;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.volumes.Volume;
import org.hubmark.bench.measure.Repeats;
import org.hubmark.bench.measure.run.PublishRequest;
import org.hubmark.bench.results.LatencyAt;
import org.hubmark.bench.results.Publication;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Scenario;
import org.hubmark.bench.results.SustainedRate;
import org.hubmark.bench.results.compare.FactorEffects;
import org.hubmark.bench.results.cost.CostModels;
import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Puts what the cells of a matrix have found together into one results file. */
final class MatrixResults {
    private final MatrixRequest request;
    private final SharedCeilings shared;
    private final Instant startedAt;

    MatrixResults(MatrixRequest request, SharedCeilings shared, Instant startedAt) {
        this.request = request;
        this.shared = shared;
        this.startedAt = startedAt;
    }

    /** {@return the results of all finished repeats; null where there are none} */
    @Nullable
    Results of(Map<Cell, List<FinishedRepeat>> finished) {
        List<Scenario> scenarios = new ArrayList<>();
        List<FinishedRepeat> all = new ArrayList<>();
        for (Cell cell : request.cells()) {
            List<FinishedRepeat> repeats = finished.getOrDefault(cell, List.of());
            if (!repeats.isEmpty()) {
                scenarios.add(scenario(cell, repeats));
                all.addAll(repeats);
            }
        }
        if (all.isEmpty()) {
            return null;
        }
        Map<String, Object> settings = common(all);
        settings.putAll(request.caller().settings());
        return new Results(
                        JsonFile.SCHEMA,
                        all.getFirst().tool(),
                        startedAt.toString(),
                        Instant.now().toString(),
                        request.caller().command(),
                        environment(all),
                        settings,
                        scenarios,
                        new CostModels(scenarios).models(),
                        FactorEffects.of(scenarios))
                .with(publication(all));
    }

    private @Nullable Publication publication(List<FinishedRepeat> all) {
        PublishRequest publish = request.extras().publish();
        List<Publication> found = all.stream()
                .map(FinishedRepeat::publication)
                .filter(Objects::nonNull)
                .toList();
        return publish == null
                ? null
                : Publication.unjudged(
                        publish.form(),
                        found.stream()
                                .flatMap(one -> one.preconditioned().stream())
                                .toList(),
                        found.stream().flatMap(one -> one.idle().stream()).toList());
    }

    private Scenario scenario(Cell cell, List<FinishedRepeat> repeats) {
        FinishedRepeat first = repeats.getFirst();
        Repeats all = new Repeats(cell.id(), first.messageSizeKb(), first.conditions());
        repeats.stream()
                .sorted((left, right) -> Integer.compare(
                        left.outcome().repeat().repeat(),
                        right.outcome().repeat().repeat()))
                .forEach(one -> all.add(one.outcome()));
        Double log = repeats.stream()
                .map(FinishedRepeat::logDeviceMsgsPerS)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        List<SustainedRate> found = repeats.stream()
                .map(FinishedRepeat::sustainedRate)
                .filter(Objects::nonNull)
                .toList();
        LatencyAt latency = repeats.stream()
                .map(FinishedRepeat::latencyAt)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        Scenario scenario = all.scenario().at(SustainedRate.median(found)).with(latency);
        return shared.with(scenario, cell, log);
    }

    /** What differs between cells is no setting of the whole. */
    private static Map<String, Object> common(List<FinishedRepeat> all) {
        Map<String, Object> common = new TreeMap<>(all.getFirst().settings());
        for (FinishedRepeat one : all) {
            common.entrySet()
                    .removeIf(entry ->
                            !Objects.equals(one.settings().get(entry.getKey()), entry.getValue()));
        }
        return common;
    }

    /** A folder may lie on another device from cell to cell, or act like one. */
    private static Environment environment(List<FinishedRepeat> all) {
        Map<List<Object>, Volume> volumes = new LinkedHashMap<>();
        for (FinishedRepeat one : all) {
            for (Volume volume : one.environment().volumes()) {
                List<Object> key = new ArrayList<>();
                key.add(volume.role());
                key.add(volume.path());
                key.add(volume.device());
                key.add(volume.emulates());
                key.add(volume.disk().writeCache());
                volumes.putIfAbsent(key, volume);
            }
        }
        return all.getFirst().environment().with(List.copyOf(volumes.values()));
    }
}
