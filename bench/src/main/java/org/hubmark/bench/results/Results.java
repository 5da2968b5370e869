package org.hubmark.bench.results;

import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * All that a run found: the content of results.json. Names in the file are the component names in
 * snake case. What isn't known is null, never 0. Sizes in KB and MB are decimal (1000).
 *
 * @param schema the version of this form; {@link #SCHEMA}
 * @param tool what measured
 * @param startedAt ISO 8601, UTC
 * @param finishedAt ISO 8601, UTC
 * @param command the command line as it was given
 * @param environment the machine
 * @param settings every effective setting, by option name without dashes
 * @param scenarios one for each message size, in the order asked for
 * @param costModels fitted to the scenarios; empty where they don't differ in size enough
 */
public record Results(
        int schema,
        Tool tool,
        String startedAt,
        String finishedAt,
        String command,
        Environment environment,
        Map<String, Object> settings,
        List<Scenario> scenarios,
        List<CostModel> costModels) {
    /** The version of the form that this class reads and writes. */
    public static final int SCHEMA = 1;

    /** Copies the lists; earlier files have no models. */
    public Results {
        scenarios = List.copyOf(scenarios);
        costModels = costModels == null ? List.of() : List.copyOf(costModels);
    }

    /** Writes the file as a whole: it is complete when it appears. */
    public void write(Path file) throws IOException {
        ResultsFile.write(this, file);
    }

    /**
     * Reads a results file.
     *
     * @throws IOException if it can't be read or is of another form; the message says which
     */
    public static Results read(Path file) throws IOException {
        return ResultsFile.read(file);
    }

    /**
     * What measured.
     *
     * @param version of Hubmark, or null
     * @param commit of the sources, or null
     */
    public record Tool(@Nullable String version, @Nullable String commit) {}

    /**
     * The machine that the driver ran on, which is the server's too unless a target was given.
     *
     * @param cpuModel as the kernel names it
     * @param logicalCores that this process may use
     * @param cpuClockMhz the mean of the cores' clocks at the start
     * @param cpuClockSource where the clock comes from
     * @param memoryBytes of the machine
     * @param os name and version of the distribution
     * @param kernel release
     * @param jdk vendor and version
     * @param container what kind of container this runs in, or null for none that is known
     * @param volumes of our own hub; empty with a target
     */
    public record Environment(
            @Nullable String cpuModel,
            int logicalCores,
            @Nullable Double cpuClockMhz,
            @Nullable String cpuClockSource,
            @Nullable Long memoryBytes,
            @Nullable String os,
            @Nullable String kernel,
            String jdk,
            @Nullable String container,
            List<Volume> volumes) {
        /** Copies the list. */
        public Environment {
            volumes = List.copyOf(volumes);
        }

        /** {@return the same with other volumes} */
        public Environment with(List<Volume> others) {
            return new Environment(
                    cpuModel,
                    logicalCores,
                    cpuClockMhz,
                    cpuClockSource,
                    memoryBytes,
                    os,
                    kernel,
                    jdk,
                    container,
                    others);
        }
    }

    /**
     * One volume of the hub.
     *
     * @param role log, queue or tracking
     * @param path the folder
     * @param device the block device behind it, or null for a virtual file system
     * @param writeCache as the kernel says: write back or write through; of an emulated device, that
     *     device's
     * @param rotational true for a disk that turns; of an emulated device, that device
     * @param freeBytes before the run
     * @param emulates the profile of the device that it acts like; null for itself
     * @param syncVerdict whether a sync there is worth something, as {@code volumes probe} judges:
     *     safe, not safe, unknown; null where nobody looked
     * @param syncReason why, in sentences
     */
    public record Volume(
            String role,
            String path,
            @Nullable String device,
            @Nullable String filesystem,
            @Nullable String mountOptions,
            @Nullable String writeCache,
            @Nullable Boolean rotational,
            @Nullable String scheduler,
            @Nullable Long freeBytes,
            @Nullable String emulates,
            @Nullable String syncVerdict,
            @Nullable String syncReason) {}

    /**
     * Milliseconds from the intended start of a message to the answer to its end.
     *
     * @param mean arithmetic mean
     * @param max the largest one
     */
    public record AcceptLatency(
            double mean,
            double p50,
            double p95,
            double p99,
            @JsonProperty("p99_9") double p999,
            double max) {}

    /** Milliseconds from acceptance to the end of delivery. */
    public record QueueResidence(double p50, double p95, double p99, double max) {}

    /** Where the figures of a volume come from: "device" (diskstats) or "engine"; null if nowhere. */
    public record CounterSource(
            @Nullable String log, @Nullable String queue) {}
}
