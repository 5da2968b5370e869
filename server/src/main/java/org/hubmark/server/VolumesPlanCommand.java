package org.hubmark.server;

import org.hubmark.hub.volumes.VolumeInspection;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.concurrent.Callable;

/** Says what a hub would do on its volumes, and touches nothing. */
@Command(name = VolumesPlan.NAME, description = VolumesPlan.DESCRIPTION)
final class VolumesPlanCommand implements Callable<Integer> {
    @Mixin
    private VolumesPlan plan;

    @Override
    public Integer call() {
        return plan.print(
                VolumeInspection::inspect, "whether syncs reach the medium takes a measurement");
    }
}
