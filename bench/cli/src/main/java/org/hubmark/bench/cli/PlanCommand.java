package org.hubmark.bench.cli;

import org.hubmark.bench.machine.folders.MadeFolder;
import org.hubmark.bench.plan.Collected;
import org.hubmark.bench.plan.MeasuredFiles;
import org.hubmark.bench.plan.Model;
import org.hubmark.bench.plan.OwnPlan;
import org.hubmark.bench.plan.PlanResults;
import org.hubmark.bench.plan.PublishedCases;
import org.hubmark.bench.plan.Source;
import org.hubmark.bench.plan.Values;
import org.hubmark.bench.plan.report.PlanReport;
import org.hubmark.bench.plan.report.PlanText;
import org.hubmark.core.UserError;
import org.hubmark.server.Converters;
import org.hubmark.server.Suggestions;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Goes from measured results to users, rates and disks, and back. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Plans from measured results: how many drives a number of users needs, how many users the"
                    + " drives at hand hold, and how much a read cache saves.",
            "Shows each step with its inputs, which of them are assumed, and on which the answer"
                    + " depends most. Writes plan.json, the report and what-if.html, a page to change"
                    + " the inputs on.",
            "Exits with 0 if the demand is met or none was given, 3 if it is not met."
        })
public final class PlanCommand implements Callable<Integer> {
    private static final double BYTES_PER_MB = 1e6;
    private static final double BYTES_PER_GB = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    @Option(
            names = "--from",
            paramLabel = "DIR",
            split = ",",
            description = "Results to plan from: folders of run (DIR#ID names one of several"
                    + " scenarios), qualify and users. A qualification with a read cache and one"
                    + " without make a pair. Default: none; only the inputs given here.")
    private List<String> from = List.of();

    @Option(
            names = "--published",
            paramLabel = "NAME",
            description = "Publication to compute again from its own inputs: pam-tr3766."
                    + " Default: none.")
    private @Nullable String published;

    @Option(
            names = "--users",
            paramLabel = "N",
            description = "Users to serve. Default: none; shows how many the storage holds.")
    private @Nullable Double users;

    @Mixin
    private CommonOptions.IopsPerUser iopsPerUser;

    @Option(
            names = "--mailbox",
            paramLabel = "SIZE",
            converter = Converters.Size.class,
            description = "Size of a mailbox. Default: none; plans no drives for space.")
    private @Nullable Long mailbox;

    @Option(
            names = "--disk-iops",
            paramLabel = "N",
            description =
                    "I/O a second of a drive within the limit of latency. Default: as measured"
                            + " if --set drives_measured=N gives the number of drives, otherwise 55.")
    private @Nullable Double diskIops;

    @Option(
            names = "--disk-size",
            paramLabel = "SIZE",
            converter = Converters.Size.class,
            description = "Size of a drive. Default: none; plans no drives for space.")
    private @Nullable Long diskSize;

    @Option(
            names = "--drives",
            paramLabel = "N",
            description = "Drives at hand. Default: none; shows how many are needed.")
    private @Nullable Double drives;

    @Option(
            names = "--growth",
            paramLabel = "SHARE",
            converter = BenchConverters.Percent.class,
            description = "Growth of the number of users: 10%%. Default: 0%%.")
    private @Nullable Double growth;

    @Option(
            names = "--headroom",
            paramLabel = "SHARE",
            converter = BenchConverters.Percent.class,
            description = "I/O kept free, as a share of the users' I/O. Default: 20%%, as in ESRP.")
    private @Nullable Double headroom;

    @Option(
            names = "--raid-write-penalty",
            paramLabel = "N",
            description = "Writes to drives that one write causes. Default: 2, RAID 10.")
    private @Nullable Double raidWritePenalty;

    @Option(
            names = "--read-latency",
            paramLabel = "TIME",
            converter = Converters.Time.class,
            description = "Highest mean read latency at which measured storage counts. Default: the"
                    + " qualification's, otherwise 20ms.")
    private @Nullable Duration readLatency;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description =
                    "Input of the plan by its name, as the report lists them, in the unit that its name"
                            + " ends with. Default: as measured, published, or assumed.")
    private Map<String, String> set = Map.of();

    @Mixin
    private CommonOptions.Output output;

    @Mixin
    private CommonOptions.Json json;

    @Mixin
    private CommonOptions.Quiet quiet;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (published != null && !from.isEmpty()) {
            throw UserError.usage("--published and --from exclude each other: a publication is"
                    + " computed from its own inputs");
        }
        Map<String, Values.Given> given = given();
        Collected measured = MeasuredFiles.read(from);
        List<PublishedCases.Case> cases = published != null
                ? PublishedCases.of(published, given)
                : List.of(new PublishedCases.Case(OwnPlan.of(measured, given), List.of()));
        PlanResults results =
                new PlanResults(Main.PROGRAM.tool(), Outcomes.commandText(spec), cases);
        try (MadeFolder folder = output.make()) {
            results.write(folder.path());
            PlanReport.write(results, measured.notes(), folder.path());
            say(results, measured.notes(), folder.path());
        }
        return results.met() ? 0 : Outcomes.INVALID;
    }

    private void say(PlanResults results, List<String> notes, Path folder) {
        if (json.on) {
            System.out.println(results.json());
        } else if (!quiet.on) {
            PlanText.of(results).forEach(System.out::println);
            System.out.println("results in " + folder);
        }
        System.out.flush();
        notes.forEach(note -> System.err.println("hubmark: " + note));
        for (String reason : PlanText.notMet(results)) {
            System.err.println("hubmark: not met: " + reason);
        }
    }

    private Map<String, Values.Given> given() {
        Map<String, Values.Given> all = new LinkedHashMap<>();
        put(all, "users", "--users", users);
        put(all, "iops_per_user", "--iops-per-user", iopsPerUser.given);
        put(all, "mailbox_mb", "--mailbox", mailbox == null ? null : mailbox / BYTES_PER_MB);
        put(all, "disk_iops", "--disk-iops", diskIops);
        put(all, "disk_gb", "--disk-size", diskSize == null ? null : diskSize / BYTES_PER_GB);
        put(all, "drives", "--drives", drives);
        put(all, "growth_percent", "--growth", percent(growth));
        put(all, "headroom_percent", "--headroom", percent(headroom));
        put(all, "raid_write_penalty", "--raid-write-penalty", raidWritePenalty);
        put(
                all,
                "read_latency_limit_ms",
                "--read-latency",
                readLatency == null ? null : readLatency.toNanos() / NANOS_PER_MILLI);
        set.forEach((name, text) -> {
            if (!Model.OURS.inputs().containsKey(name)) {
                throw UserError.usage("--set " + name + ": there is no such input"
                        + Suggestions.of(name, Model.OURS.inputs().keySet())
                        + "; the report lists them all");
            }
            put(all, name, "--set " + name, number(name, text));
        });
        return all;
    }

    private static Double number(String name, String text) {
        try {
            return Double.valueOf(text);
        } catch (NumberFormatException e) {
            String unit = Model.OURS.unit(name);
            throw UserError.usage("--set " + name + "=" + text + ": a number"
                    + (unit.isEmpty() ? "" : " without a unit, it is in " + unit));
        }
    }

    private static @Nullable Double percent(@Nullable Double share) {
        // 7 % is not 7.000000000000001 %.
        return share == null ? null : (Double) (Math.rint(share * 1e10) / 1e8);
    }

    private static void put(
            Map<String, Values.Given> all, String name, String option, @Nullable Double value) {
        if (value != null) {
            all.put(name, new Values.Given(value, Source.given(option)));
        }
    }
}
