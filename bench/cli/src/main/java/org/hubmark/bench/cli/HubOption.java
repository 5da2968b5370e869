package org.hubmark.bench.cli;

import org.hubmark.bench.hub.Installation;
import org.hubmark.core.UserError;

import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;

/** Other versions of the hub, as an axis. */
final class HubOption {
    @Option(names = "--hub", split = ",", description = "Installations or checkouts of hubs.")
    List<Path> folders = List.of();

    /** Has checkouts built that are not. */
    void check() throws IOException {
        if (new HashSet<>(folders).size() < folders.size()) {
            throw UserError.usage("--hub names a folder twice");
        }
        try {
            for (Path folder : folders) {
                Installation.prepare(folder);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw UserError.failed("interrupted while a hub was built");
        }
    }
}
