package org.hubmark.bench.mail.report;

import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.machine.watch.TargetWatch;
import org.hubmark.bench.mail.document.CounterSource;
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

/** What has to be known to read the tables: remarks on single rows first, then on the whole. */
final class Notes {
    private static final String ENGINE = "engine";

    private final List<String> texts = new ArrayList<>();
    private final Map<Field, Integer> numbers = new HashMap<>();

    Notes(PublishedStudy study, Results results) {
        for (ScenarioRow row : study.rows()) {
            study.note(row.field()).ifPresent(text -> add(row.field(), "Published: " + text + "."));
        }
        watched(results.targetWatch());
        ofRepeats(results);
        sharedDevice(results);
        unproven(results);
        engineCounters(results);
        texts.add("%CPU and Msg Cost (MCyc/msg) count the whole machine with the kernel, less the"
                + " load driver's own processes; cycles are CPU time x the clock of the"
                + " busy cores; cycles_source says where that clock comes from. Msg Cost is"
                + " not counted: it is computed from %CPU, clock and throughput of the same"
                + " row, its interval from those of each repeat.");
        texts.add("1 KB = 1000 bytes. A dash is a figure that is not known, never a zero.");
        if (!study.columns().isEmpty()) {
            texts.add("Published columns: " + study.source() + "; other hardware, SCSI+BBWC is"
                    + " 15,000 rpm SCSI behind a battery-backed write cache, SATA 7,200 rpm without"
                    + " write caching.");
        }
    }

    /** {@return the label of a row, with the number of the note on it if there is one} */
    String marked(ScenarioRow row) {
        Integer number = numbers.get(row.field());
        return number == null ? row.label() : row.label() + " [" + number + "]";
    }

    /** {@return all, the numbered ones first} */
    List<String> texts() {
        return List.copyOf(texts);
    }

    private void add(Field field, String text) {
        texts.add(text);
        numbers.put(field, texts.size());
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
        return volume.sync().syncVerdict() != null
                && volume.sync().syncVerdict().startsWith("unknown");
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
