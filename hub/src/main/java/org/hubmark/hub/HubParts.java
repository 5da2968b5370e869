package org.hubmark.hub;

import org.hubmark.core.Intake;
import org.hubmark.core.StoreException;
import org.hubmark.queue.QueueStore;
import org.hubmark.queue.StoreConfiguration;
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
 * @param opener opens the store on the hub's volumes; called once, at start
 * @param queue a queue in other processes, opened by the {@link QueueEngine} for it; null for the
 *     store on the hub's volumes
 */
public record HubParts(
        SmtpPolicy policy,
        UnaryOperator<Intake> intake,
        StoreOpener opener,
        @Nullable URI queue) {
    /** Opens a store, as {@link QueueStore#open} does. The hub closes it. */
    public interface StoreOpener {
        QueueStore open(StoreConfiguration configuration) throws StoreException;
    }

    /** {@return the hub's own parts} */
    public static HubParts own() {
        return new HubParts(new OpenPolicy(), UnaryOperator.identity(), QueueStore::open, null);
    }

    /** {@return these with another policy} */
    public HubParts withPolicy(SmtpPolicy other) {
        return new HubParts(other, intake, opener, queue);
    }

    /** {@return these with the intake wrapped} */
    public HubParts withIntake(UnaryOperator<Intake> wrapper) {
        return new HubParts(policy, wrapper, opener, queue);
    }

    /** {@return these with the store opened otherwise: on a log in memory, for tests} */
    public HubParts withStore(StoreOpener other) {
        return new HubParts(policy, intake, other, queue);
    }

    /** {@return these with the queue at that address} The volumes for log and queue stay unused. */
    public HubParts withQueue(URI address) {
        return new HubParts(policy, intake, opener, address);
    }
}
