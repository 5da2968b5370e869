package org.hubmark.bench.kit.document;

/**
 * One verdict, as a build server has it.
 *
 * @param name of what was judged, such as a scenario
 * @param text the verdict in one line; shown unless it passed
 */
public record Judgement(String name, Status status, String text) {
    /** Status of a verdict. */
    public enum Status {
        /** All is well. */
        PASSED,
        /** What was judged is not good enough. */
        FAILURE,
        /** The measurement is not valid. */
        ERROR,
        /** There is no verdict. */
        SKIPPED
    }
}
