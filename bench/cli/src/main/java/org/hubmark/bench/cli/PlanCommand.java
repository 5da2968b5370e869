package org.hubmark.bench.cli;

import org.hubmark.bench.plan.Collected;
import org.hubmark.bench.plan.Input;
import org.hubmark.bench.plan.PlanInputs;
import org.hubmark.bench.plan.PlanStudy;
import org.hubmark.bench.plan.Source;
import org.hubmark.core.UserError;
import org.hubmark.server.Converters;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Goes from measured results to users, rates and disks, and back. */
@Command(
        name = "plan",
        description = {
            "Plans from measured results: how many drives a number of users needs, how many users"
                    + " the available drives hold, and how much a read cache saves.",
            "Shows each step with its inputs, and which of them are assumed. Writes plan.json and the"
                    + " report; --set changes any input.",
            "Exits with 0 if the demand is met or none was given, 3 if it is not met."
        })
public final class PlanCommand implements Callable<Integer> {
    private static final double BYTES_PER_MB = 1e6;
    private static final double BYTES_PER_GB = 1e9;

    @Option(
            names = "--from",
            paramLabel = "DIR",
            split = ",",
            description = "Results to plan from: of qualify, with and without a cache, and users.")
    private List<String> from = List.of();

    @Option(
            names = "--published",
            paramLabel = "NAME",
            description = "Publication to compute again: pam-tr3766.")
    private @Nullable String published;

    @Option(names = "--users", description = "Users to serve; none: as many as the storage holds.")
    private @Nullable Double users;

    @Mixin
    private CommonOptions.IopsPerUser iopsPerUser;

    @Option(
            names = "--mailbox",
            converter = Converters.Size.class,
            description = "Size of a mailbox; none: no drives for space.")
    private @Nullable Long mailbox;

    @Option(
            names = "--disk-iops",
            description = "I/O a second of a drive. Default: the qualification's.")
    private @Nullable Double diskIops;

    @Option(
            names = "--disk-size",
            converter = Converters.Size.class,
            description = "Size of a drive. Default: none; plans no drives for space.")
    private @Nullable Long diskSize;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "Value to set; an input by its name.")
    private Map<String, Double> set = Map.of();

    @Mixin
    private StudyOptions shown;

    @Override
    public Integer call() throws IOException {
        Map<String, Object> settings = shown.settings();
        settings.putAll(set);
        return shown.run(new PlanStudy(from, published, said()), settings, null);
    }

    private Collected said() {
        Collected all = new Collected();
        all.said(PlanInputs.USERS, users, Source.given("--users"));
        all.said(PlanInputs.IOPS_PER_USER, iopsPerUser.given, Source.given("--iops-per-user"));
        all.said(PlanInputs.MAILBOX_MB, inUnits(mailbox, BYTES_PER_MB), Source.given("--mailbox"));
        all.said(PlanInputs.DISK_IOPS, diskIops, Source.given("--disk-iops"));
        all.said(PlanInputs.DISK_GB, inUnits(diskSize, BYTES_PER_GB), Source.given("--disk-size"));
        set.forEach((name, value) -> {
            Input input = PlanInputs.of(name)
                    .orElseThrow(() -> UserError.usage(
                            "--set " + name + ": no such input; the report lists them all"));
            input.check("--set " + name, value);
            all.said(input, value, Source.given("--set " + name));
        });
        return all;
    }

    private static @Nullable Double inUnits(@Nullable Long bytes, double unitBytes) {
        return bytes == null ? null : bytes / unitBytes;
    }
}
