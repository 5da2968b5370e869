package org.hubmark.bench.cli;

import org.hubmark.bench.durability.Campaign;
import org.hubmark.bench.durability.CrashKind;
import org.hubmark.core.Durability;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;

/** Crashes a server under load and checks what it had acknowledged. */
@Command(
        name = "durability",
        description = {
            "Crashes a server under load, again and again, and checks that every message that it"
                    + " answered with 250 is there with its content, as its durability class promises.",
            "Exits with 0 if every promise was kept, 1 if one was broken, 3 if no fault took effect."
        })
public final class DurabilityCommand implements Callable<Integer> {
    private static final String KINDS = "kill,power,torn,flip,full,eio,stop";

    @Option(
            names = "--class",
            paramLabel = "CLASS",
            split = ",",
            defaultValue = "synced,periodic,none",
            description = "Durability classes to test; of --server, its promise.")
    private List<Durability> classes;

    @Option(
            names = "--kinds",
            paramLabel = "KIND",
            split = ",",
            defaultValue = KINDS,
            description = "Kinds of crashes; each in each class.")
    private List<CrashKind> kinds;

    @ArgGroup(exclusive = true)
    private Extent extent = new Extent();

    /** When the test ends. */
    private static final class Extent {
        @Option(
                names = "--for",
                description = "Time for the whole test; skipped kinds are named. Default: 60s.")
        private @Nullable Duration time;

        @Option(
                names = "--crashes",
                description = "Crashes of each kind; in each class. Default: as --for allows.")
        private @Nullable Integer crashes;
    }

    @Option(
            names = "--ignore-flushes",
            description = "Checks the test: devices ignore flushes, so that mail is lost.")
    private boolean ignoreFlushes;

    @Mixin
    private CommonOptions.Seed seed;

    @ArgGroup(exclusive = false)
    private @Nullable OtherServer other;

    /** A server that is not ours. */
    private static final class OtherServer {
        @Option(
                names = "--server",
                paramLabel = "COMMAND",
                required = true,
                description = "Shell command of a server at {port}, files in {data}. Default: a"
                        + " hub.")
        private String start;

        @Option(
                names = "--read-back",
                paramLabel = "COMMAND",
                required = true,
                description = "Shell command that writes the mail in {data} to {to}, a file each.")
        private String readBack;
    }

    @Mixin
    private StudyOptions shown;

    @Override
    public Integer call() throws IOException {
        check();
        // Stores are opened here that are meant to fail; what became of them is in the results.
        System.setProperty("hubmark.log.queue", "off");
        Integer crashes = extent.crashes;
        Campaign campaign = new Campaign(
                new Campaign.Request(
                        classes,
                        kinds,
                        crashes == null
                                ? Objects.requireNonNullElse(extent.time, Duration.ofSeconds(60))
                                : null,
                        crashes == null ? 0 : crashes,
                        seed.value,
                        ignoreFlushes,
                        other == null ? null : other.start,
                        other == null ? null : other.readBack),
                Main.PROGRAM);
        shown.say("seed " + seed.value);
        return shown.run(campaign, shown.settings(), List::of);
    }

    private void check() {
        if (extent.crashes != null) {
            Ranges.atLeast("--crashes", extent.crashes, 1);
        }
        if (ignoreFlushes && !kinds.equals(List.of(CrashKind.POWER))) {
            throw UserError.usage("--ignore-flushes is for --kinds power only");
        }
    }
}
