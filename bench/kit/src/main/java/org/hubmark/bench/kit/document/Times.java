package org.hubmark.bench.kit.document;

/**
 * Times that a study takes down of each repeat, as a histogram of nanoseconds. They are kept beside the
 * file, in {@link RawTimes#FILE}.
 */
public record Times(String key) {
    /** {@return a place in them, milliseconds} */
    public Formula at(Formula.Place place) {
        return new Formula.Latency(this, place);
    }
}
