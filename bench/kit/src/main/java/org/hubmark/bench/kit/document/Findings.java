package org.hubmark.bench.kit.document;

import java.util.List;
import java.util.Map;

/**
 * What follows from the tables of a document, and is made of them again whenever it is read.
 *
 * @param title of the report
 * @param answer in a sentence; may be empty
 * @param verdict in a word or two
 * @param reasons why it is not a good one; empty where it is
 * @param warnings what makes the document say less than it seems to
 * @param facts what else follows, as it stands in the file
 */
public record Findings(
        String title,
        String answer,
        String verdict,
        List<String> reasons,
        List<String> warnings,
        Map<String, Object> facts) {
    /** Copies. */
    public Findings {
        reasons = List.copyOf(reasons);
        warnings = List.copyOf(warnings);
    }

    /** {@return a measurement that is valid unless there are reasons why not} */
    public static Findings of(
            String title,
            String answer,
            List<String> reasons,
            List<String> warnings,
            Map<String, Object> facts) {
        return new Findings(
                title, answer, reasons.isEmpty() ? "valid" : "not valid", reasons, warnings, facts);
    }
}
