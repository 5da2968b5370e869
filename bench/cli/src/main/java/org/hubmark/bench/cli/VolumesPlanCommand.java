package org.hubmark.bench.cli;

import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.devices.VolumesJson;
import org.hubmark.bench.machine.volumes.TestVolume;
import org.hubmark.core.Durability;
import org.hubmark.core.Settings;
import org.hubmark.core.StoreException;
import org.hubmark.core.UserError;
import org.hubmark.hub.VolumeFolders;
import org.hubmark.queue.QueueReader;
import org.hubmark.queue.RequiredSpace;
import org.hubmark.queue.StoreLock;
import org.hubmark.server.ServedVolumes;
import org.hubmark.server.StoreOptions;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

/** Says what a hub would do on its volumes, test volumes among them, and touches nothing. */
@Command(
        name = "plan",
        description =
                "Shows which folders, devices and space serve would use with the same options,"
                        + " whether acknowledged mail would be safe there, and what serve would make or"
                        + " refuse. Changes nothing. Exits with 1 if serve would not start.")
final class VolumesPlanCommand implements Callable<Integer> {
    private static final double GB = 1e9;

    @Mixin
    private ServedVolumes volumes;

    @Mixin
    private StoreOptions storeOptions;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Value in place of the default; a hub setting"
                    + " (docs/settings.md), repeatable. Default: none.")
    private Map<String, String> given = new LinkedHashMap<>();

    @Mixin
    private CommonOptions.Json json;

    @Spec
    private CommandSpec spec;

    /**
     * One volume.
     *
     * @param role log, queue or tracking
     * @param folder as it was given
     * @param exists whether it is there
     * @param inUseBy the process that uses it, or null
     * @param neededBytes that serve needs there at least, or null
     * @param action what serve would do
     * @param facts of the folder, or of the one above it in which it would be made
     */
    record Planned(
            String role,
            String folder,
            boolean exists,
            @Nullable String inUseBy,
            @Nullable Long neededBytes,
            String action,
            VolumeFacts facts) {}

    /**
     * All of it.
     *
     * @param problems why serve would not start; none when it would
     */
    record Plan(
            List<Planned> volumes,
            boolean unsafe,
            @Nullable String unsafeReason,
            List<String> problems) {}

    @Override
    public Integer call() throws IOException {
        Plan plan = plan();
        PrintWriter out = spec.commandLine().getOut();
        if (json.on) {
            out.println(VolumesJson.write(plan));
        } else {
            print(plan, out);
        }
        out.flush();
        return plan.problems().isEmpty() ? 0 : 1;
    }

    private Plan plan() throws IOException {
        VolumeFolders folders = volumes.folders();
        List<Path> seen = new ArrayList<>();
        for (Path folder : folders.all()) {
            seen.add(existing(folder));
        }
        List<VolumeFacts> facts = shared(
                folders.all(), seen, TestVolume.inspect(seen, TestVolumesOption.USUAL.list()));
        List<String> problems = new ArrayList<>();
        Boolean isQueue = isQueue(problems);
        RequiredSpace needed = needed(problems);
        List<Planned> planned = new ArrayList<>();
        for (String role : VolumeFolders.ROLES) {
            Path folder = folders.of(role);
            Path found = seen.get(planned.size());
            boolean exists = Files.isDirectory(folder);
            String holder = exists ? StoreLock.holder(folder).orElse(null) : null;
            if (holder != null) {
                problems.add(
                        "the " + role + " volume " + folder + " is in use by process " + holder);
            }
            if (!Files.isDirectory(found) || !Files.isWritable(found)) {
                problems.add("can't write to " + found);
            }
            String files = role.equals("tracking") ? null : FreeFiles.problem(role, found);
            if (files != null) {
                problems.add(files);
            }
            planned.add(new Planned(
                    role,
                    folder.toString(),
                    exists,
                    holder,
                    neededBytes(role, needed),
                    isQueue == null ? "refuse to start" : action(role, exists, isQueue),
                    facts.get(planned.size())));
        }
        String danger = danger(planned);
        return new Plan(planned, danger != null, danger, problems);
    }

    /**
     * {@return the facts, each with those volumes that share a disk with it}
     *
     * @param seen what was looked at: of a folder that is not there, the first one above it that is
     */
    private static List<VolumeFacts> shared(
            List<Path> folders, List<Path> seen, List<VolumeFacts> facts) {
        List<VolumeFacts> all = new ArrayList<>();
        for (int i = 0; i < folders.size(); i++) {
            List<String> sharing = new ArrayList<>();
            for (int other = 0; other < folders.size(); other++) {
                String name = seen.get(other).toString();
                if (!folders.get(other).equals(folders.get(i))
                        && (name.equals(seen.get(i).toString())
                                || facts.get(i).sharesDeviceWith().contains(name))) {
                    sharing.add(folders.get(other).toString());
                }
            }
            all.add(facts.get(i).sharing(sharing));
        }
        return all;
    }

    /** {@return all that speaks against the safety of acknowledged mail; null when nothing is known to} */
    private @Nullable String danger(List<Planned> planned) {
        Set<String> dangers = new LinkedHashSet<>();
        if (!(storeOptions.durability() instanceof Durability.Synced)) {
            dangers.add(
                    "durability " + storeOptions.durability() + ": " + Durability.UNSYNCED_DANGER);
        }
        for (Planned volume : planned) {
            String danger = volume.facts().danger();
            if (danger != null && !volume.role().equals("tracking")) {
                dangers.add(danger);
            }
        }
        return dangers.isEmpty() ? null : String.join("; ", dangers);
    }

    /** {@return whether there is a queue, or null when the volumes don't fit together} */
    private @Nullable Boolean isQueue(List<String> problems) throws IOException {
        try {
            if (Files.exists(volumes.folders().log())
                    && Files.exists(volumes.folders().queue())
                    && Files.isSameFile(
                            volumes.folders().log(), volumes.folders().queue())) {
                problems.add("the log volume and the queue volume are one folder, "
                        + volumes.folders().log());
                return null;
            }
            boolean isThere = QueueReader.isThere(
                    volumes.folders().log(), volumes.folders().queue());
            if (!isThere && volumes.existingOnly()) {
                problems.add(volumes.absent());
                return null;
            }
            return isThere;
        } catch (StoreException e) {
            problems.add(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private RequiredSpace needed(List<String> problems) throws IOException {
        RequiredSpace space;
        try {
            space = RequiredSpace.of(new Settings(given), storeOptions.checkpointDepthBytes());
        } catch (IllegalArgumentException e) {
            throw UserError.usage(String.valueOf(e.getMessage()));
        }
        try {
            space.require(volumes.folders().log(), volumes.folders().queue());
        } catch (StoreException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
        return space;
    }

    private static @Nullable Long neededBytes(String role, RequiredSpace space) {
        return switch (role) {
            case "log" -> space.logBytes();
            case "queue" -> space.queueBytes();
            default -> null;
        };
    }

    private static String action(String role, boolean exists, boolean isQueue) {
        String folder = exists ? "" : "make the folder, ";
        if (role.equals("tracking")) {
            return folder + "add to the tracking log";
        }
        String what = role.equals("log") ? "the intake log" : "the queue database";
        return isQueue ? folder + "open " + what : folder + "make " + what + ", new and empty";
    }

    /** {@return the folder, or the first one above it that is there} */
    private static Path existing(Path folder) {
        Path at = folder.toAbsolutePath().normalize();
        while (at.getParent() != null && !Files.exists(at)) {
            at = at.getParent();
        }
        return at.equals(folder.toAbsolutePath().normalize()) ? folder : at;
    }

    private static void print(Plan plan, PrintWriter out) {
        boolean someUnknown =
                plan.volumes().stream().anyMatch(one -> VolumeLines.isUnknown(one.facts()));
        for (Planned volume : plan.volumes()) {
            out.println(volume.role() + " volume " + volume.folder()
                    + (volume.exists() ? "" : " (not there yet)"));
            VolumeLines.facts(volume.facts(), true, someUnknown, out);
            if (volume.neededBytes() != null) {
                VolumeLines.line(
                        out,
                        "needs",
                        String.format(
                                Locale.ROOT,
                                "%.2f GB at least; a backlog comes on top",
                                volume.neededBytes() / GB));
            }
            if (volume.inUseBy() != null) {
                VolumeLines.line(out, "in use", "by process " + volume.inUseBy());
            }
            VolumeLines.line(out, "serve would", volume.action());
            out.println();
        }
        out.println(
                plan.unsafeReason() == null
                        ? "Nothing is known against the safety of acknowledged mail here;"
                                + " volumes probe measures whether syncs reach the medium."
                        : "NOT SAFE: " + plan.unsafeReason() + ".");
        plan.problems().forEach(problem -> out.println("serve would not start: " + problem + "."));
    }
}
