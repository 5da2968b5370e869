package org.hubmark.bench.cli;

import org.hubmark.bench.load.Pace;
import org.hubmark.bench.mail.document.PrimaryMetric;
import org.hubmark.core.Durations;
import org.hubmark.core.UserError;

import picocli.CommandLine.Option;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

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
                        "--rate", Pace.MaxSustained.NAME,
                        "--latency-limit", Durations.format(PrimaryMetric.LIMIT),
                        "--repeat", String.valueOf(REPEATS),
                        "--duration", Durations.format(DURATION),
                        "--warmup", Durations.format(WARMUP),
                        "--warmup-max", Durations.format(WARMUP_MAX),
                        "--audit", "all");
    }

    /**
     * Limit of an option.
     *
     * @param option without its dashes
     * @param why a value breaks a rule that does not keep it
     */
    private record Limit(String option, Predicate<String> keeps, String why) {
        static Limit atLeast(String option, Duration least) {
            return new Limit(
                    option,
                    value -> Durations.parse(value).compareTo(least) >= 0,
                    Durations.format(least) + " or more");
        }
    }

    /**
     * {@return the rules that are judged before anything is measured} {@code RunRule} has those that are
     * judged by the result.
     */
    private static List<Limit> limits() {
        return List.of(
                new Limit(
                        "rate",
                        value -> !value.equals("max"),
                        "a closed loop has no limit of latency; use max-sustained or a number"),
                new Limit(
                        "repeat",
                        value -> Integer.parseInt(value) >= REPEATS,
                        REPEATS + " or more"),
                Limit.atLeast("duration", DURATION),
                Limit.atLeast("warmup", WARMUP),
                Limit.atLeast("warmup-max", WARMUP_MAX),
                new Limit("shared-machine", "false"::equals, "nothing else may run"),
                new Limit(
                        "deliver",
                        "discard"::equals,
                        "every delivered message is compared, which needs discard"),
                new Limit("audit", "all"::equals, "every message is compared"),
                new Limit(
                        "durability",
                        value -> List.of(value.split(",", -1)).contains("synced"),
                        "a 250 must be safe; a matrix may compare other classes with synced"),
                new Limit(
                        "intake",
                        "store"::equalsIgnoreCase,
                        "mail that is thrown away is not safe"),
                new Limit(
                        "target",
                        value -> false,
                        "most rules can't be judged for a server that is not ours; measure it without"
                                + " --publish"));
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
        for (Limit limit : limits()) {
            Object value = settings.get(limit.option);
            String given = String.valueOf(value);
            if (value != null && !limit.keeps.test(given)) {
                throw UserError.usage("--" + limit.option + " " + given
                        + " breaks a rule of --publish (docs/run-rules.md): " + limit.why);
            }
        }
    }
}
