package org.hubmark.bench.cli;

import org.hubmark.core.UserError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The jars of a cluster's servers, which never meet ours: they bring an older RocksDB. */
final class ClusterClassPath {
    /** Says where the servers' class path stands; the start script sets it. */
    private static final String FILE = "hubmark.cluster.classpath";

    private ClusterClassPath() {}

    static String read() throws IOException {
        String file = System.getProperty(FILE);
        if (file == null) {
            throw UserError.failed(
                    "the start script finds the servers' jars; run ./hubmark from the sources");
        }
        return Files.readString(Path.of(file)).strip();
    }
}
