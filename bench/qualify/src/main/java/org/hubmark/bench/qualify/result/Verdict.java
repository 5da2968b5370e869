package org.hubmark.bench.qualify.result;

import com.fasterxml.jackson.annotation.JsonValue;

import java.util.List;
import java.util.Locale;

/** What is said of storage. */
public enum Verdict {
    PASS,
    FAIL;

    /** {@return fail when there is a reason} */
    public static Verdict of(List<String> reasons) {
        return reasons.isEmpty() ? PASS : FAIL;
    }

    /** {@return pass or fail} */
    @JsonValue
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
