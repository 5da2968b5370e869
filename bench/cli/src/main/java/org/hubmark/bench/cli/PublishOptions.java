package org.hubmark.bench.cli;

import org.hubmark.bench.load.Pace;
import org.hubmark.bench.mail.document.PrimaryMetric;
import org.hubmark.bench.mail.study.PublishRequest;
import org.hubmark.core.Durability;
import org.hubmark.core.Durations;
import org.hubmark.core.UserError;
import org.hubmark.hub.IntakeKind;
import org.hubmark.hub.audit.AuditShare;
import org.hubmark.server.ConfigFile;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The mode that keeps the run rules: it sets the options that they need, and refuses what breaks them.
 */
final class PublishOptions {
    private static final String OPTION = "--publish";

    /** A hub is warm after 10 to 20 s here; a machine with a slower compiler takes longer. */
    private static final Duration WARMUP = Duration.ofSeconds(30);

    private static final Duration WARMUP_MAX = Duration.ofMinutes(2);

    @Option(
            names = OPTION,
            arity = "0..1",
            fallbackValue = "short",
            paramLabel = "short|standard",
            description = "Keeps the rules that make a result publishable (docs/run-rules.md): sets"
                    + " --rate max-sustained, --repeat, --duration, --warmup, --warmup-max,"
                    + " --latency-at and --audit all, refuses anything less strict, and judges the"
                    + " result; the exit code is 3 if it is not publishable. short takes about half"
                    + " an hour a size, standard about 2 hours."
                    + " Default: not given; without a value, short.")
    private @Nullable Form form;

    /**
     * Puts the options that the mode sets among the arguments, unless they are there.
     *
     * @param arguments of the whole command line
     */
    static String[] expand(CommandLine root, String[] arguments) {
        CommandLine command =
                arguments.length == 0 ? null : root.getSubcommands().get(arguments[0]);
        if (command == null || command.getCommandSpec().findOption(OPTION) == null) {
            return arguments;
        }
        Form form = form(arguments);
        if (form == null) {
            return arguments;
        }
        List<String> given = List.of(arguments);
        List<String> all = new ArrayList<>(given);
        options(form).forEach((name, value) -> {
            OptionSpec option = command.getCommandSpec().findOption(name);
            // A preset has rates of its own.
            boolean preset = name.equals("--rate")
                    && given.stream().anyMatch(one -> one.startsWith("--preset"));
            if (option != null && !preset && !ConfigFile.given(option, given)) {
                all.add(name + "=" + value);
            }
        });
        return all.toArray(String[]::new);
    }

    private static @Nullable Form form(String[] arguments) {
        for (int i = 1; i < arguments.length; i++) {
            String text = null;
            if (arguments[i].startsWith(OPTION + "=")) {
                text = arguments[i].substring(OPTION.length() + 1);
            } else if (arguments[i].equals(OPTION)) {
                boolean named = i + 1 < arguments.length && !arguments[i + 1].startsWith("-");
                text = named ? arguments[i + 1] : Form.SHORT.toString();
            }
            if (text != null) {
                String named = text;
                // The parser refuses any other.
                return Arrays.stream(Form.values())
                        .filter(form -> form.toString().equalsIgnoreCase(named))
                        .findFirst()
                        .orElse(null);
            }
        }
        return null;
    }

    private static Map<String, String> options(Form form) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("--rate", Pace.MaxSustained.NAME);
        options.put("--latency-limit", Durations.format(PrimaryMetric.LIMIT));
        options.put("--repeat", String.valueOf(form.repeats()));
        options.put("--duration", Durations.format(form.duration()));
        options.put("--warmup", Durations.format(WARMUP));
        options.put("--warmup-max", Durations.format(WARMUP_MAX));
        options.put("--latency-at", "70%");
        options.put("--audit", AuditShare.ALL.toString());
        return options;
    }

    /** {@return whether the rules are to be kept} */
    boolean asked() {
        return form != null;
    }

    /** {@return what is done beside the repeats; null where the rules need not be kept} */
    @Nullable
    PublishRequest request() {
        Form chosen = form;
        return chosen == null ? null : PublishRequest.of(chosen.toString());
    }

    /**
     * What is asked for beside the load.
     *
     * @param rates a search, or fixed ones
     */
    record Asked(
            List<String> rates,
            int repeat,
            Duration duration,
            Duration warmup,
            Duration warmupMax,
            boolean driverWarms,
            boolean sharedMachine,
            double latencyPercent,
            String deliver) {}

    /**
     * Refuses what breaks a rule.
     *
     * @throws UserError naming the option and the reason
     */
    void check(Asked asked) {
        Form chosen = form;
        if (chosen == null) {
            return;
        }
        for (String rate : asked.rates) {
            if (rate.equals("max")) {
                throw refused(
                        "--rate max",
                        "a closed loop has no limit of latency; use max-sustained or a number");
            }
            if (!rate.equals(Pace.MaxSustained.NAME) && !rate.matches("[0-9]+(\\.[0-9]+)?")) {
                throw refused("--rate " + rate, "the rate must not change");
            }
            if (rate.equals(Pace.MaxSustained.NAME) && asked.latencyPercent == 0) {
                throw refused("--latency-at off", "latency is reported at a fixed rate");
            }
        }
        if (asked.repeat < chosen.repeats()) {
            throw refused(
                    "--repeat " + asked.repeat,
                    "the form " + chosen + " has " + chosen.repeats() + " or more");
        }
        atLeast("--duration", asked.duration, chosen.duration());
        atLeast("--warmup", asked.warmup, WARMUP);
        atLeast("--warmup-max", asked.warmupMax, WARMUP_MAX);
        if (!asked.driverWarms) {
            throw refused("--driver-warmup 0s", "a cold driver takes the server's time");
        }
        if (asked.sharedMachine) {
            throw refused("--shared-machine", "nothing else may run");
        }
        if (!asked.deliver.equals("discard")) {
            throw refused(
                    "--deliver " + asked.deliver,
                    "every delivered message is compared, which needs discard");
        }
    }

    /** Refuses what a hub that is measured alone may not do. */
    void check(AuditShare audit, Durability durability, IntakeKind intake) {
        if (form == null) {
            return;
        }
        if (audit != AuditShare.ALL) {
            throw refused("--audit " + audit, "every message is compared");
        }
        if (!(durability instanceof Durability.Synced)) {
            throw refused(
                    "--durability " + durability,
                    "a 250 must be safe; a matrix may compare other classes with synced");
        }
        if (intake != IntakeKind.STORE) {
            throw refused("--intake discard", "mail that is thrown away is not safe");
        }
    }

    /** Refuses a server that isn't ours. */
    void checkNoTarget() {
        if (form != null) {
            throw refused(
                    "--target",
                    "most rules can't be judged for a server that is not ours; measure it without "
                            + OPTION);
        }
    }

    private static void atLeast(String option, Duration given, Duration least) {
        if (given.compareTo(least) < 0) {
            throw refused(
                    option + " " + Durations.format(given), Durations.format(least) + " or more");
        }
    }

    private static UserError refused(String what, String why) {
        return UserError.usage(
                what + " breaks a rule of " + OPTION + " (docs/run-rules.md): " + why);
    }

    /** How long a result that is to be published is measured, for each size. */
    enum Form {
        /** Half an hour or so. */
        SHORT(5, Duration.ofSeconds(60)),
        /** About 2 hours: what a drive does after an hour of writing shows. */
        STANDARD(5, Duration.ofMinutes(18));

        private final int repeats;
        private final Duration duration;

        Form(int repeats, Duration duration) {
            this.repeats = repeats;
            this.duration = duration;
        }

        int repeats() {
            return repeats;
        }

        /** {@return the measured time of each} */
        Duration duration() {
            return duration;
        }

        /** {@return the name on the command line and in files} */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
