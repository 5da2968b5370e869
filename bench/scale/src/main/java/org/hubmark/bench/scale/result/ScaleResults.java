package org.hubmark.bench.scale.result;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.machine.Environment;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * scale-out.json.
 *
 * @param schema the form of the file
 * @param settings every option with the value that was in force
 * @param scaling weak or strong
 * @param users from whose day the rate was computed, by the scaling of each host or of all; null when it
 *     was not
 * @param hostCores CPU that each host had
 * @param rule how runs become one figure
 * @param shared what the hosts had in common, so that they are no real hosts
 * @param complete false when it was interrupted
 * @param valid whether each run accepted mail, and all that was sent
 * @param invalidReasons why not
 * @param warnings what makes it say less than it seems to
 * @param points by number of hosts
 * @param model the universal scalability law fitted to all runs; null where there is too little for it
 * @param published the study's columns
 */
public record ScaleResults(
        int schema,
        Tool tool,
        String startedAt,
        String finishedAt,
        Environment environment,
        String command,
        Map<String, Object> settings,
        String scaling,
        @Nullable Integer users,
        double hostCores,
        String rule,
        List<String> shared,
        boolean complete,
        boolean valid,
        List<String> invalidReasons,
        List<String> warnings,
        List<ScalePoint> points,
        @Nullable ScalabilityLaw model,
        List<PublishedPoint> published) {
    /** The form that is written. */
    public static final int SCHEMA = 1;

    private static final String FILE = "scale-out.json";

    /** With a rate that is asked for, less than that share of it was not kept up with. */
    private static final double KEPT_UP = 0.98;

    /** Copies. */
    public ScaleResults {
        shared = List.copyOf(shared);
        invalidReasons = List.copyOf(invalidReasons);
        warnings = List.copyOf(warnings);
        points = List.copyOf(points);
        published = List.copyOf(published);
    }

    /** {@return all of it, judged} */
    public static ScaleResults of(
            Tool tool,
            String startedAt,
            String finishedAt,
            Environment environment,
            String command,
            Map<String, Object> settings,
            String scaling,
            @Nullable Integer users,
            double hostCores,
            int runs,
            boolean complete,
            List<ScalePoint> points) {
        List<String> reasons = points.stream()
                .flatMap(point -> point.runs().stream())
                .flatMap(run -> run.faults().stream())
                .toList();
        ScalabilityLaw model = isLimited(points) ? ScalabilityLaw.of(samples(points)) : null;
        return new ScaleResults(
                SCHEMA,
                tool,
                startedAt,
                finishedAt,
                environment,
                command,
                settings,
                scaling,
                users,
                hostCores,
                StudyRule.words(runs),
                shared(environment),
                complete,
                reasons.isEmpty(),
                reasons,
                warnings(points, model),
                points,
                model,
                PublishedPoint.all());
    }

    private static List<String> shared(Environment environment) {
        return List.of(
                "All hosts are network namespaces of one machine with "
                        + environment.logicalCores()
                        + " logical cores, which driver, ZooKeeper and kernel use too.",
                "Control groups bound the CPU of each host's hub, broker and bookie; the kernel's work for"
                        + " their links and disks is in nobody's account.",
                "Journals and ledgers of all bookies lie on one file system, and memory is one.",
                "Absolute rates are those of this machine; what compares are hosts with each other.");
    }

    /** A rate that is kept up with says nothing of how much more would have been taken. */
    private static boolean isLimited(List<ScalePoint> points) {
        return points.stream().allMatch(point -> point.offeredMsgsPerS() == null);
    }

    private static List<ScalabilityLaw.Sample> samples(List<ScalePoint> points) {
        return points.stream()
                .flatMap(point -> point.runs().stream())
                .map(run -> new ScalabilityLaw.Sample(run.hosts(), run.throughputMsgsPerS()))
                .toList();
    }

    private static List<String> warnings(List<ScalePoint> points, @Nullable ScalabilityLaw model) {
        List<String> warnings = new ArrayList<>();
        if (points.stream().mapToInt(ScalePoint::copies).distinct().count() > 1) {
            warnings.add(
                    "points differ in their copies of each message, so that the efficiency holds"
                            + " the price of more copies too; --copies 1 leaves it out");
        }
        if (points.stream().noneMatch(point -> point.hosts() == 1)) {
            warnings.add("without a point of one host there is no efficiency; --hosts 1,...");
        }
        if (!isLimited(points)) {
            warnings.add("at a rate that was asked for the efficiency says no more than whether the"
                    + " hosts kept up; --rate max finds their limit");
        }
        for (ScalePoint point : points) {
            Double trend = Inference.trend(point.runs().stream()
                    .mapToDouble(ScaleRun::throughputMsgsPerS)
                    .toArray());
            if (trend != null) {
                warnings.add(String.format(
                        Locale.ROOT,
                        "%d %s: throughput %s by %.0f %% from the first run to the last; with a longer"
                                + " --settle it may be level",
                        point.hosts(),
                        point.hosts() == 1 ? "host" : "hosts",
                        trend > 0 ? "rose" : "fell",
                        100 * Math.abs(trend)));
            }
            Double offered = point.offeredMsgsPerS();
            if (offered != null && point.throughputMsgsPerS() < KEPT_UP * offered) {
                warnings.add(String.format(
                        Locale.ROOT,
                        "%d %s did not keep up: %.1f of %.1f messages a second",
                        point.hosts(),
                        point.hosts() == 1 ? "host" : "hosts",
                        point.throughputMsgsPerS(),
                        offered));
            }
        }
        if (model != null && !model.isPossible()) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "these runs do not follow the scalability law: a contention of %.2f and a coherence"
                            + " of %.2f can't be, so the model says nothing of other numbers of hosts",
                    model.contention(),
                    model.coherence()));
        }
        return warnings;
    }

    /** {@return all of it as it stands in the file} */
    public JsonNode tree() {
        return JsonFile.tree(this);
    }

    /** {@return the content of the file} */
    public String json() {
        return JsonFile.text(this);
    }

    /** Writes scale-out.json; one that is there is replaced. */
    public void write(Path folder) throws IOException {
        JsonFile.write(this, folder.resolve(FILE));
    }
}
