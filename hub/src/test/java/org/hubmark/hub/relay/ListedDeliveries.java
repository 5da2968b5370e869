package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Deliveries;
import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.QueueId;
import org.hubmark.hub.TestAgents;
import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A list of messages that wait for a delivery thread, and what came of each in the order it came. */
final class ListedDeliveries implements Deliveries {
    private final ArrayDeque<Lease> waiting;
    private final Map<QueueId, Outcome> outcomes = new LinkedHashMap<>();
    private final Map<QueueId, Throwable> broken = new LinkedHashMap<>();

    private ListedDeliveries(List<Lease> messages) {
        this.waiting = new ArrayDeque<>(messages);
    }

    /** Has an agent deliver messages as one delivery thread does. */
    static ListedDeliveries deliver(DeliveryAgent agent, List<Lease> messages) {
        ListedDeliveries deliveries = new ListedDeliveries(messages);
        while (!deliveries.waiting.isEmpty()) {
            agent.deliver(deliveries.waiting.remove(), deliveries);
        }
        return deliveries;
    }

    Map<QueueId, Outcome> outcomes() {
        return outcomes;
    }

    /** {@return what came of a message} */
    String words(Lease message) {
        Throwable cause = broken.get(message.id());
        return cause == null
                ? TestAgents.words(outcomes.get(message.id()))
                : "broken " + cause.getMessage();
    }

    @Override
    public @Nullable Lease next() {
        return waiting.poll();
    }

    @Override
    public void settle(Lease lease, Outcome outcome) {
        assertThat(outcomes.put(lease.id(), outcome))
                .as(lease.id() + " is settled once")
                .isNull();
    }

    @Override
    public void breakDown(Lease lease, Throwable cause) {
        assertThat(broken.put(lease.id(), cause)).isNull();
    }
}
