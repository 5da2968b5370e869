package org.hubmark.bench.cli;

import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.load.ClientTls;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.machine.folders.NewFolder;
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
import java.util.Map;

/**
 * The options that several commands have, each a mixin: one name, one description, one default. A command
 * whose default has to differ is in {@link OwnDefaults}, with the reason.
 */
final class CommonOptions {
    /** Rule for folders that are given as volumes, in every command. */
    static final String VOLUME_RULE = "; an empty folder.";

    private CommonOptions() {}

    /** Whether something is done. */
    enum Switch {
        ON,
        OFF
    }

    /** How many connections a load has. */
    static final class Connections {
        static final String TEXT = "Connections open at once. Default: ${DEFAULT-VALUE}.";
        static final String DEFAULT = "32";

        @Option(names = "--connections", defaultValue = DEFAULT, description = TEXT)
        int count;
    }

    /** What random choices begin with. */
    static final class Seed {
        @Option(
                names = "--seed",
                paramLabel = "N|random",
                defaultValue = "1",
                converter = BenchConverters.Seed.class,
                description = "Random seed, or random for a new one.")
        long value;
    }

    /** The load that nothing is counted of. */
    static final class Warmup {
        @Option(
                names = "--warmup",
                defaultValue = "20s",
                converter = BenchConverters.TimeOrNone.class,
                description = "Load before the measured time.")
        Duration time;
    }

    /** The load that is counted. */
    static final class MeasuredTime {
        @Option(
                names = "--duration",
                defaultValue = "10s",
                description = "Measured time (ms, s, m, h).")
        Duration time;
    }

    /** How large generated messages are. */
    static final class Sizes {
        @Option(
                names = "--sizes",
                split = ",",
                defaultValue = "57KB,80KB",
                converter = Converters.Size.class,
                description = "Sizes of generated messages.")
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
                description = "Runs of each level; the best and worst of five are left out.")
        int count = 5;

        void check() {
            Ranges.within("--runs", count, 1, MAX);
        }
    }

    /** Settings of the hubs that are measured. */
    static final class HubSettings {
        @Option(
                names = "--set",
                paramLabel = "KEY=VALUE",
                description = "Value to set; docs/settings.md.")
        Map<String, String> given = new LinkedHashMap<>();
    }

    /** Certificates that are taken. */
    static final class Trust {
        @Option(
                names = "--tls-trust",
                paramLabel = "FILE",
                description = "PEM file of authorities. Default: any certificate.")
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
                description = "I/O a second of a user. Default: 0.18 or measured.")
        @Nullable
        Double given;
    }

    /** What is measured besides the repeats. */
    static final class Extras {
        @Option(
                names = "--latency-at",
                defaultValue = "70%",
                paramLabel = "PERCENT",
                converter = BenchConverters.LatencyRate.class,
                description = "Share of the median rate at which latency is measured, or off.")
        double latencyPercent;

        @Option(names = "--no-ceilings", description = "Skips measuring the log device alone.")
        boolean noCeilings;
    }

    /** JSON in place of text. */
    static final class Json {
        @Option(names = "--json", description = "Prints JSON and nothing else. Default: text.")
        boolean on;
    }

    /** Others use the machine too. */
    static final class SharedMachine {
        @Option(names = "--shared-machine", description = "Other work on the machine only warns.")
        boolean on;
    }

    /** Errors alone. */
    static final class Quiet {
        @Option(names = "--quiet", description = "Prints errors only.")
        boolean on;
    }

    /** Where results are written. */
    static final class Output {
        @Option(
                names = "--output",
                description = "Result folder. Default: hubmark-results/DATE-TIME.")
        @Nullable
        Path folder;

        /**
         * {@return the folder, made; closing it removes it where nothing was written} An unfinished result of the
         * same kind in it is gone on with; what took hours to measure is not replaced by the same command given
         * once more. Raw files without a result are written anew: a run was killed before its first repeat.
         *
         * @param goesOn whether a finished result of the kind is gone on with too
         */
        NewFolder make(Kind kind, boolean goesOn) {
            if (folder != null && DocumentFile.isIn(folder, kind)) {
                if (!goesOn && Studies.read(folder, kind).complete()) {
                    throw holds("a finished " + kind.name());
                }
            } else if (folder != null && Studies.isIn(folder)) {
                throw holds("the result of another run");
            }
            return Outcomes.folder(folder);
        }

        private UserError holds(String what) {
            return UserError.usage("--output " + folder + " holds " + what
                    + " already; name another folder, or remove it");
        }
    }
}
