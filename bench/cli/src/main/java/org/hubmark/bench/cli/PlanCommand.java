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
            "Goes from results to users, rates, CPU and disks, and back: how many drives so many users"
                    + " need, how many users what is there holds, what a read cache saves.",
            "Shows each step with its inputs, says which of them are assumed, and on which the answer"
                    + " depends most.",
            "Exit code 0 when the demand is met or none was named, 3 when it is not."
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
                    + " scenarios), qualify and users, several with commas between. A qualification"
                    + " with a read cache and one without make a pair. Default: none, only what is"
                    + " given.")
    private List<String> from = List.of();

    @Option(
            names = "--published",
            paramLabel = "NAME",
            description = "Computes a publication again from its own inputs: pam-tr3766. Default:"
                    + " none.")
    private @Nullable String published;

    @Option(
            names = "--users",
            paramLabel = "N",
            description = "Users to be served. Default: none, only how many what is there holds.")
    private @Nullable Double users;

    @Option(
            names = "--iops-per-user",
            paramLabel = "N",
            description = "Database I/O a second of a user. Default: that of the qualification.")
    private @Nullable Double iopsPerUser;

    @Option(
            names = "--mailbox",
            paramLabel = "SIZE",
            converter = Converters.Size.class,
            description = "Size of a mailbox. Default: none, and no drives for the space.")
    private @Nullable Long mailbox;

    @Option(
            names = "--disk-iops",
            paramLabel = "N",
            description = "I/O a second that a drive does within the limit of latency. Default: as"
                    + " measured, where --set drives_measured=N says on how many drives, else 55.")
    private @Nullable Double diskIops;

    @Option(
            names = "--disk-size",
            paramLabel = "SIZE",
            converter = Converters.Size.class,
            description = "Size of a drive. Default: none, and no drives for the space.")
    private @Nullable Long diskSize;

    @Option(
            names = "--drives",
            paramLabel = "N",
            description = "Drives that there are. Default: none, only how many it takes.")
    private @Nullable Double drives;

    @Option(
            names = "--growth",
            paramLabel = "SHARE",
            converter = BenchConverters.Percent.class,
            description = "By how much the users grow in number: 10%%. Default: 0%%.")
    private @Nullable Double growth;

    @Option(
            names = "--headroom",
            paramLabel = "SHARE",
            converter = BenchConverters.Percent.class,
            description =
                    "I/O kept free beyond that of the users. Default: 20%%, as ESRP" + " has it.")
    private @Nullable Double headroom;

    @Option(
            names = "--raid-write-penalty",
            paramLabel = "N",
            description = "Writes of drives that one write causes. Default: 2, RAID 10.")
    private @Nullable Double raidWritePenalty;

    @Option(
            names = "--read-latency",
            paramLabel = "TIME",
            converter = Converters.Time.class,
            description = "The highest at which the measured storage counts. Default: that of the"
                    + " qualification, else 20ms.")
    private @Nullable Duration readLatency;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description =
                    "Any input by its name, as the report lists them, in the unit that its name"
                            + " ends with. Default: as measured, published, or assumed.")
    private Map<String, String> set = Map.of();

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Gets plan.json, the report, and what-if.html, a page to move the inputs."
                    + " Default: hubmark-results/DATE-TIME.")
    private @Nullable Path output;

    @Option(
            names = "--json",
            description = "Prints the content of plan.json on standard output, and nothing else"
                    + " there. Default: the answer.")
    private boolean json;

    @Option(names = "--quiet", description = "Writes the files only. Default: ${DEFAULT-VALUE}.")
    private boolean quiet;

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
        try (MadeFolder folder = Outcomes.folder(output)) {
            results.write(folder.path());
            PlanReport.write(results, measured.notes(), folder.path());
            say(results, measured.notes(), folder.path());
        }
        return results.met() ? 0 : Outcomes.INVALID;
    }

    private void say(PlanResults results, List<String> notes, Path folder) {
        if (json) {
            System.out.println(results.json());
        } else if (!quiet) {
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
        put(all, "iops_per_user", "--iops-per-user", iopsPerUser);
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
