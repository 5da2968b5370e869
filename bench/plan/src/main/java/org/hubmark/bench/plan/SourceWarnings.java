package org.hubmark.bench.plan;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What results say of their own worth, which goes with what is made of them.
 *
 * @param valid null where that is said by the verdict
 */
record SourceWarnings(
        @Nullable String verdict,
        @Nullable Boolean valid,
        List<String> reasons,
        List<String> invalidReasons,
        List<String> warnings) {
    /** {@return whether it is said that nothing may be said by them} */
    boolean isNotValid() {
        return Boolean.FALSE.equals(valid) || Objects.equals(verdict, "not valid");
    }

    /** Takes down what is said of the whole. */
    void warn(Path file, Collected into) {
        if (isNotValid()) {
            into.warn(file + " is not valid" + because(reasons, invalidReasons));
        } else if (verdict == null && !reasons.isEmpty()) {
            into.warn(file + " was not judged" + because(reasons, List.of()));
        }
        warnings.forEach(warning -> into.warn(file + ": " + warning));
    }

    private static String because(List<String> reasons, List<String> further) {
        Set<String> all = new LinkedHashSet<>(reasons);
        all.addAll(further);
        return all.isEmpty() ? "" : ": " + String.join("; ", all);
    }
}
