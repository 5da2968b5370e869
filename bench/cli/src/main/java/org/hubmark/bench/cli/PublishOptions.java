package org.hubmark.bench.cli;

import org.hubmark.bench.load.Pace;
import org.hubmark.core.Durations;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

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

    private static final Duration WARMUP_MAX = Duration.ofMinutes(2);

    private static final Duration DURATION = Duration.ofMinutes(1);

    @Option(
            names = "--publish",
            description = "Keeps the run rules (docs/run-rules.md): half an hour or so a"
                    + " size. Default: off.")
    private boolean asked;

    /** {@return whether the rules are to be kept} */
    boolean asked() {
        return asked;
    }

    /** {@return what the rules need of options that are not given} */
    Map<String, String> defaults() {
        return !asked
                ? Map.of()
                : Map.of(
                        "--rate",
                        Pace.MaxSustained.NAME,
                        "--latency-limit",
                        "50ms",
                        "--repeat",
                        String.valueOf(REPEATS),
                        "--duration",
                        Durations.format(DURATION),
                        "--warmup",
                        Durations.format(WARMUP),
                        "--warmup-max",
                        Durations.format(WARMUP_MAX),
                        "--latency-at",
                        "70%",
                        "--audit",
                        "all");
    }

    /**
     * {@return why a value breaks a rule that is judged before anything is measured; null where none does}
     * {@code RunRule} has those that are judged by the result.
     */
    private static @Nullable String broken(String option, String value, boolean searched) {
        return switch (option) {
            case "rate" ->
                value.equals("max")
                        ? "a closed loop has no limit of latency; use max-sustained or a number"
                        : null;
            case "latency-at" ->
                searched && value.equals("off") ? "latency is reported at a fixed rate" : null;
            case "repeat" -> Integer.parseInt(value) < REPEATS ? REPEATS + " or more" : null;
            case "duration" -> shorter(value, DURATION);
            case "warmup" -> shorter(value, WARMUP);
            case "warmup-max" -> shorter(value, WARMUP_MAX);
            case "driver-warmup" ->
                Durations.parse(value).isZero() ? "a cold driver takes the server's time" : null;
            case "shared-machine" -> value.equals("true") ? "nothing else may run" : null;
            case "deliver" ->
                value.equals("discard")
                        ? null
                        : "every delivered message is compared, which needs discard";
            case "audit" -> value.equals("all") ? null : "every message is compared";
            case "durability" ->
                List.of(value.split(",", -1)).contains("synced")
                        ? null
                        : "a 250 must be safe; a matrix may compare other classes with synced";
            case "intake" -> value.equals("store") ? null : "mail that is thrown away is not safe";
            case "target" ->
                "most rules can't be judged for a server that is not ours; measure it without"
                        + " --publish";
            default -> null;
        };
    }

    private static @Nullable String shorter(String value, Duration least) {
        return Durations.parse(value).compareTo(least) < 0
                ? Durations.format(least) + " or more"
                : null;
    }

    /**
     * Refuses what breaks a rule.
     *
     * @param settings every option with the value that is in force
     * @throws UserError naming the option and the reason
     */
    void check(Map<String, Object> settings) {
        if (!asked) {
            return;
        }
        boolean searched = Pace.MaxSustained.NAME.equals(settings.get("rate"));
        settings.forEach((option, value) -> {
            String given = Double.valueOf(0).equals(value) ? "off" : String.valueOf(value);
            String why = value == null ? null : broken(option, given, searched);
            if (why != null) {
                throw UserError.usage("--" + option + " " + given
                        + " breaks a rule of --publish (docs/run-rules.md): " + why);
            }
        });
    }
}
