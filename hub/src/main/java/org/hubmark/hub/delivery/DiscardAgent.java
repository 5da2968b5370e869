package org.hubmark.hub.delivery;

import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;

/** Delivers by throwing away, without reading the content. Never blocks. Any thread. */
public final class DiscardAgent implements DeliveryAgent {
    private static final Outcome DELIVERED = new Outcome.Delivered();

    @Override
    public Outcome deliver(Lease lease) {
        return DELIVERED;
    }

    @Override
    public boolean mayBlock() {
        return false;
    }
}
