package org.hubmark.bench.cli;

import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.devices.VolumesJson;
import org.hubmark.bench.machine.folders.FolderClaim;
import org.hubmark.bench.machine.volumes.ProbeResult;
import org.hubmark.bench.machine.volumes.TestVolume;
import org.hubmark.bench.machine.volumes.VolumeProbe;
import org.hubmark.server.Converters;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/** Measures what a volume can do. */
@Command(
        name = "probe",
        description = "Measures a volume: the time of a sync, sequential and random rates, and"
                + " whether a sync really reaches the medium. Removes its file at the end.")
final class VolumesProbeCommand implements Callable<Integer> {
    private static final int MILLIS_MAX = 600_000;

    @Parameters(paramLabel = "DIR", description = "Folder on the volume.")
    private Path folder;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "Measured time (ms, s, m, h). Default: ${DEFAULT-VALUE}.")
    private Duration duration;

    @Option(
            names = "--size",
            paramLabel = "SIZE",
            defaultValue = "256MiB",
            converter = Converters.Size.class,
            description = "Size; of the file, at most. Default: ${DEFAULT-VALUE}.")
    private long size;

    @Mixin
    private CommonOptions.Json json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Ranges.atLeast("--size", size, VolumeProbe.FILE_BYTES_MIN);
        Ranges.within("--duration in ms,", duration.toMillis(), 1, MILLIS_MAX);
        VolumesCommand.checkFolders(List.of(folder));
        if (EmulatedCommand.isNeeded(TestVolumesOption.USUAL, List.of(folder))) {
            return EmulatedCommand.run(spec);
        }
        try (Interruption unused = new Interruption()) {
            ProbeResult result = probe();
            if (json.on) {
                System.out.println(VolumesJson.write(result));
            } else {
                ProbeLines.print(result, System.out);
            }
            System.out.flush();
            return 0;
        } catch (InterruptedException e) {
            return Outcomes.INTERRUPTED;
        }
    }

    private ProbeResult probe() throws IOException, InterruptedException {
        VolumeFacts facts = TestVolume.inspect(List.of(folder), TestVolumesOption.USUAL.list())
                .getFirst();
        try (FolderClaim unused = FolderClaim.of(folder)) {
            return VolumeProbe.run(folder, facts, duration, size);
        }
    }
}
