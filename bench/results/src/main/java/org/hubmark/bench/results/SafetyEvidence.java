package org.hubmark.bench.results;

import org.jspecify.annotations.Nullable;

/**
 * Evidence about a server that is not ours, on which the judgement of its safety rests.
 *
 * @param kind durability: it was crashed; syncs: its syncs were counted during the load
 * @param words what was found
 * @param file the name of the file that says so; null where the run itself saw it
 * @param sha256 of that file
 */
public record SafetyEvidence(
        String kind,
        String words,
        @Nullable String file,
        @Nullable String sha256) {
    /** It was crashed. */
    static SafetyEvidence durability(String words, String file, String sha256) {
        return new SafetyEvidence("durability", words, file, sha256);
    }

    /** Makes evidence from counted syncs. */
    static SafetyEvidence syncs(String words) {
        return new SafetyEvidence("syncs", words, null, null);
    }
}
