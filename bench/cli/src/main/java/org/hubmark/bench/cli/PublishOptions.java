package org.hubmark.bench.cli;

import org.hubmark.core.Durations;
import org.hubmark.core.UserError;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The mode that keeps the run rules: what they need is the default of the options then, and what breaks
 * them is refused before anything is measured.
 */
final class PublishOptions {
    private static final int REPEATS = 5;

    /** A hub is warm after 10 to 20 s here; a machine with a slower compiler takes longer. */
    private static final Duration WARMUP = Duration.ofSeconds(30);

    private static final Duration DURATION = Duration.ofMinutes(1);

    @Option(names = "--publish", description = "Keeps the rules of docs/run-rules.md.")
    private boolean asked;

    /** {@return whether the rules are to be kept} */
    boolean asked() {
        return asked;
    }

    /** {@return what the rules need of options that are not given} */
    String defaults() {
        return !asked
                ? ""
                : "--rate=max-sustained --latency-limit=50ms --latency-at=70% --audit=all --repeat="
                        + REPEATS + " --duration=" + Durations.format(DURATION) + " --warmup="
                        + Durations.format(WARMUP) + " --warmup-max=2m";
    }

    /**
     * Refuses before anything is measured what breaks a rule for certain; the result is judged by all of them.
     *
     * @param command whose arguments have been parsed
     * @param settings every option with the value that is in force
     */
    void check(CommandSpec command, Map<String, Object> settings) {
        if (!asked) {
            return;
        }
        OptionNames.refuse(
                command,
                List.of("--audit", "--intake", "--latency-at", "--shared-machine", "--target"),
                "doesn't go with --publish, which has its own (docs/run-rules.md)");
        if ("max".equals(settings.get("rate"))
                || !"discard".equals(settings.get("deliver"))
                || (settings.get("repeat") instanceof Integer repeat && repeat < REPEATS)
                || isShorter(settings, "duration", DURATION)
                || isShorter(settings, "warmup", WARMUP)) {
            throw UserError.usage("--publish needs a --rate that is not max, --deliver discard,"
                    + " --repeat 5 or more, --duration 1m or more and --warmup 30s or more"
                    + " (docs/run-rules.md)");
        }
    }

    private static boolean isShorter(Map<String, Object> settings, String name, Duration least) {
        return Durations.parse(String.valueOf(settings.get(name))).compareTo(least) < 0;
    }
}
