package org.hubmark.bench.measure.builds;

import org.hubmark.bench.load.Transfer;
import org.hubmark.core.ByteSize;

/**
 * A load that the builds are compared under.
 *
 * @param sizeBytes of each message
 * @param transfer how content travels
 */
public record LoadCase(long sizeBytes, Transfer transfer) {
    /** {@return for people and files: 57KB data} */
    String id() {
        return ByteSize.format(sizeBytes) + " " + transfer;
    }
}
