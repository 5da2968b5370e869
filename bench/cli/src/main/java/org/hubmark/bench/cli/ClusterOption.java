package org.hubmark.bench.cli;

import picocli.CommandLine.Option;

import java.nio.file.Path;

/** Where a cluster is. */
final class ClusterOption {
    @Option(
            names = "--folder",
            paramLabel = "DIR",
            defaultValue = "hubmark-cluster",
            description =
                    "Where the cluster is, and what its processes say. Default: ${DEFAULT-VALUE}.")
    private Path folder;

    Path folder() {
        return folder;
    }
}
