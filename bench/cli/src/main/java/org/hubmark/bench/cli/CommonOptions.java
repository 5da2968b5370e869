package org.hubmark.bench.cli;

import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.ClientTls;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.machine.folders.NewFolder;
import org.hubmark.bench.mail.study.LatencyRequest;
import org.hubmark.core.ByteSize;
import org.hubmark.core.UserError;
import org.hubmark.server.Converters;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The options that several commands have, each a mixin: one name, one description, one default. A command
 * whose default has to differ is in {@link OwnDefaults}, with the reason.
 */
final class CommonOptions {
    /** Rule for folders that are given as volumes, in every command. */
    static final String VOLUME_RULE = "; absent or empty, emptied at the end.";

    private CommonOptions() {}

    /** Whether something is done. */
    enum Switch {
        ON,
        OFF;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How many connections a load has. */
    static final class Connections {
        static final String TEXT = "Connections open at once; with --weak, to each host. Default:"
                + " ${DEFAULT-VALUE}.";
        static final String DEFAULT = "32";

        @Option(
                names = "--connections",
                paramLabel = "N",
                defaultValue = DEFAULT,
                description = TEXT)
        int count;

        void check(int most) {
            Ranges.within("--connections", count, 1, most);
        }
    }

    /** What random choices begin with. */
    static final class Seed {
        @Option(
                names = "--seed",
                paramLabel = "N|random",
                defaultValue = "1",
                converter = BenchConverters.Seed.class,
                description =
                        "Random seed, or random for a new one. Default:" + " ${DEFAULT-VALUE}.")
        long value;
    }

    /** The load that nothing is counted of. */
    static final class Warmup {
        @Option(
                names = "--warmup",
                paramLabel = "TIME",
                defaultValue = "20s",
                converter = BenchConverters.TimeOrNone.class,
                description = "Load before the measured time, not counted. Default:"
                        + " ${DEFAULT-VALUE}.")
        Duration time;
    }

    /** The load that is counted. */
    static final class MeasuredTime {
        @Option(
                names = "--duration",
                paramLabel = "TIME",
                defaultValue = "10s",
                description = "Measured time (ms, s, m, h). Default: ${DEFAULT-VALUE}.")
        Duration time;
    }

    /** How large generated messages are. */
    static final class Sizes {
        @Option(
                names = "--sizes",
                paramLabel = "SIZE",
                split = ",",
                defaultValue = "57KB,80KB",
                converter = Converters.Size.class,
                description = "Sizes of generated messages, each measured on its own."
                        + " Default: ${DEFAULT-VALUE}.")
        List<Long> bytes;

        /** Refuses sizes that can't be generated or aren't taken, and one that is named twice. */
        void check(long bytesMax) {
            for (long size : bytes) {
                check("--sizes", size, bytesMax);
            }
            if (new HashSet<>(bytes).size() < bytes.size()) {
                throw UserError.usage("--sizes names a size twice; name each once");
            }
        }

        static void check(String option, long size, long bytesMax) {
            long max = Math.min(bytesMax, MessageGenerator.BYTES_MAX);
            if (size < MessageGenerator.BYTES_MIN || size > max) {
                throw UserError.usage(option + " " + ByteSize.format(size) + ": "
                        + ByteSize.format(MessageGenerator.BYTES_MIN) + " to "
                        + ByteSize.format(max));
            }
        }
    }

    /** How often a level or a number of hosts is measured. */
    static final class Runs {
        private static final int MAX = 100;

        @Option(
                names = "--runs",
                paramLabel = "N",
                defaultValue = "5",
                description = "Runs of each level or number of hosts; the best and worst"
                        + " of five are left out. Default: ${DEFAULT-VALUE}.")
        int count;

        void check() {
            Ranges.within("--runs", count, 1, MAX);
        }
    }

    /** Settings of the hubs that are measured. */
    static final class HubSettings {
        @Option(
                names = "--set",
                paramLabel = "KEY=VALUE",
                description = "Value in place of the default; a hub setting"
                        + " (docs/settings.md), repeatable. Default: none.")
        Map<String, String> given = new LinkedHashMap<>();
    }

    /** Certificates that are taken. */
    static final class Trust {
        @Option(
                names = "--tls-trust",
                paramLabel = "FILE",
                description = "PEM file of the authorities of certificates, which have"
                        + " to name the server. Default: takes any.")
        @Nullable
        Path authorities;

        boolean isGiven() {
            return authorities != null;
        }

        ClientTls read() {
            Path file = authorities;
            return file == null ? ClientTls.trustingAll() : ClientTls.trusting(file);
        }
    }

    /** What a load of a user is to the databases. */
    static final class IopsPerUser {
        @Option(
                names = "--iops-per-user",
                paramLabel = "N",
                description = "Database I/O a second of each user. Default: 0.18; in"
                        + " plan, the qualification's.")
        @Nullable
        Double given;
    }

    /** What is measured besides the repeats. */
    static final class Extras {
        @Option(
                names = "--latency-at",
                defaultValue = "70%",
                paramLabel = "PERCENT|off",
                converter = BenchConverters.LatencyRate.class,
                description = "Share of the median rate at which latency is measured once"
                        + " more. Default: ${DEFAULT-VALUE}.")
        double latencyPercent;

        @Option(
                names = "--no-ceilings",
                description = "Skips measuring the log device alone. Default: about 2s a size or"
                        + " cell.")
        boolean noCeilings;

        /** {@return null for none} */
        @Nullable
        LatencyRequest latency(Arrivals arrivals) {
            return latencyPercent == 0 ? null : new LatencyRequest(latencyPercent, arrivals);
        }
    }

    /** JSON in place of text. */
    static final class Json {
        @Option(
                names = "--json",
                description = "Prints JSON on standard output, and nothing else there."
                        + " Default: text.")
        boolean on;
    }

    /** Others use the machine too. */
    static final class SharedMachine {
        @Option(
                names = "--shared-machine",
                description = "Takes other work of the machine for warnings. Default: it"
                        + " makes a result invalid.")
        boolean on;
    }

    /** Errors alone. */
    static final class Quiet {
        @Option(
                names = "--quiet",
                description = "Prints errors only. Default: progress and results.")
        boolean on;
    }

    /** Where results are written. */
    static final class Output {
        @Option(
                names = "--output",
                paramLabel = "DIR",
                description = "Folder of the results. Default:"
                        + " hubmark-results/DATE-TIME; load, compare: none.")
        @Nullable
        Path folder;

        /**
         * {@return the same, which holds no other run's result} Raw files without one are written anew: a run was
         * killed before its first repeat was whole.
         */
        NewFolder makeOwn() {
            if (folder != null && Studies.isIn(folder)) {
                throw UserError.usage(
                        "--output " + folder + " holds the result of another run already;"
                                + " name another folder, or remove it");
            }
            return make();
        }

        /** {@return the folder, made; closing it removes it where nothing was written} */
        NewFolder make() {
            return Outcomes.folder(folder);
        }
    }
}
