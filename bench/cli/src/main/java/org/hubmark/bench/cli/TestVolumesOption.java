package org.hubmark.bench.cli;

import org.hubmark.bench.machine.volumes.TestVolumes;

import picocli.CommandLine.Option;

import java.nio.file.Path;

/** Where test volumes are remembered. */
final class TestVolumesOption {
    /** Where it is unless told otherwise. */
    static final String DEFAULT = "hubmark-volumes";

    /** Those that are there. */
    static final TestVolumes USUAL = new TestVolumes(Path.of(DEFAULT));

    @Option(
            names = "--images",
            defaultValue = DEFAULT,
            description = "Folder of the volumes' images.")
    private Path state;

    TestVolumes volumes() {
        return new TestVolumes(state);
    }

    Path folder() {
        return state;
    }
}
