package org.hubmark.hub;

import org.hubmark.core.Intake;
import org.hubmark.queue.SimulatedLogVolume;
import org.hubmark.smtp.OpenPolicy;
import org.hubmark.smtp.SmtpPolicy;
import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.function.UnaryOperator;

/**
 * Parts of an embedder that replace a hub's own.
 *
 * @param policy what the receiver asks before it goes on
 * @param intake wraps the intake that the receiver hands mail to; called once, at start
 * @param simulatedLog holds the intake log in memory, for tests; null for the log volume's folder
 * @param queue a queue in other processes, opened by the {@link QueueEngine} for it; null for the
 *     store on the hub's volumes
 */
public record HubParts(
        SmtpPolicy policy,
        UnaryOperator<Intake> intake,
        @Nullable SimulatedLogVolume simulatedLog,
        @Nullable URI queue) {
    /** Parts of a hub with a queue on its volumes. */
    public HubParts(
            SmtpPolicy policy,
            UnaryOperator<Intake> intake,
            @Nullable SimulatedLogVolume simulatedLog) {
        this(policy, intake, simulatedLog, null);
    }

    /** {@return the hub's own parts} */
    public static HubParts own() {
        return new HubParts(new OpenPolicy(), UnaryOperator.identity(), null);
    }

    /** {@return these with another policy} */
    public HubParts withPolicy(SmtpPolicy other) {
        return new HubParts(other, intake, simulatedLog, queue);
    }

    /** {@return these with the intake wrapped} */
    public HubParts withIntake(UnaryOperator<Intake> wrapper) {
        return new HubParts(policy, wrapper, simulatedLog, queue);
    }

    /** {@return these with the intake log in memory} */
    public HubParts withSimulatedLog(SimulatedLogVolume log) {
        return new HubParts(policy, intake, log, queue);
    }

    /** {@return these with the queue at that address} The volumes for log and queue stay unused. */
    public HubParts withQueue(URI address) {
        return new HubParts(policy, intake, simulatedLog, address);
    }
}
