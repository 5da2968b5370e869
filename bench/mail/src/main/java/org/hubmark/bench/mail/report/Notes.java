package org.hubmark.bench.mail.report;

import org.hubmark.bench.machine.volumes.SyncReliability;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.machine.watch.TargetWatch;
import org.hubmark.bench.mail.document.CounterSource;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.HubStudy;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What has to be known to read the tables. */
final class Notes {
    private static final String ENGINE = "engine";

    private final List<String> texts = new ArrayList<>();

    private Notes(Results results) {
        watched(results.targetWatch());
        ofRepeats(results);
        sharedDevice(results);
        unproven(results);
        engineCounters(results);
        texts.add(
                "CPU and cost on the whole machine count the kernel too, less the load driver's own"
                        + " processes; cycles are CPU time x the clock of the busy cores;"
                        + " cycles_source says where that clock comes from. That cost is not counted: it"
                        + " is computed from CPU, clock and throughput of the same row, its interval from"
                        + " those of each repeat.");
        published(HubStudy.published());
    }

    /** {@return all of them} */
    static List<String> of(Results results) {
        return new Notes(results).texts;
    }

    private void published(HubStudy study) {
        texts.add("Published columns: " + study.source().words()
                + "; other hardware, SCSI+BBWC is 15,000 rpm SCSI behind a battery-backed write"
                + " cache, SATA 7,200 rpm without write caching.");
        for (HubStudy.Note note : study.notes()) {
            Figure.STUDY.stream()
                    .filter(column -> column.key().equals(note.field()))
                    .forEach(column ->
                            texts.add("Published, " + column.heading() + ": " + note.note() + "."));
        }
    }

    /** What is counted elsewhere is counted at another time, too. */
    private void watched(@Nullable TargetWatch watch) {
        if (watch == null) {
            return;
        }
        Double error = watch.alignmentErrorMs();
        texts.add("The server ran on another machine, whose counters were read by "
                + watch.command()
                + (error == null
                        ? "."
                        : String.format(
                                Locale.ROOT,
                                "; the time in which they were counted began and ended at most %.1f"
                                        + " ms beside the measured time.",
                                error)));
        if (watch.counts().equals("machine")) {
            texts.add("CPU figures of the server are those of its whole machine: the server's own"
                    + " processes were not counted separately.");
        }
    }

    private void ofRepeats(Results results) {
        for (Scenario scenario : results.scenarios()) {
            for (Scenario.Repeat repeat : scenario.repeats()) {
                for (String note : repeat.remarks()) {
                    texts.add(scenario.id() + ", repeat " + repeat.repeat() + ": " + note + ".");
                }
            }
        }
    }

    private void sharedDevice(Results results) {
        Map<String, List<String>> rolesByDevice = new HashMap<>();
        for (VolumeDisclosure volume : results.measured().volumes()) {
            if (volume.device() != null) {
                rolesByDevice
                        .computeIfAbsent(volume.device(), device -> new ArrayList<>())
                        .add(volume.role());
            }
        }
        rolesByDevice.forEach((device, roles) -> {
            // In a matrix a role stands there once for each place that it had.
            boolean once = Set.copyOf(roles).size() == roles.size();
            if (roles.size() > 1 && once && !matrix(results)) {
                texts.add("The volumes " + String.join(", ", roles) + " share the device " + device
                        + ": they wait for each other, and the device's counters cannot tell them"
                        + " apart.");
            }
        });
    }

    private static boolean matrix(Results results) {
        return results.measured().volumes().size() > 3;
    }

    /** What is neither safe nor known to be unsafe. */
    private void unproven(Results results) {
        Map<String, Set<String>> rolesByReason = new TreeMap<>();
        for (VolumeDisclosure volume : results.measured().volumes()) {
            if (isUnproven(volume)) {
                rolesByReason
                        .computeIfAbsent(
                                Objects.requireNonNullElse(volume.sync().syncReason(), ""),
                                reason -> new TreeSet<>())
                        .add(volume.role());
            }
        }
        rolesByReason.forEach((reason, roles) -> texts.add(
                "Whether a sync of the " + String.join(" and the ", roles) + " volume survives a"
                        + " power loss can't be told from this machine. " + reason));
    }

    /** {@return whether nobody can tell if a sync of it survives a power loss} */
    static boolean isUnproven(VolumeDisclosure volume) {
        return SyncReliability.Grade.UNKNOWN.text().equals(volume.sync().syncVerdict());
    }

    private void engineCounters(Results results) {
        var engine = new TreeSet<String>();
        for (Scenario scenario : results.scenarios()) {
            CounterSource source = scenario.counterSource();
            if (ENGINE.equals(source.log())) {
                engine.add("log");
            }
            if (ENGINE.equals(source.queue())) {
                engine.add("queue");
            }
        }
        if (!engine.isEmpty()) {
            texts.add(
                    "Disk figures of " + String.join(" and ", engine) + " are counted by the store"
                            + " itself (writes it asked for), not by the device.");
        }
    }
}
