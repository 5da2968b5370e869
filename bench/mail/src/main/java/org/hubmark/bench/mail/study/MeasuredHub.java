package org.hubmark.bench.mail.study;

import org.hubmark.bench.hub.HubClient;
import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;

/**
 * A hub of our own that runs.
 *
 * @param address where it takes mail
 * @param client asks it for its counters
 * @param processId on this machine; null on another
 */
record MeasuredHub(
        InetSocketAddress address,
        HubClient client,
        @Nullable Long processId) {}
