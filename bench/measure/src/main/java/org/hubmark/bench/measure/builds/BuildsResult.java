package org.hubmark.bench.measure.builds;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.machine.Environment;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * All that was found of some builds: the content of builds.json. Names in the file are the component
 * names in snake case. What isn't known is null, never 0.
 *
 * @param schema the version of this form
 * @param tool what measured
 * @param startedAt ISO 8601, UTC
 * @param finishedAt ISO 8601, UTC
 * @param command the command line as it was given
 * @param environment the machine
 * @param settings every effective option, by its name without dashes
 * @param builds that were compared, the first of them with each of the others
 * @param cases one for each load
 * @param remarks what must be known to read them
 * @param valid false if a message was lost, refused or failed
 * @param invalidReasons why it isn't valid
 */
public record BuildsResult(
        int schema,
        Tool tool,
        String startedAt,
        String finishedAt,
        String command,
        Environment environment,
        Map<String, Object> settings,
        List<Build> builds,
        List<CaseResult> cases,
        List<String> remarks,
        boolean valid,
        List<String> invalidReasons) {
    /** The version of the form that this class writes. */
    static final int SCHEMA = 1;

    private static final ObjectMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    /** Copies the lists. */
    public BuildsResult {
        builds = List.copyOf(builds);
        cases = List.copyOf(cases);
        remarks = List.copyOf(remarks);
        invalidReasons = List.copyOf(invalidReasons);
    }

    /**
     * One load.
     *
     * @param id for people
     * @param messageSizeKb KB of 1000 octets
     * @param transfer data or bdat
     * @param rounds in which every build had its turn and took mail
     * @param figures what was measured; empty when no round was complete
     */
    public record CaseResult(
            String id,
            double messageSizeKb,
            String transfer,
            int rounds,
            List<FigureResult> figures) {
        /** Copies the list. */
        public CaseResult {
            figures = List.copyOf(figures);
        }

        /**
         * {@return what the rounds say}
         *
         * @param measured by round and by build; each has all builds
         */
        static CaseResult of(LoadCase load, List<Build> builds, List<List<Round>> measured) {
            List<List<Round>> rounds = measured.stream()
                    .filter(round ->
                            round.stream().noneMatch(one -> one.figures().isEmpty()))
                    .toList();
            List<FigureResult> figures = new ArrayList<>();
            for (RoundFigure figure : RoundFigure.values()) {
                if (!rounds.isEmpty()
                        && rounds.getFirst().getFirst().figures().containsKey(figure)) {
                    figures.add(FigureResult.of(figure, builds, rounds));
                }
            }
            return new CaseResult(
                    load.id(),
                    load.sizeBytes() / 1000.0,
                    load.transfer().toString(),
                    rounds.size(),
                    figures);
        }
    }

    /**
     * One figure of all builds.
     *
     * @param builds in their order
     */
    public record FigureResult(RoundFigure figure, List<BuildResult> builds) {
        /** Copies the list. */
        public FigureResult {
            builds = List.copyOf(builds);
        }

        static FigureResult of(RoundFigure figure, List<Build> builds, List<List<Round>> rounds) {
            List<BuildResult> results = new ArrayList<>();
            double[] first = values(figure, rounds, 0);
            for (int i = 0; i < builds.size(); i++) {
                double[] own = values(figure, rounds, i);
                results.add(BuildResult.of(
                        builds.get(i).label(), own, i == 0 ? null : PairedRatio.of(first, own)));
            }
            return new FigureResult(figure, results);
        }

        private static double[] values(RoundFigure figure, List<List<Round>> rounds, int build) {
            return rounds.stream()
                    .mapToDouble(round -> round.get(build).figures().get(figure))
                    .toArray();
        }
    }

    /**
     * One figure of one build.
     *
     * @param build its label
     * @param rounds the value in each
     * @param toFirst null for the first build itself
     */
    public record BuildResult(
            String build,
            List<Double> rounds,
            double median,
            double min,
            double max,
            @Nullable PairedRatio toFirst) {
        /** Copies the list. */
        public BuildResult {
            rounds = List.copyOf(rounds);
        }

        private static BuildResult of(
                String build, double[] values, @Nullable PairedRatio toFirst) {
            return new BuildResult(
                    build,
                    Arrays.stream(values).boxed().toList(),
                    Inference.median(values),
                    Arrays.stream(values).min().orElseThrow(),
                    Arrays.stream(values).max().orElseThrow(),
                    toFirst);
        }
    }

    /**
     * {@return for each figure of each build but the first, whether it is worse than the first's} Of
     * mail that is relayed the rate of deliveries counts: how the machine is shared between taking and
     * passing on is up to the hub.
     *
     * @param limit the slowdown that shall be caught, as a share
     */
    public List<Regression> regressions(double limit) {
        List<Regression> found = new ArrayList<>();
        for (CaseResult one : cases) {
            boolean relays =
                    one.figures().stream().anyMatch(each -> each.figure() == RoundFigure.RELAYED);
            for (FigureResult each : one.figures()) {
                if (relays && each.figure() == RoundFigure.ACCEPTED) {
                    continue;
                }
                for (BuildResult build : each.builds()) {
                    PairedRatio ratio = build.toFirst();
                    if (ratio != null) {
                        found.add(new Regression(
                                one.id() + ": " + each.figure().title() + " of " + build.build(),
                                each.figure().regression(ratio, limit),
                                String.format(Locale.ROOT, "%.3f of that of A", ratio.median())));
                    }
                }
            }
        }
        return found;
    }

    /** {@return the whole as JSON, over several lines} */
    public String json() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("not to be written as JSON: " + this, e);
        }
    }
}
