package org.hubmark.bench.machine.cluster;

import org.hubmark.core.OutputFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.IntFunction;

/** Writes the configuration files of a cluster's processes. */
final class ClusterFiles {
    /** Room for Pulsar's largest message: with the default large mail is never stored. */
    private static final int FRAME_BYTES_MAX = 5_253_120;

    /** After so long a broker that died has lost its topics: 30 s by default, in which no mail is taken. */
    private static final int SESSION_MILLIS = 6000;

    /**
     * A bookie that is silent for so long is replaced. The default of brokers is 30 s, in which mail waits
     * where a ledger has to be closed that the bookie had a part in.
     */
    private static final int BOOKIE_ANSWER_SECONDS = 10;

    /**
     * Recovery closes a ledger that is still written to when a bookie of it has gone for so long. With the
     * default of 30 s that befell ledgers whose broker was about to replace the bookie.
     */
    private static final int OPEN_LEDGER_MILLIS = 300_000;

    private final Path folder;
    private final ClusterLayout layout;
    private final ClusterPorts ports;
    private final IntFunction<String> addresses;

    /**
     * Prepares.
     *
     * @param addresses of the hosts; 0 is the machine itself
     */
    ClusterFiles(
            Path folder, ClusterLayout layout, ClusterPorts ports, IntFunction<String> addresses) {
        this.folder = folder;
        this.layout = layout;
        this.ports = ports;
        this.addresses = addresses;
    }

    Path zooKeeper() throws IOException {
        Path data = Files.createDirectories(folder.resolve("zookeeper"));
        return write(
                "zookeeper.conf",
                String.format(Locale.ROOT, """
                dataDir=%s
                clientPort=%d
                clientPortAddress=%s
                admin.enableServer=false
                maxClientCnxns=0
                tickTime=2000
                4lw.commands.whitelist=dump
                """, data, ports.zooKeeper(), addresses.apply(0)));
    }

    Path bookie(int bookie) throws IOException {
        Path journal = Files.createDirectories(layout.journal(bookie));
        Path ledgers = Files.createDirectories(layout.ledger(bookie));
        return write(
                "bookie-" + bookie + ".conf",
                String.format(
                        Locale.ROOT,
                        """
                bookiePort=%d
                advertisedAddress=%s
                allowLoopback=true
                listeningInterface=%s
                journalDirectories=%s
                ledgerDirectories=%s
                indexDirectories=%s
                metadataServiceUri=metadata-store:%s
                ledgerStorageClass=org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage
                dbStorage_writeCacheMaxSizeMb=64
                dbStorage_readAheadCacheMaxSizeMb=32
                nettyMaxFrameSizeBytes=%d
                journalSyncData=true
                journalMaxGroupWaitMSec=1
                autoRecoveryDaemonEnabled=true
                openLedgerRereplicationGracePeriod=%d
                httpServerEnabled=false
                """,
                        ports.bookie(bookie),
                        addresses.apply(bookie),
                        layout.ownHosts() ? "eth0" : "lo",
                        journal,
                        ledgers,
                        ledgers,
                        metadataStore(),
                        FRAME_BYTES_MAX,
                        OPEN_LEDGER_MILLIS));
    }

    Path broker(int broker) throws IOException {
        return write(
                "broker-" + broker + ".conf",
                String.format(
                        Locale.ROOT,
                        """
                clusterName=%1$s
                metadataStoreUrl=%2$s
                configurationMetadataStoreUrl=%2$s
                bindAddress=%3$s
                advertisedAddress=%3$s
                brokerServicePort=%4$d
                webServicePort=%5$d
                managedLedgerDefaultEnsembleSize=%6$d
                managedLedgerDefaultWriteQuorum=%6$d
                managedLedgerDefaultAckQuorum=%7$d
                managedLedgerCacheSizeMB=64
                numIOThreads=2
                numHttpServerThreads=4
                delayedDeliveryTickTimeMillis=100
                functionsWorkerEnabled=false
                transactionCoordinatorEnabled=false
                metadataStoreSessionTimeoutMillis=%8$d
                bookkeeperClientTimeoutInSeconds=%9$d
                """,
                        ClusterProcesses.NAME,
                        metadataStore(),
                        addresses.apply(broker),
                        ports.broker(broker),
                        ports.web(broker),
                        layout.copies(),
                        layout.synced(),
                        SESSION_MILLIS,
                        BOOKIE_ANSWER_SECONDS));
    }

    Path logging() throws IOException {
        return write("log4j2.xml", """
                <Configuration status="WARN"><Appenders><Console name="out"><PatternLayout
                pattern="%d{ISO8601} %-5level [%t] %c{1} - %m%n"/></Console></Appenders>
                <Loggers><Root level="warn"><AppenderRef ref="out"/></Root></Loggers></Configuration>
                """);
    }

    String metadataStore() {
        return "zk:" + addresses.apply(0) + ":" + ports.zooKeeper();
    }

    private Path write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        OutputFile.write(file, text);
        return file;
    }
}
