package org.hubmark.bench.mail.meter;

import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.machine.kernel.DiskCounter;

import java.util.Locale;

/** A volume of the hub whose device is counted. */
enum VolumeRole {
    LOG,
    QUEUE;

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
}
