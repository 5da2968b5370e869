package org.hubmark.bench.mail.publish;

import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.mail.document.Publication;
import org.hubmark.bench.mail.document.Results;

import java.util.Arrays;
import java.util.List;

/** Judges results that were measured to be published, rule by rule. */
public final class Publishing {
    private Publishing() {}

    /**
     * {@return the results with the judgement; the same where nobody wants to publish them}
     *
     * @param check of the results against their raw files
     */
    public static Results judge(Results results, DocumentFile.Check check) {
        Publication asked = results.publish();
        if (asked == null) {
            return results;
        }
        List<Publication.Rule> rules = Arrays.stream(RunRule.values())
                .map(rule -> rule.judge(results, check))
                .toList();
        return results.with(asked.judged(rules));
    }
}
