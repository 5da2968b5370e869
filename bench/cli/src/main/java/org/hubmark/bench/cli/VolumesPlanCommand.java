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
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

/** Says on which volumes a hub would be, test volumes among them, and touches nothing. */
@Command(
        name = "plan",
        description = "Shows the volumes that serve would use with the same options, and whether"
                + " acknowledged mail would be safe there. Changes nothing. Exits with 1 if serve would"
                + " not start.")
final class VolumesPlanCommand implements Callable<Integer> {
    @Mixin
    private ServedVolumes volumes;

    @Mixin
    private StoreOptions storeOptions;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Value to set; see docs/settings.md.")
    private Map<String, String> given = new LinkedHashMap<>();

    @Mixin
    private CommonOptions.Json json;

    @Spec
    private CommandSpec spec;

    /**
     * What is known before a start.
     *
     * @param volumes log, queue and tracking; of a folder that is not there, the first one above it that is
     * @param unsafeReason what speaks against the safety of acknowledged mail; null when nothing is known to
     * @param problems why serve would not start; none when it would
     */
    record Plan(List<VolumeFacts> volumes, @Nullable String unsafeReason, List<String> problems) {}

    @Override
    public Integer call() throws IOException {
        VolumeFolders folders = volumes.folders();
        List<Path> seen =
                folders.all().stream().map(VolumesPlanCommand::existing).toList();
        List<VolumeFacts> facts = TestVolume.inspect(seen, TestVolumesOption.USUAL.list());
        Plan plan = new Plan(facts, danger(facts), problems(folders, seen));
        PrintWriter out = spec.commandLine().getOut();
        if (json.on) {
            out.println(VolumesJson.write(plan));
        } else {
            print(plan, folders, out);
        }
        out.flush();
        return plan.problems().isEmpty() ? 0 : 1;
    }

    private @Nullable String danger(List<VolumeFacts> facts) {
        Set<String> dangers = new LinkedHashSet<>();
        if (!(storeOptions.durability() instanceof Durability.Synced)) {
            dangers.add(
                    "durability " + storeOptions.durability() + ": " + Durability.UNSYNCED_DANGER);
        }
        // Log and queue: tracking is no promise.
        for (VolumeFacts volume : facts.subList(0, 2)) {
            String danger = volume.danger();
            if (danger != null) {
                dangers.add(danger);
            }
        }
        return dangers.isEmpty() ? null : String.join("; ", dangers);
    }

    private List<String> problems(VolumeFolders folders, List<Path> seen) throws IOException {
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < seen.size(); i++) {
            Path folder = folders.all().get(i);
            String holder =
                    Files.isDirectory(folder) ? StoreLock.holder(folder).orElse(null) : null;
            if (holder != null) {
                problems.add("the " + VolumeFolders.ROLES.get(i) + " volume " + folder
                        + " is in use by process " + holder);
            }
            if (!Files.isDirectory(seen.get(i)) || !Files.isWritable(seen.get(i))) {
                problems.add("can't write to " + seen.get(i));
            }
        }
        if (folders.log().equals(folders.queue())) {
            problems.add("the log volume and the queue volume are one folder, " + folders.log());
            return problems;
        }
        try {
            if (!QueueReader.isThere(folders.log(), folders.queue()) && volumes.existingOnly()) {
                problems.add(volumes.absent());
            }
            RequiredSpace.of(new Settings(given), storeOptions.checkpointDepthBytes())
                    .require(folders.log(), folders.queue());
        } catch (StoreException e) {
            problems.add(String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            throw UserError.usage(String.valueOf(e.getMessage()));
        }
        return problems;
    }

    /** {@return the folder, or the first one above it that is there} */
    private static Path existing(Path folder) {
        Path at = folder.toAbsolutePath().normalize();
        while (at.getParent() != null && !Files.exists(at)) {
            at = at.getParent();
        }
        return at;
    }

    private static void print(Plan plan, VolumeFolders folders, PrintWriter out) {
        for (int i = 0; i < plan.volumes().size(); i++) {
            Path folder = folders.all().get(i);
            out.println(VolumeFolders.ROLES.get(i) + " volume " + folder
                    + (Files.exists(folder) ? "" : " (not there yet)"));
            VolumeLines.facts(plan.volumes().get(i), out);
            out.println();
        }
        out.println(
                plan.unsafeReason() == null
                        ? "No risk to acknowledged mail is known here;"
                                + " volumes probe measures whether syncs reach the medium."
                        : "NOT SAFE: " + plan.unsafeReason() + ".");
        plan.problems().forEach(problem -> out.println("serve would not start: " + problem + "."));
    }
}
