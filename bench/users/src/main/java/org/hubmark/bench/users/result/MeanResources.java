package org.hubmark.bench.users.result;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** What the middle runs of a level spent on average. */
final class MeanResources {
    private MeanResources() {}

    /** {@return it, or null when nothing is known of any} */
    static @Nullable Resources of(MiddleRuns middle) {
        List<Resources> known = middle.runs().stream()
                .map(UserRun::resources)
                .filter(Objects::nonNull)
                .toList();
        if (known.isEmpty()) {
            return null;
        }
        Map<String, List<Resources.Disk>> disks = new LinkedHashMap<>();
        for (Resources one : known) {
            for (Resources.Disk disk : one.disks()) {
                disks.computeIfAbsent(disk.device(), unused -> new ArrayList<>())
                        .add(disk);
            }
        }
        return new Resources(
                known.getFirst().source(),
                mean(known, Resources::cpuPercent),
                mean(known, Resources::serverCpuPercent),
                mean(known, Resources::availableMemoryMb),
                mean(known, Resources::pagesPerS),
                mean(known, Resources::networkReceivedBytesPerS),
                mean(known, Resources::networkSentBytesPerS),
                mean(known, Resources::driverCpuPercent),
                mean(known, Resources::driverMemoryMb),
                disks.values().stream().map(MeanResources::disk).toList());
    }

    private static Resources.Disk disk(List<Resources.Disk> its) {
        return new Resources.Disk(
                its.getFirst().device(),
                its.getFirst().roles(),
                mean(its, Resources.Disk::queueLength),
                mean(its, Resources.Disk::readsPerS),
                mean(its, Resources.Disk::writesPerS),
                mean(its, Resources.Disk::readBytesPerS),
                mean(its, Resources.Disk::writtenBytesPerS),
                mean(its, Resources.Disk::busyPercent));
    }

    private static <T> @Nullable Double mean(List<T> all, Function<T, @Nullable Double> figure) {
        double sum = 0;
        int count = 0;
        for (T one : all) {
            Double value = figure.apply(one);
            if (value != null) {
                sum += value;
                count++;
            }
        }
        return count == 0 ? null : (Double) (sum / count);
    }
}
