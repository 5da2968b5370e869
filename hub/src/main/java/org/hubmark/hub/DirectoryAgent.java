package org.hubmark.hub;

import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.FileErrors;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;

import java.io.IOException;

/** Delivers by writing each message into a folder. Delivery threads. */
final class DirectoryAgent implements DeliveryAgent {
    private final MessageFolder folder;

    DirectoryAgent(MessageFolder folder) {
        this.folder = folder;
    }

    @Override
    public Outcome deliver(Lease lease) {
        try {
            folder.write(lease.id(), lease.envelope(), lease.sizeBytes(), lease.content());
            return new Outcome.Delivered();
        } catch (IOException e) {
            return new Outcome.Deferred(FileErrors.text(e));
        }
    }
}
