package org.hubmark.smtp;

import org.hubmark.core.ContentBudget;
import org.hubmark.core.Intake;
import org.hubmark.core.Settings;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/** Receives mail by SMTP and hands it to an intake. */
public final class SmtpReceiver implements AutoCloseable {
    private SmtpReceiver() {}

    /**
     * Listens and serves. Returns when connections are being taken.
     *
     * @param listen where; port 0 picks a free one
     * @throws IOException if the address can't be had; the message names it and says why
     */
    public static SmtpReceiver start(InetSocketAddress listen, Intake intake, Settings settings)
            throws IOException {
        throw new IOException("skeleton");
    }

    /** {@return where it listens, with the port that was picked} */
    public InetSocketAddress address() {
        throw new IllegalStateException("skeleton");
    }

    /** {@return what was counted so far} */
    public SmtpCounters counters() {
        throw new IllegalStateException("skeleton");
    }

    /** {@return the memory of content in flight} */
    public ContentBudget budget() {
        throw new IllegalStateException("skeleton");
    }

    /**
     * Takes no further connection, answers each further MAIL with 421, lets what is being received
     * or committed end within the grace time, and closes all connections.
     */
    public void stop(Duration grace) {}

    @Override
    public void close() {
        stop(Duration.ZERO);
    }
}
