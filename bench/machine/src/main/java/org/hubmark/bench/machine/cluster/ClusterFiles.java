package org.hubmark.bench.machine.cluster;

import org.hubmark.bench.machine.folders.Resource;
import org.hubmark.core.OutputFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Writes the configuration files of a cluster's processes. What is the same in all clusters stands in resources.
 *
 * @param addresses of the hosts; 0 is the machine itself
 */
record ClusterFiles(
        Path folder, ClusterLayout layout, ClusterPorts ports, IntFunction<String> addresses) {
    Path zooKeeper() throws IOException {
        return write(
                "zookeeper.conf",
                "zookeeper.conf",
                Map.of(
                        "data", Files.createDirectories(folder.resolve("zookeeper")),
                        "port", ports.zooKeeper(),
                        "address", addresses.apply(0)));
    }

    Path bookie(int bookie) throws IOException {
        return write(
                "bookie.conf",
                "bookie-" + bookie + ".conf",
                Map.of(
                        "port", ports.bookie(bookie),
                        "address", addresses.apply(bookie),
                        "interface", layout.ownHosts() ? "eth0" : "lo",
                        "journal", Files.createDirectories(layout.journal(bookie)),
                        "ledgers", Files.createDirectories(layout.ledger(bookie)),
                        "metadata", metadataStore()));
    }

    Path broker(int broker) throws IOException {
        return write(
                "broker.conf",
                "broker-" + broker + ".conf",
                Map.of(
                        "cluster", ClusterProcesses.NAME,
                        "metadata", metadataStore(),
                        "address", addresses.apply(broker),
                        "port", ports.broker(broker),
                        "web", ports.web(broker),
                        "copies", layout.copies(),
                        "synced", layout.synced()));
    }

    Path logging() throws IOException {
        return write("log4j2.xml", "log4j2.xml", Map.of());
    }

    /** {@return the options of each JVM} */
    static List<String> javaOptions() throws IOException {
        return Resource.text("/cluster/java.options")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    String metadataStore() {
        return "zk:" + addresses.apply(0) + ":" + ports.zooKeeper();
    }

    private Path write(String resource, String name, Map<String, Object> values)
            throws IOException {
        String text = Resource.text("/cluster/" + resource);
        for (Map.Entry<String, Object> value : values.entrySet()) {
            text = text.replace("${" + value.getKey() + "}", value.getValue().toString());
        }
        Path file = folder.resolve(name);
        OutputFile.write(file, text);
        return file;
    }
}
