package org.hubmark.bench.kit.document;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/**
 * Conclusions from the tables of a document, made again whenever the document is read.
 *
 * @param title of the report
 * @param answer in a sentence, or in lines; may be empty
 * @param outcome what the verdict means for the exit code
 * @param verdict in a word or two; null where nothing was judged
 * @param reasons why it is not a good one; empty where it is
 * @param warnings what makes the document say less than it seems to
 * @param facts what else follows, as it stands in the head of the file
 * @param cases what was judged one by one, for a build server; none where only the whole is judged
 * @param remarks what the figures hold for, in sentences, after all of this; no part of the file
 */
public record Findings(
        String title,
        String answer,
        Outcome outcome,
        @Nullable String verdict,
        List<String> reasons,
        List<String> warnings,
        Map<String, @Nullable Object> facts,
        List<CaseResult> cases,
        List<String> remarks) {
    /** Outcome of a study. */
    public enum Outcome {
        /** As it should. */
        GOOD(0),
        /** What was tried failed. */
        FAILED(1),
        /** As it should, and there is less than is needed. */
        NOT_MET(3),
        /** Nothing may be said by it. */
        NOT_VALID(3);

        final int exitCode;

        Outcome(int exitCode) {
            this.exitCode = exitCode;
        }
    }

    /** {@return the verdict, or that nothing was judged} */
    public String said() {
        return verdict == null ? "not judged" : verdict;
    }

    /** {@return those of a measurement that is valid unless there are reasons why not} */
    public static Findings of(
            String title,
            String answer,
            List<String> reasons,
            List<String> warnings,
            Map<String, @Nullable Object> facts) {
        return new Findings(
                title,
                answer,
                reasons.isEmpty() ? Outcome.GOOD : Outcome.NOT_VALID,
                reasons.isEmpty() ? "valid" : "not valid",
                reasons,
                warnings,
                facts,
                List.of(),
                List.of());
    }
}
