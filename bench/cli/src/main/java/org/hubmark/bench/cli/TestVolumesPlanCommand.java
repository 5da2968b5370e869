package org.hubmark.bench.cli;

import org.hubmark.bench.machine.volumes.TestVolume;
import org.hubmark.server.VolumesPlan;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.concurrent.Callable;

/** Says what a hub would do on its volumes, test volumes among them, and touches nothing. */
@Command(
        name = VolumesPlan.NAME,
        mixinStandardHelpOptions = true,
        description = VolumesPlan.DESCRIPTION)
final class TestVolumesPlanCommand implements Callable<Integer> {
    @Mixin
    private VolumesPlan plan;

    @Mixin
    private TestVolumesOption state;

    @Override
    public Integer call() {
        return plan.print(
                folders -> TestVolume.inspect(folders, state.volumes().list()),
                "volumes probe measures whether syncs reach the medium");
    }
}
