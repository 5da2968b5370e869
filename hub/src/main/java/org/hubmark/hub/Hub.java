package org.hubmark.hub;

import org.hubmark.core.BodyType;
import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.FileErrors;
import org.hubmark.core.Intake;
import org.hubmark.core.MailQueue;
import org.hubmark.core.Settings;
import org.hubmark.hub.admin.AdminCommands;
import org.hubmark.hub.admin.AdminPages;
import org.hubmark.hub.admin.AdminServer;
import org.hubmark.hub.admin.AdminSettings;
import org.hubmark.hub.admin.AdminSocket;
import org.hubmark.hub.delivery.DeadLetterRetention;
import org.hubmark.hub.delivery.DeliverySettings;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.delivery.DirectoryAgent;
import org.hubmark.hub.delivery.DiscardAgent;
import org.hubmark.hub.delivery.Dispatcher;
import org.hubmark.hub.delivery.MessageFolder;
import org.hubmark.hub.delivery.ResidenceHistogram;
import org.hubmark.hub.pressure.BackPressure;
import org.hubmark.hub.pressure.PressureSettings;
import org.hubmark.hub.pressure.QueueSampler;
import org.hubmark.hub.relay.CallAhead;
import org.hubmark.hub.relay.NextHopAgent;
import org.hubmark.hub.tracking.TrackingLog;
import org.hubmark.queue.QueueStore;
import org.hubmark.queue.StoreConfiguration;
import org.hubmark.smtp.OpenPolicy;
import org.hubmark.smtp.SmtpCounters;
import org.hubmark.smtp.SmtpPolicy;
import org.hubmark.smtp.SmtpReceiver;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A hub transport: receives mail by SMTP, keeps it in a durable queue, delivers it, and says how it
 * is doing. Any thread may call.
 *
 * <pre>{@code
 * try (Hub hub = Hub.start(configuration)) {
 *     send(hub.address());
 * }
 * }</pre>
 */
public final class Hub implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Hub.class);

    private final Duration drainTime;
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private final ResidenceHistogram residence = new ResidenceHistogram();
    private final HubTimer timer = new HubTimer(failure::complete);

    // In the order in which they start; absent until then, and what the configuration leaves out.
    private @Nullable TrackingLog tracking;
    // What is delivered from: the store, or a queue in other processes; none with another intake.
    private @Nullable MailQueue queue;
    private @Nullable QueueStore store;
    private @Nullable CallAhead recipients;
    private @Nullable SmtpReceiver receiver;
    private @Nullable Dispatcher dispatcher;
    private @Nullable QueueSampler sampler;
    private @Nullable DeadLetterRetention retention;
    private @Nullable HubMetrics metrics;
    private @Nullable AdminServer admin;
    private @Nullable AdminPages pages;
    private @Nullable AdminSocket adminSocket;
    private @Nullable HubLog log;
    private boolean closed;

    private Hub(Settings settings) {
        this.drainTime = drainTime(settings);
    }

    static Duration drainTime(Settings settings) {
        return settings.duration(
                "hub.drain-time",
                Duration.ofSeconds(10),
                "Time that deliveries and sessions under way may take to end when the hub stops.");
    }

    /**
     * Starts a hub. Returns when it takes connections.
     *
     * @throws IOException if a volume or an address can't be had; the message says which and why
     * @throws IllegalArgumentException if a setting is not known or not possible; the message names
     *     it
     */
    public static Hub start(HubConfiguration configuration) throws IOException {
        return start(configuration, HubParts.own());
    }

    /** Starts a hub with parts of the embedder's. */
    public static Hub start(HubConfiguration configuration, HubParts parts) throws IOException {
        return start(configuration, parts, PressureSettings.DEFAULTS);
    }

    static Hub start(HubConfiguration configuration, HubParts parts, PressureSettings levels)
            throws IOException {
        Hub hub = new Hub(configuration.settings());
        boolean started = false;
        try {
            hub.startAll(configuration, parts, levels);
            started = true;
            return hub;
        } finally {
            if (!started) {
                hub.drain(Duration.ZERO);
            }
        }
    }

    /**
     * Loads what a hub needs and takes long to load, native libraries above all. Without it the first start
     * does so. For a program that has something else to do meanwhile: it calls this on a thread of its own, and
     * starts the hub when that has ended.
     */
    public static void preload() {
        QueueStore.preload();
        SmtpReceiver.preload();
        HubMetrics.preload();
    }

    /**
     * Looks whether a hub could be started so, as far as that can be told without touching a volume:
     * whether all settings are known and possible and the addresses free.
     *
     * @throws IOException if an address or the certificate can't be had; the message says which and
     *     why
     * @throws IllegalArgumentException if a setting is not known or not possible; the message names
     *     it
     */
    public static void check(HubConfiguration configuration) throws IOException {
        StartCheck.run(configuration, null);
    }

    /** {@return where the receiver listens, with the port that was picked} */
    public InetSocketAddress address() {
        return started().address();
    }

    /**
     * {@return the queue, if there is one on the hub's volumes} To look into it, and to retry a message or give it up;
     * leasing and closing are the hub's.
     */
    public Optional<QueueStore> store() {
        return Optional.ofNullable(store);
    }

    /** {@return where the receiver speaks TLS from the first octet, if it does} */
    public Optional<InetSocketAddress> tlsAddress() {
        return Optional.ofNullable(receiver).flatMap(SmtpReceiver::tlsAddress);
    }

    /**
     * {@return whether no mail is taken at all, because the hub listens on an address other than
     * loopback and no setting says for whom it may be}
     */
    public boolean takesNothing() {
        return started().takesNothing();
    }

    /** {@return whether every client may send to anybody, as by default on a loopback address} */
    boolean trustsEveryone() {
        return started().trustsEveryone();
    }

    /** {@return what the receiver has counted} */
    public SmtpCounters counters() {
        return started().counters();
    }

    private SmtpReceiver started() {
        if (receiver == null) {
            throw new IllegalStateException("the hub was not started");
        }
        return receiver;
    }

    /** {@return where metrics are served, if anywhere} */
    public Optional<InetSocketAddress> metricsAddress() {
        return Optional.ofNullable(admin).map(AdminServer::address);
    }

    /**
     * {@return completed with the cause when a write, a sync or the delivery failed in a way that
     * nothing can be answered for} Then no mail is taken any more; the hub has to be closed.
     */
    public CompletableFuture<Throwable> failure() {
        return failure;
    }

    /** {@return all metrics as they stand now, in the Prometheus text format} */
    public String metrics() {
        return metrics == null ? "" : metrics.scrape();
    }

    /** Drains, for as long as the setting hub.drain-time says. */
    @Override
    public void close() throws IOException {
        drain(drainTime);
    }

    /**
     * Takes no new mail, lets what is being received or delivered end within the grace time, leaves
     * the rest durable in the queue, and ends. The metrics are there until the end.
     */
    public synchronized void drain(Duration grace) throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        Closing closing = new Closing(grace);
        if (pages != null) {
            pages.draining();
        }
        HubLog told = log;
        if (told != null) {
            told.draining(grace, counters());
        }
        boolean idle = closeTraffic(closing, stopped -> stopped.stop(grace));
        try {
            closeQueue(closing, idle);
        } finally {
            closeInstruments(closing);
        }
        if (told != null) {
            told.stopped(counters(), dispatcher, queueLength());
        }
    }

    /**
     * Ends as the end of the process would: connections are cut, nothing is made durable any more.
     * What was accepted is there at the next start, as durably as the durability class says.
     *
     * @throws IOException if a delivery doesn't end within the setting hub.drain-time; then the
     *     queue can't be opened again by this process
     */
    public synchronized void kill() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        Closing closing = new Closing(drainTime);
        boolean idle = closeTraffic(closing, SmtpReceiver::kill);
        closing.step("the admin socket", adminSocket, AdminSocket::close);
        try {
            if (queue != null && idle) {
                queue.closeBroken(new IOException("the hub was killed"));
            } else if (queue != null) {
                throw new IOException("a delivery did not end");
            }
        } finally {
            closeInstruments(closing);
        }
    }

    /** {@return whether no delivery is under way any more} */
    private boolean closeTraffic(Closing closing, Consumer<SmtpReceiver> end) {
        closing.step("the receiver", receiver, end);
        closing.step("the recipient check", recipients, CallAhead::close);
        boolean idle = closing.stop(dispatcher);
        closing.step("the timer", timer, HubTimer::close);
        closing.step("the retention of dead letters", retention, DeadLetterRetention::close);
        closing.step("the sampler of the queue", sampler, QueueSampler::close);
        return idle;
    }

    private void closeInstruments(Closing closing) {
        closing.step("the tracking log", tracking, TrackingLog::close);
        closing.step("the admin server", admin, AdminServer::close);
        closing.step("the metrics", metrics, HubMetrics::close);
    }

    private void closeQueue(Closing closing, boolean idle) throws IOException {
        if (queue == null) {
            return;
        }
        // Another hub may take the queue, and put its socket there, as soon as the store is closed.
        closing.step("the admin socket", adminSocket, AdminSocket::close);
        if (idle) {
            queue.close();
        } else {
            // Closing it under a delivery that reads from it isn't safe; what is in it is durable.
            queue.stopAccepting();
            LOG.atWarn()
                    .addKeyValue("event", "delivery_left")
                    .log("a delivery is still under way; its message stays in the queue");
        }
    }

    /** {@return the messages in the queue; null where only others know} */
    private @Nullable Long queueLength() {
        if (store != null) {
            return store.queuedMessages();
        }
        return queue == null ? 0L : null;
    }

    private void startAll(HubConfiguration configuration, HubParts parts, PressureSettings levels)
            throws IOException {
        StartCheck.run(configuration, parts.queue());
        Settings settings = configuration.settings();
        DeliverySettings delivery = DeliverySettings.read(settings);
        AdminSettings allowed = AdminSettings.read(settings);
        // First of all: a start may take long, and who looks whether the process lives has to see
        // it.
        if (configuration.metrics() != null) {
            AdminPages made = new AdminPages(failure, settings);
            pages = made;
            admin = AdminServer.start(configuration.metrics(), "metrics", allowed::refusal, made);
        }
        // Next: on volumes that another hub uses, no file must be touched.
        Intake opened = openIntake(configuration, parts);
        TrackingLog events = openTracking(configuration.volumes().tracking());
        tracking = events;
        BackPressure brake = new BackPressure(HubLog::pressure);
        ObservedIntake intake = new ObservedIntake(parts.intake().apply(opened), events, brake);
        startDelivery(configuration, delivery, events);
        QueueSampler samples = store == null ? null : new QueueSampler(store);
        sampler = samples;
        CallAhead check = CallAhead.open(configuration.delivery(), delivery, settings);
        recipients = check;
        DeadLetterRetention retaining = store == null
                ? null
                : new DeadLetterRetention(
                        store, delivery.deadLetters(), events, configuration.clock());
        retention = retaining;
        SmtpReceiver smtp = SmtpReceiver.start(
                configuration.listen(),
                intake,
                settings,
                policy(parts, configuration.delivery()),
                check,
                configuration.clock());
        receiver = smtp;
        brake.watch(levels.resources(store, samples), System.nanoTime());
        timer.every(brake::period, "a look at the resources", brake::look);
        HubMetrics counts =
                new HubMetrics(smtp, check, intake, events, brake, samples, retaining, dispatcher);
        metrics = counts;
        if (retaining != null) {
            timer.every(
                    () -> DeadLetterRetention.PERIOD,
                    "a look at the dead letters",
                    retaining::look);
        }
        if (pages != null) {
            pages.started(new AdminPages.Parts(counts::scrape, residence, opened, brake, samples));
        }
        openAdminSocket(configuration.volumes().queue(), events, brake);
        DescriptorLimit.check(
                smtp.connectionsMax(),
                delivery.workers(),
                store == null ? 0 : store.descriptorsMax());
        log = HubLog.started(this, adminSocket);
    }

    /** Mail matters more than its operator: without a socket the hub runs all the same. */
    private void openAdminSocket(Path queueVolume, TrackingLog events, BackPressure brake) {
        if (store == null) {
            return;
        }
        AdminCommands commands = new AdminCommands(store, events, brake, dispatcher);
        try {
            adminSocket = AdminSocket.open(queueVolume, commands);
        } catch (IOException e) {
            LOG.atWarn()
                    .addKeyValue("event", "admin_socket_failed")
                    .log(
                            "no admin socket: the queue can't be changed while the hub runs: {}",
                            FileErrors.text(e));
        }
    }

    /** A policy of the embedder's says by itself what can be passed on. */
    private static SmtpPolicy policy(HubParts parts, DeliverySpec spec) {
        return spec instanceof DeliverySpec.NextHops && parts.policy() instanceof OpenPolicy
                ? new OpenPolicy(BodyType.EIGHT_BIT_MIME)
                : parts.policy();
    }

    private static TrackingLog openTracking(Path volume) throws IOException {
        try {
            return TrackingLog.open(volume);
        } catch (IOException e) {
            throw new IOException(
                    "can't write the tracking log to " + volume + ": " + FileErrors.text(e), e);
        }
    }

    private Intake openIntake(HubConfiguration configuration, HubParts parts) throws IOException {
        URI address = parts.queue();
        if (address != null) {
            MailQueue made = QueueEngine.of(address)
                    .open(address, configuration.settings(), configuration.clock());
            return take(made);
        }
        return switch (configuration.intake()) {
            case DISCARD -> new DiscardIntake(configuration.clock());
            case STORE -> {
                StoreConfiguration volumes = new StoreConfiguration(
                        configuration.volumes().log(),
                        configuration.volumes().queue(),
                        configuration.durability(),
                        configuration.checkpointDepthBytes(),
                        configuration.settings(),
                        configuration.clock(),
                        configuration.existingOnly());
                QueueStore made = parts.opener().open(volumes);
                store = made;
                yield take(made);
            }
        };
    }

    private MailQueue take(MailQueue made) {
        queue = made;
        var unused = made.failure().thenAccept(failure::complete);
        return made;
    }

    private void startDelivery(
            HubConfiguration configuration, DeliverySettings delivery, TrackingLog events)
            throws IOException {
        if (queue == null) {
            return;
        }
        DeliveryAgent agent;
        switch (configuration.delivery()) {
            case DeliverySpec.Hold hold -> {
                return;
            }
            case DeliverySpec.Discard discard -> agent = new DiscardAgent();
            case DeliverySpec.Directory directory ->
                agent = new DirectoryAgent(MessageFolder.open(directory.folder()));
            case DeliverySpec.NextHops hops ->
                agent = new NextHopAgent(hops, delivery.hostName(), delivery.nextHop());
            case DeliverySpec.Own own -> agent = own.agent();
        }
        Dispatcher started = new Dispatcher(
                queue, agent, delivery, events, residence, configuration.clock(), failure);
        dispatcher = started;
        started.start(!agent.mayBlock());
    }
}
