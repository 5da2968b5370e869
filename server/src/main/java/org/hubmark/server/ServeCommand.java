package org.hubmark.server;

import org.hubmark.core.ByteSize;
import org.hubmark.core.Durability;
import org.hubmark.core.Settings;
import org.hubmark.core.UserError;
import org.hubmark.hub.Hub;
import org.hubmark.hub.HubConfiguration;
import org.hubmark.hub.HubParts;
import org.hubmark.hub.IntakeKind;
import org.hubmark.hub.audit.AuditShare;
import org.hubmark.hub.audit.AuditedDiscard;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.queue.QueueReader;
import org.hubmark.queue.QueueStore;
import org.hubmark.smtp.SmtpReceiver;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Runs a hub until SIGTERM. */
@Command(
        name = ServeCommand.NAME,
        description = {
            "Runs the hub until SIGTERM or SIGINT.",
            "It then accepts no new mail, ends the deliveries under way, leaves the rest durable in"
                    + " the queue, and exits with 0.",
            "Prints 'listening on HOST:PORT' on standard output when it is ready, and logs its events"
                    + " on standard error, one a line."
        })
public final class ServeCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);
    static final String NAME = "serve";

    static final String SIZE_MAX = "smtp.message-size-max";

    /** Those that have no effect on a queue in a cluster. */
    private static final List<String> STORE_OPTIONS = List.of(
            "--log-volume",
            "--queue-volume",
            "--existing-only",
            "--durability",
            "--checkpoint-depth",
            "--intake");

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServedVolumes volumes;

    @Mixin
    private StoreOptions storeOptions;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:2525",
            converter = Converters.Address.class,
            description =
                    "Address to listen on; port 0 picks a free one. Default: ${DEFAULT-VALUE}.")
    private InetSocketAddress listen;

    @Option(
            names = "--deliver",
            paramLabel = "WHERE",
            defaultValue = "hold",
            description = "Delivery of the mail; hold, directory:DIR, smtp:// or lmtp://"
                    + " (docs/delivery.md). Default: ${DEFAULT-VALUE}.")
    private DeliverySpec delivery;

    @Option(
            names = "--metrics",
            paramLabel = "HOST:PORT",
            converter = Converters.Address.class,
            description = "Address of metrics, health and settings; see"
                    + " docs/operating.md. Default: none.")
    private @Nullable InetSocketAddress metrics;

    @Option(
            names = "--max-message-size",
            paramLabel = "SIZE",
            converter = Converters.Size.class,
            description =
                    "Largest message; the same as --set " + SIZE_MAX + "=SIZE. Default: 150MB.")
    private @Nullable Long messageSizeMax;

    @Option(
            names = "--relay-from",
            paramLabel = "CIDR",
            description =
                    "Networks (CIDR) whose clients may send to all. Default: all, if on loopback.")
    private @Nullable String relayFrom;

    @Option(
            names = "--accept-domains",
            paramLabel = "DOMAIN",
            description = "Domains to which every client may send; .example.org: all"
                    + " below it. Default: none.")
    private @Nullable String acceptDomains;

    @Option(
            names = "--tls-certificate",
            paramLabel = "FILE",
            description = "PEM file with the certificate chain, the hub's own first, for"
                    + " STARTTLS. Default: no TLS.")
    private @Nullable Path tlsCertificate;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "PEM file with the certificate's private key (PKCS #8, not"
                    + " encrypted). Default: no TLS.")
    private @Nullable Path tlsKey;

    @Option(
            names = "--audit",
            hidden = true,
            defaultValue = "off",
            description = "Messages that --audit-file records.")
    private AuditShare audit;

    @Option(
            names = "--audit-file",
            hidden = true,
            paramLabel = "FILE",
            description =
                    "File for the id, length and CRC32 of messages as they are delivered; with"
                            + " --deliver discard. For run, which compares them with what it sent.")
    private @Nullable Path auditFile;

    @Option(
            names = "--queue",
            paramLabel = "ADDRESS",
            description = "Queue on Apache Pulsar in place of the volumes"
                    + " (docs/scale-out.md). Default: the volumes.")
    private @Nullable URI queue;

    @Option(
            names = "--log-format",
            paramLabel = "text|json",
            description = "Format of the log: text, or json with an object a line. Default: text.")
    private LogLines.@Nullable Format logFormat;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Value to set; see docs/settings.md. Default: none.")
    private Map<String, String> given = new LinkedHashMap<>();

    @Override
    public Integer call() {
        Logging.serve(logFormat);
        Ending ending = new Ending();
        Runtime.getRuntime().addShutdownHook(ending.hook);
        Hub hub;
        try {
            hub = start();
            ending.hub = hub;
        } catch (UserError e) {
            if (logFormat != LogLines.Format.JSON) {
                throw e;
            }
            say(Level.ERROR, "start_failed", String.valueOf(e.getMessage()));
            return e.exitCode();
        }
        if (hub.takesNothing()) {
            say(
                    Level.WARN,
                    "takes_nothing",
                    "accepts no mail: " + Converters.format(hub.address())
                            + " is not a loopback address; set --relay-from or --accept-domains");
        }
        PrintStream out = System.out;
        if (hub.store().map(QueueStore::isNew).orElse(false)) {
            out.println("made a new, empty queue on log volume " + volumes.log
                    + " and queue volume " + volumes.queue);
        }
        hub.metricsAddress()
                .ifPresent(address -> out.println("metrics on " + Converters.format(address)));
        hub.tlsAddress()
                .ifPresent(address ->
                        out.println("listening with TLS on " + Converters.format(address)));
        Logging.serving();
        out.println("listening on " + Converters.format(hub.address()));
        out.flush();
        Throwable cause = hub.failure().join();
        return ending.afterFailure(hub, cause);
    }

    /** {@return a hub as the arguments ask for it, which is the caller's} Once they have been parsed. */
    public Hub start() {
        try {
            load();
            HubParts parts = HubParts.own();
            HubConfiguration configuration = configuration();
            if (queue == null
                    && volumes.existingOnly
                    && !QueueReader.isThere(volumes.log, volumes.queue)) {
                throw UserError.failed(volumes.absent());
            }
            return Hub.start(configuration, queue == null ? parts : parts.withQueue(queue));
        } catch (IllegalArgumentException e) {
            throw UserError.usage(words(e));
        } catch (IOException e) {
            throw UserError.failed(words(e));
        }
    }

    /** Says what could not be loaded. */
    private void load() {
        try {
            if (queue == null) {
                Hub.preload();
            }
        } catch (RuntimeException | LinkageError e) {
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            throw UserError.failed("can't load the native libraries of a hub: " + words(cause));
        }
    }

    private DeliverySpec delivery() throws IOException {
        if (auditFile == null) {
            return delivery;
        }
        if (!(delivery instanceof DeliverySpec.Discard)) {
            throw UserError.usage("--audit-file needs --deliver discard");
        }
        return new DeliverySpec.Own(AuditedDiscard.to(auditFile, audit));
    }

    private HubConfiguration configuration() throws IOException {
        refuseStoreOptions();
        Map<String, String> texts = new LinkedHashMap<>(given);
        put(texts, SIZE_MAX, messageSizeMax == null ? null : ByteSize.format(messageSizeMax));
        put(texts, "smtp.relay-from", relayFrom);
        put(texts, "smtp.accept-domains", acceptDomains);
        put(texts, "smtp.tls-certificate", tlsCertificate);
        put(texts, "smtp.tls-key", tlsKey);
        return new HubConfiguration(
                listen,
                metrics,
                volumes.folders(),
                storeOptions.durability(),
                storeOptions.checkpointDepthBytes(),
                storeOptions.intake(),
                delivery(),
                new Settings(texts),
                InstantSource.system(),
                volumes.existingOnly);
    }

    private static void put(Map<String, String> texts, String key, @Nullable Object value) {
        if (value != null) {
            texts.put(key, value.toString());
        }
    }

    /**
     * Refuses the options of the store on the volumes with a queue in a cluster, where they would
     * have no effect.
     */
    private void refuseStoreOptions() {
        if (queue == null) {
            return;
        }
        for (String option : STORE_OPTIONS) {
            if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
                throw UserError.usage(
                        option + " is for a queue on this machine's volumes; with --queue"
                                + " the cluster decides");
            }
        }
    }

    /** What every command says in this way, unless all is to be JSON. */
    private void say(Level level, String event, String text) {
        if (logFormat == LogLines.Format.JSON) {
            LOG.atLevel(level).addKeyValue("event", event).log(text);
        } else {
            System.err.println("hubmark: " + text);
            System.err.flush();
        }
    }

    private static String words(Throwable e) {
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }

    /** End of the process: by a signal, or because the hub failed, whichever comes first. */
    private final class Ending {
        private final Thread hook = new Thread(this::onSignal, "drain");
        private volatile @Nullable Hub hub;

        /** The JVM would exit with 143; a hub that drained has done what it was asked to: 0. */
        @SuppressWarnings("SystemExitOutsideMain")
        private void onSignal() {
            Hub started = hub;
            if (started == null) {
                // A start is not brought to its end: it has answered for nothing yet.
                QueueStore.leaveAll();
                return;
            }
            LOG.atInfo()
                    .addKeyValue("event", "signal")
                    .log("received a signal to stop (SIGTERM, SIGINT or SIGHUP)");
            Runtime.getRuntime().halt(drain(started, started.failure().getNow(null)));
        }

        private int afterFailure(Hub hub, Throwable cause) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // A signal came first; its hook drains, says why and ends the process.
                return 1;
            }
            return drain(hub, cause);
        }

        private int drain(Hub hub, @Nullable Throwable cause) {
            @Nullable Throwable why = cause;
            try {
                hub.close();
            } catch (IOException | RuntimeException e) {
                why = why == null ? e : why;
            } finally {
                QueueStore.leaveAll();
            }
            if (why == null) {
                why = hub.failure().getNow(null);
            }
            if (why == null) {
                return 0;
            }
            say(Level.ERROR, "hub_failed", "the hub stopped: " + words(why));
            return 1;
        }
    }

    /**
     * Checks settings before anything is started.
     *
     * @throws UserError if a hub would not start with them
     */
    public static void checkSettings(Map<String, String> settings, IntakeKind intake) {
        try {
            Hub.check(new HubConfiguration(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    null,
                    new ServedVolumes().folders(),
                    new Durability.Synced(),
                    ByteSize.parse(StoreOptions.CHECKPOINT_DEPTH_DEFAULT),
                    intake,
                    new DeliverySpec.Hold(),
                    new Settings(settings),
                    InstantSource.system()));
        } catch (IllegalArgumentException e) {
            throw UserError.usage(words(e));
        } catch (IOException e) {
            throw UserError.failed(words(e));
        }
    }

    /** {@return octets of the largest message that a hub with these settings takes} */
    public static long messageBytesMax(Map<String, String> settings) {
        try {
            return SmtpReceiver.messageBytesMax(new Settings(settings));
        } catch (IllegalArgumentException e) {
            throw UserError.usage(words(e));
        }
    }
}
