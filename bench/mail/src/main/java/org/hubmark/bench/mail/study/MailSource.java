package org.hubmark.bench.mail.study;

import org.hubmark.bench.load.LoadDriver;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.TargetProbe;
import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/** Mail that is sent by SMTP; the messages are made once, for the first server that is asked. */
public final class MailSource implements WorkloadSource {
    private final LoadPlan plan;
    private final Duration driverWarmUpMax;
    private final Messages messages;
    private @Nullable MessageSet made;

    /** Makes messages when a server is known. */
    @FunctionalInterface
    public interface Messages {
        /**
         * Makes them.
         *
         * @param at the time that the messages bear
         * @return the caller's, who closes it
         * @throws org.hubmark.core.UserError when the server can't take them
         */
        MessageSet make(LoadPlan plan, TargetProbe.Announced server, Instant at);
    }

    /**
     * Prepares.
     *
     * @param plan its target counts only where no hub is to be started
     * @param driverWarmUpMax for so long at most the driver is warmed up before it connects for the
     *     first time; zero for not at all
     */
    public MailSource(LoadPlan plan, Duration driverWarmUpMax, Messages messages) {
        this.plan = plan;
        this.driverWarmUpMax = driverWarmUpMax;
        this.messages = messages;
    }

    LoadPlan plan() {
        return plan;
    }

    Duration driverWarmUpMax() {
        return driverWarmUpMax;
    }

    @Override
    public Pace pace() {
        return plan.pace();
    }

    @Override
    public LoadDriver start(@Nullable InetSocketAddress hub, Pace pace)
            throws InterruptedException {
        return connect(at(hub).at(pace));
    }

    @Override
    public LoadDriver trial(@Nullable InetSocketAddress hub, Pace pace)
            throws InterruptedException {
        return connect(at(hub).unlimited().at(pace));
    }

    private LoadPlan at(@Nullable InetSocketAddress hub) {
        return hub == null ? plan : plan.at(hub);
    }

    private LoadDriver connect(LoadPlan load) throws InterruptedException {
        TargetProbe.Announced server = TargetProbe.ask(load);
        MessageSet known = made;
        if (known == null) {
            known = ownMessages(load, server);
            made = known;
        }
        return LoadDriver.start(load, known, server);
    }

    /** {@return such messages for another server; the caller's, who closes them} */
    MessageSet ownMessages(LoadPlan load, TargetProbe.Announced server) {
        return messages.make(load, server, Instant.now());
    }

    @Override
    public double operationKb() {
        return Objects.requireNonNull(made, "not started").sizeBytesMean() / 1000;
    }

    @Override
    public void close() {
        if (made != null) {
            made.close();
            made = null;
        }
    }
}
