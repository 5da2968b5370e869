package org.hubmark.smtp;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counters of a receiver. Written by event loops, read by anyone. */
public final class SmtpCounters {
    /** Connections taken. */
    public final LongAdder connectionsOpened = new LongAdder();

    /** Connections ended. */
    public final LongAdder connectionsClosed = new LongAdder();

    /** Connections turned away with 421 because there were too many. */
    public final LongAdder connectionsRefused = new LongAdder();

    /** Connections turned away with 421 because their address had too many. */
    public final LongAdder addressConnectionsRefused = new LongAdder();

    /** Connections turned away with 421 because their address opened too many in a minute. */
    public final LongAdder addressRateRefused = new LongAdder();

    /** Messages answered with 250. */
    public final LongAdder messagesAccepted = new LongAdder();

    /** Octets of content of the messages answered with 250. */
    public final LongAdder bytesAccepted = new LongAdder();

    /** Messages whose end-of-data was answered with 4xx. */
    public final LongAdder messagesDeferred = new LongAdder();

    /** Messages whose end-of-data was answered with 5xx. */
    public final LongAdder messagesRejected = new LongAdder();

    /** Replies to MAIL that were held back because the intake asked for a pause. */
    public final LongAdder mailPauses = new LongAdder();

    /** Commands answered with 5xx. */
    public final LongAdder commandErrors = new LongAdder();

    /** Recipients answered with 550 5.7.1: neither the client nor the domain is one of ours. */
    public final LongAdder relayingDenied = new LongAdder();

    /** Recipients refused because the check of recipients said that they are not there. */
    public final LongAdder recipientsRefused = new LongAdder();

    /** TLS handshakes that succeeded. */
    public final LongAdder tlsHandshakes = new LongAdder();

    /** TLS handshakes that failed, and STARTTLS with plain text behind it. */
    public final LongAdder tlsFailures = new LongAdder();

    private final Map<Ending, LongAdder> endings = new EnumMap<>(Ending.class);

    SmtpCounters() {
        for (Ending ending : Ending.values()) {
            endings.put(ending, new LongAdder());
        }
    }

    /** {@return how many connections ended because something did not come in time} */
    public long timeouts() {
        return EnumSet.range(Ending.COMMAND_LATE, Ending.TRANSACTION_LATE).stream()
                .mapToLong(late -> ended(late).sum())
                .sum();
    }

    /** {@return how many connections the receiver ended for this reason} */
    public LongAdder ended(Ending ending) {
        return Objects.requireNonNull(endings.get(ending));
    }
}
