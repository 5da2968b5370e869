package org.hubmark.bench.cli;

import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.load.Transfer;
import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.Objects;

/**
 * How the driver sends.
 *
 * @param target null for a hub of our own
 * @param messagesPerConnection 0 for no limit
 * @param arrivals spacing of the intended starts of a rate
 */
record Sending(
        @Nullable InetSocketAddress target,
        LoadPlan.Dialogue dialogue,
        LoadPlan.Addresses addresses,
        int messagesPerConnection,
        Arrivals arrivals) {
    /** As the driver sends unless told otherwise, to a hub of our own. */
    static final Sending USUAL = new Sending(
            null,
            new LoadPlan.Dialogue(Transfer.DATA, true, null, null),
            new LoadPlan.Addresses(EnvelopeOptions.SENDER, EnvelopeOptions.RECIPIENT, 1),
            0,
            Arrivals.FIXED);

    /** Asks the target what it is, and says on standard error where that takes some seconds. */
    void askTarget(boolean quiet) {
        var unused = TargetProbe.ask(
                Objects.requireNonNull(target), dialogue.tls(), dialogue.auth(), line -> {
                    if (!quiet) {
                        System.err.println(line);
                    }
                });
    }
}
