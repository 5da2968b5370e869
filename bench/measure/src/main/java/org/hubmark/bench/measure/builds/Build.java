package org.hubmark.bench.measure.builds;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;

/**
 * One of the builds that are compared.
 *
 * @param label A, B, C and so on in the order given; the others are compared with A
 * @param ref as it was given
 * @param commit of the sources, with "-dirty" when files differ from it; null when it isn't known
 * @param changes git's tree of the files where they differ from the commit; null where none does, or
 *     that isn't known
 * @param title the first line of what the commit says of itself; null when it isn't known
 * @param root the folder of the sources, with the script that starts this build
 */
public record Build(
        String label,
        String ref,
        @Nullable String commit,
        @Nullable String changes,
        @Nullable String title,
        Path root) {
    /** {@return the script, which gives its build the options of the JVM that it needs} */
    Path script() {
        return root.resolve("hubmark");
    }

    /** {@return for messages: A (v1.2)} */
    String name() {
        return label + " (" + ref + ")";
    }

    /** {@return for the results} */
    BuildsResult.Named named() {
        return new BuildsResult.Named(label, ref, commit, changes, title);
    }
}
