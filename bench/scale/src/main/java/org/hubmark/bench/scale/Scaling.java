package org.hubmark.bench.scale;

/** What stays the same when hosts are added. */
public enum Scaling {
    /** The load of each host, as in the study. */
    WEAK,
    /** The load of all hosts together. */
    STRONG;

    /** {@return the part of a host, of several, in what is given for each or for all} */
    double ofHost(double given, int hosts) {
        return this == WEAK ? given : given / hosts;
    }

    /** {@return what is given for each or for all, of all hosts together} */
    double ofAll(double given, int hosts) {
        return this == WEAK ? given * hosts : given;
    }
}
