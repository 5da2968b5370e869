package org.hubmark.bench.plan;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What a plan takes from a probe of a volume: the I/O of one of its disks. */
record ProbeFile(
        @Nullable Volume volume,
        boolean directIo,
        boolean emulated,
        @Nullable Integer blockBytes,
        @Nullable Timings randomRead,
        @Nullable Timings randomWrite) {
    /** It prints no schema. */
    private static final ObjectMapper MAPPER =
            JsonFile.mapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private record Volume(@Nullable List<String> media) {}

    private record Timings(@Nullable Double ratePerSecond) {}

    /** Reads it: the smaller of the rates of random reads and writes, for each disk below the volume. */
    static void read(Path file, Collected into) {
        ProbeFile all;
        try {
            all = MAPPER.treeToValue(JsonFile.read(file), ProbeFile.class);
        } catch (IOException e) {
            throw UserError.failed(FileErrors.text(e));
        }
        Double reads = all.randomRead == null ? null : all.randomRead.ratePerSecond;
        Double writes = all.randomWrite == null ? null : all.randomWrite.ratePerSecond;
        if (reads == null || writes == null) {
            throw UserError.usage(file + " has no rates of random reads and writes; plan reads what"
                    + " volumes probe --json prints");
        }
        if (!all.directIo) {
            throw UserError.usage(file + ": the rates are of memory, the volume has no direct I/O;"
                    + " probe the volume of the databases");
        }
        List<String> disks = all.volume == null ? null : all.volume.media;
        if (disks == null || disks.isEmpty()) {
            throw UserError.usage(
                    file + ": the disks below the volume are not known; give" + " --disk-iops N");
        }
        if (all.emulated) {
            into.warn(file + ": the device was emulated");
        }
        into.warn(file + ": a drive is what the probe says of blocks of " + all.blockBytes
                + " octets, without a limit of latency; a qualification says more");
        into.measured(
                PlanInputs.DISK_IOPS_PROBED,
                Math.min(reads, writes) / disks.size(),
                Source.measured(file + ": the smaller of random reads and writes, for each of "
                        + String.join(", ", disks)));
    }
}
