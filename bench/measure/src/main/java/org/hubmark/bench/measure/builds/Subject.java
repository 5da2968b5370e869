package org.hubmark.bench.measure.builds;

/** What of a build is measured. */
public enum Subject {
    /** Rate and CPU of a hub that is warm. */
    LOAD,
    /** A process from its start on. */
    START
}
