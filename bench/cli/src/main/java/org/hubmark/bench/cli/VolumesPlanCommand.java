package org.hubmark.bench.cli;

import org.hubmark.bench.UserError;
import org.hubmark.bench.machine.volumes.SyncReliability;
import org.hubmark.bench.machine.volumes.VolumeFacts;
import org.hubmark.bench.machine.volumes.VolumeFolders;
import org.hubmark.bench.machine.volumes.VolumeInspection;
import org.hubmark.bench.machine.volumes.VolumesJson;
import org.hubmark.bench.results.Safety;
import org.hubmark.core.Settings;
import org.hubmark.queue.QueueReader;
import org.hubmark.queue.RequiredSpace;
import org.hubmark.queue.StoreException;
import org.hubmark.queue.StoreLock;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

/** Says what a hub would do on its volumes, and touches nothing. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        description =
                "Shows which folders, devices and space serve would use with the same options,"
                        + " whether acknowledged mail would be safe there, and what serve would make or refuse."
                        + " Changes nothing. Exits with 1 if serve would not start.")
final class VolumesPlanCommand implements Callable<Integer> {
    private static final double GB = 1e9;
    private static final SyncReliability NOT_MEASURED =
            new SyncReliability(SyncReliability.Grade.UNKNOWN, null, List.of("Not measured."));

    @Mixin
    private ServedVolumes volumes;

    @Mixin
    private StoreOptions storeOptions;

    @Mixin
    private TestVolumesOption state;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Hub setting of docs/settings.md; may be repeated. Default: none.")
    private Map<String, String> given = new LinkedHashMap<>();

    @Option(
            names = "--json",
            description =
                    "Prints JSON on standard output, and nothing else there." + " Default: text.")
    private boolean json;

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
            @Nullable Boolean unsafe,
            @Nullable String unsafeReason,
            List<String> problems) {}

    @Override
    public Integer call() {
        Plan plan;
        try {
            plan = plan(new VolumeFolders(volumes.log, volumes.queue, volumes.tracking));
        } catch (IOException e) {
            throw VolumesCommand.failed(e);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(VolumesJson.write(plan));
        } else {
            print(plan, out);
        }
        out.flush();
        return plan.problems().isEmpty() ? 0 : 1;
    }

    private Plan plan(VolumeFolders folders) throws IOException {
        List<Path> seen = new ArrayList<>();
        for (Path folder : folders.all()) {
            seen.add(existing(folder));
        }
        List<VolumeFacts> facts = VolumeInspection.inspect(seen, state.volumes().list());
        List<String> problems = new ArrayList<>();
        Boolean isQueue = isQueue(folders, problems);
        RequiredSpace needed = needed(folders, problems);
        List<Planned> planned = new ArrayList<>();
        Safety safety = Safety.of(storeOptions.durability().toString());
        for (int i = 0; i < facts.size(); i++) {
            String role = VolumeFolders.ROLES.get(i);
            Path folder = folders.of(role);
            boolean exists = Files.isDirectory(folder);
            String holder = exists ? StoreLock.holder(folder).orElse(null) : null;
            if (holder != null) {
                problems.add(
                        "the " + role + " volume " + folder + " is in use by process " + holder);
            }
            if (!Files.isDirectory(seen.get(i)) || !Files.isWritable(seen.get(i))) {
                problems.add("can't write to " + seen.get(i));
            }
            if (!role.equals("tracking")) {
                safety = safety.on(facts.get(i), NOT_MEASURED);
            }
            planned.add(new Planned(
                    role,
                    folder.toString(),
                    exists,
                    holder,
                    neededBytes(role, needed),
                    isQueue == null ? "refuse to start" : action(role, exists, isQueue),
                    facts.get(i)));
        }
        return new Plan(planned, safety.unsafe(), safety.unsafeReason(), problems);
    }

    /** {@return whether there is a queue, or null when the volumes don't fit together} */
    private static @Nullable Boolean isQueue(VolumeFolders folders, List<String> problems)
            throws IOException {
        try {
            if (Files.exists(folders.log())
                    && Files.exists(folders.queue())
                    && Files.isSameFile(folders.log(), folders.queue())) {
                problems.add(
                        "the log volume and the queue volume are one folder, " + folders.log());
                return null;
            }
            return QueueReader.isThere(folders.log(), folders.queue());
        } catch (StoreException e) {
            problems.add(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private RequiredSpace needed(VolumeFolders folders, List<String> problems) throws IOException {
        RequiredSpace space;
        try {
            space = RequiredSpace.of(new Settings(given), storeOptions.checkpointDepthBytes());
        } catch (IllegalArgumentException e) {
            throw UserError.usage(String.valueOf(e.getMessage()));
        }
        try {
            space.require(folders.log(), folders.queue());
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
        for (Planned volume : plan.volumes()) {
            out.println(volume.role() + " volume " + volume.folder()
                    + (volume.exists() ? "" : " (not there yet)"));
            VolumeLines.facts(volume.facts(), true, out);
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
                        ? "Nothing is known against the safety of acknowledged mail here; volumes probe"
                                + " measures whether syncs reach the medium."
                        : "NOT SAFE: " + plan.unsafeReason() + ".");
        plan.problems().forEach(problem -> out.println("serve would not start: " + problem + "."));
    }
}
