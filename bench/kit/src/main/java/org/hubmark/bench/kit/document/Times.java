package org.hubmark.bench.kit.document;

/**
 * Times that a study takes down of each repeat, as a histogram of nanoseconds. They are kept beside the
 * file, in {@link RawTimes#FILE}.
 */
public record Times(String key) {
    /** {@return its name in words} */
    public String words() {
        return key.replace('_', ' ');
    }

    /** {@return a place in them, milliseconds} */
    public Formula at(Formula.Place place) {
        return new Formula.Latency(this, place);
    }
}
