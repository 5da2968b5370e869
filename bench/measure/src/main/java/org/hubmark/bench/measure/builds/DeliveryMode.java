package org.hubmark.bench.measure.builds;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.Locale;

/** Delivery of the mail that the hubs accept. */
public enum DeliveryMode {
    /** They throw it away. */
    DISCARD,
    /** They keep it in the queue. */
    HOLD,
    /** They pass it on by SMTP to a server that throws it away. */
    SMTP_SINK;

    /**
     * {@return how serve is told}
     *
     * @param sink where that server listens; needed for {@link #SMTP_SINK} only
     */
    String argument(@Nullable InetSocketAddress sink) {
        return switch (this) {
            case DISCARD -> "--deliver=discard";
            case HOLD -> "--deliver=hold";
            case SMTP_SINK -> {
                if (sink == null) {
                    throw new IllegalArgumentException("the sink does not run");
                }
                yield "--deliver=smtp://" + sink.getHostString() + ":" + sink.getPort();
            }
        };
    }

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
