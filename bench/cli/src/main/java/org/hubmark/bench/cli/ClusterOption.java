package org.hubmark.bench.cli;

import picocli.CommandLine.Option;

import java.nio.file.Path;

/** Where a cluster is. */
final class ClusterOption {
    @Option(
            names = "--folder",
            paramLabel = "DIR",
            defaultValue = "hubmark-cluster",
            description = "Folder of the cluster. Default: ${DEFAULT-VALUE}.")
    private Path folder;

    Path folder() {
        return folder;
    }
}
