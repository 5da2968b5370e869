package org.hubmark.bench.cli;

import org.hubmark.bench.machine.folders.FolderClaim;
import org.hubmark.bench.machine.volumes.ProbeResult;
import org.hubmark.bench.machine.volumes.SyncEmulation;
import org.hubmark.bench.machine.volumes.TestVolume;
import org.hubmark.bench.machine.volumes.VolumeProbe;
import org.hubmark.bench.mail.study.Interruption;
import org.hubmark.core.UserError;
import org.hubmark.hub.volumes.VolumeFacts;
import org.hubmark.hub.volumes.VolumesJson;
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
        mixinStandardHelpOptions = true,
        description = "Measures a volume: the time of a sync, sequential and random rates, and"
                + " whether a sync really reaches the medium. Removes its file at the end.")
final class VolumesProbeCommand implements Callable<Integer> {
    private static final int INTERRUPTED = 130;

    @Parameters(paramLabel = "DIR", description = "Folder on the volume.")
    private Path folder;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "Approximate time of the probe. Default: ${DEFAULT-VALUE}.")
    private Duration duration;

    @Option(
            names = "--size",
            paramLabel = "SIZE",
            defaultValue = "256MiB",
            converter = Converters.Size.class,
            description = "Largest size of the file. Default: ${DEFAULT-VALUE}.")
    private long size;

    @Mixin
    private CommonOptions.Json json;

    @Mixin
    private TestVolumesOption state;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        VolumeProbe.Plan plan;
        try {
            plan = new VolumeProbe.Plan(duration, size);
        } catch (IllegalArgumentException e) {
            throw UserError.usage(String.valueOf(e.getMessage()));
        }
        VolumesCommand.checkFolders(List.of(folder));
        try (Interruption unused = new Interruption()) {
            List<TestVolume> made = state.volumes().list();
            TestVolume around = TestVolume.enclosing(folder, made);
            if (around != null && around.profile() != null && !SyncEmulation.active()) {
                return EmulatedCommand.run(spec, state.volumes());
            }
            ProbeResult result = probe(plan, made);
            if (json.on) {
                System.out.println(VolumesJson.write(result));
            } else {
                ProbeLines.print(result, System.out);
            }
            System.out.flush();
            return 0;
        } catch (IOException e) {
            throw VolumesCommand.failed(e);
        } catch (InterruptedException e) {
            return INTERRUPTED;
        }
    }

    private ProbeResult probe(VolumeProbe.Plan plan, List<TestVolume> made)
            throws IOException, InterruptedException {
        VolumeFacts facts = TestVolume.inspect(List.of(folder), made).getFirst();
        try (FolderClaim unused = FolderClaim.of(folder)) {
            return VolumeProbe.run(folder, facts, plan);
        }
    }
}
