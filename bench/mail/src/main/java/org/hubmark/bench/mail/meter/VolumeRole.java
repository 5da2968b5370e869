package org.hubmark.bench.mail.meter;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.machine.DiskCounter;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Limiting;

import java.util.Locale;

/** A volume of the hub whose device is counted, and what is said of it where it limits. */
enum VolumeRole {
    LOG(
            "a write or sync of the log",
            Figure.AVG_LOG_WRITE_LATENCY_MS,
            Figure.AVG_LOG_DISK_QUEUE_LENGTH,
            Limiting.LIFT_LOG),
    QUEUE(
            "a request of the queue volume",
            Figure.AVG_QUEUE_WRITE_LATENCY_MS,
            Figure.AVG_QUEUE_DISK_QUEUE_LENGTH,
            "a faster queue device");

    private final String request;
    // Formulas are records of records.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Column latency;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Column queueLength;

    private final String lift;

    VolumeRole(String request, Column latency, Column queueLength, String lift) {
        this.request = request;
        this.latency = latency;
        this.queueLength = queueLength;
        this.lift = lift;
    }

    /** {@return its name where volumes are told apart, and the beginning of its counters' keys} */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@return a counter of its device in the document} */
    Counter counter(DiskCounter counter) {
        return new Counter(key() + "_" + counter.key());
    }

    /** {@return it as a resource that may limit} */
    String resource() {
        return key() + "_volume";
    }

    /** {@return what its device works on, in words} */
    String request() {
        return request;
    }

    /** {@return how long a write takes} */
    Column latency() {
        return latency;
    }

    /** {@return how many requests are in flight on average} */
    Column queueLength() {
        return queueLength;
    }

    /** {@return what would lift the limit, in words} */
    String lift() {
        return lift;
    }
}
