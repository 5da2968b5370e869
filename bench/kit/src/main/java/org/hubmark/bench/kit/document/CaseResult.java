package org.hubmark.bench.kit.document;

/**
 * Verdict of one case, as a build server shows it.
 *
 * @param name of what was judged, such as a scenario
 * @param text the verdict in one line; shown unless it passed
 */
public record CaseResult(String name, Status status, String text) {
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
