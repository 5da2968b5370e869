package org.hubmark.bench.qualify.phase;

import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.DiskReader;
import org.hubmark.bench.machine.devices.VolumeStack;
import org.hubmark.bench.machine.kernel.DiskCounter;
import org.hubmark.bench.machine.kernel.DiskCounters;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.VolumeFigures;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The devices under the volumes, and what the kernel counts of them. Two spellings of a folder, or two
 * folders of one file system, are one device. One thread.
 */
final class Devices {
    private final Map<String, Set<String>> roles = new TreeMap<>();
    private final DiskReader reader;
    private final Map<String, DiskCounters> before;
    private final long beganNanos;

    /** Begins: what is done from now on counts. */
    Devices(QualifyRequest.Databases databases) throws IOException {
        add("database", databases.volumes());
        add("log", databases.logVolumes());
        reader = new DiskReader(roles.keySet());
        beganNanos = System.nanoTime();
        before = reader.read();
    }

    private void add(String role, List<Path> volumes) throws IOException {
        for (Path volume : volumes) {
            String device = VolumeStack.of(volume).deviceName();
            if (device != null) {
                roles.computeIfAbsent(device, name -> new TreeSet<>()).add(role);
            }
        }
    }

    /** {@return what was done since the begin} */
    List<Repeat> counted() {
        long nanos = System.nanoTime() - beganNanos;
        Map<String, DiskCounters> now = reader.read();
        List<Repeat> counted = new ArrayList<>();
        roles.forEach((device, its) -> {
            Repeat.Builder one = Repeat.counted()
                    .name(PhaseFigures.DEVICE, device)
                    .name(VolumeFigures.ROLES, List.copyOf(its));
            count(before.get(device), now.get(device), nanos, one);
            counted.add(one.made());
        });
        return counted;
    }

    /** Takes down by how much counters have grown; nothing where they are not known, or began anew. */
    static void count(
            @Nullable DiskCounters from,
            @Nullable DiskCounters to,
            long nanos,
            Repeat.Builder into) {
        if (from == null || to == null) {
            return;
        }
        DiskCounters grown = to.growth(from);
        if (grown == null) {
            return;
        }
        Set<DiskCounter> wanted = EnumSet.allOf(DiskCounter.class);
        wanted.remove(DiskCounter.WEIGHTED_MS);
        if (!to.timed()) {
            wanted.remove(DiskCounter.WRITE_MS);
        }
        into.count(InstanceFigures.COLLECTION_NS, nanos);
        MachineMeter.count(grown, wanted, into);
    }
}
