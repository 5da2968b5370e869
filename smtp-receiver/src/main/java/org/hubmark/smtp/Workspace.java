package org.hubmark.smtp;

import io.netty.util.concurrent.FastThreadLocal;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Buffers that the sessions of one event loop use in turn, each only within a call. */
final class Workspace {
    private static final int SCRATCH_OCTETS = 16 << 10;
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, d MMM yyyy HH:mm:ss '+0000'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final FastThreadLocal<Workspace> OF_THREAD = new FastThreadLocal<>() {
        @Override
        protected Workspace initialValue() {
            return new Workspace();
        }
    };

    final byte[] scratch = new byte[SCRATCH_OCTETS];
    private long dateSecond = Long.MIN_VALUE;
    private String date = "";

    private Workspace() {}

    /** {@return that of the calling event loop} */
    static Workspace current() {
        return OF_THREAD.get();
    }

    /** {@return a date-time of RFC 5322 3.3} Made once a second: it costs more than the rest. */
    String date(Instant instant) {
        if (instant.getEpochSecond() != dateSecond) {
            dateSecond = instant.getEpochSecond();
            date = DATE.format(instant);
        }
        return date;
    }
}
