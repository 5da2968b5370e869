package org.hubmark.bench.qualify.report;

import org.hubmark.bench.kit.document.YamlResource;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/** NetApp TR-3766: storage that was measured with a read cache for metadata and without. */
public record PublishedPairs(List<Configuration> configurations) {
    /** Name of the source. */
    public static final String NAME = "pam-tr3766";

    public static final PublishedPairs TR_3766 = YamlResource.published(NAME, PublishedPairs.class);

    /** One storage, with what the source makes of its pair; null where it does not. */
    public record Configuration(
            String id,
            double users,
            double iopsPerUser,
            double mailboxSizeMb,
            Disks disks,
            Results results,
            @Nullable Double extraDbIops,
            @Nullable Double extraUsers,
            @Nullable Double drivesSaved,
            @Nullable Double storageEfficiencyPercent,
            @Nullable Double snapshotReservePercent) {}

    /** The disks of a storage. */
    public record Disks(double count, String type, double capacityGb) {}

    /** Figures by the keys of our columns; null where none is printed. */
    public record Results(
            Map<String, @Nullable Double> pamEnabled,
            Map<String, @Nullable Double> pamDisabled,
            Map<String, @Nullable Double> improvementPercent) {}
}
