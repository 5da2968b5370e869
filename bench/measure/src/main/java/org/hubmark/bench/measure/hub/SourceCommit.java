package org.hubmark.bench.measure.hub;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Commit that this was built from: from the file in a package, or else from git, where there is a
 * checkout and git is installed.
 */
public final class SourceCommit {
    private static final int TIMEOUT_SECONDS = 5;

    private SourceCommit() {}

    /** {@return the commit, with "-dirty" when files differ from it; null when it isn't known} */
    public static @Nullable String find() {
        String root = System.getProperty("hubmark.root");
        if (root == null) {
            return null;
        }
        // First: a package may lie in a checkout of something else.
        Path packed = Path.of(root, "lib", "commit");
        try {
            if (Files.exists(packed)) {
                return Files.readString(packed).strip();
            }
            Process git = new ProcessBuilder(
                            "git",
                            "-C",
                            root,
                            // In a container the checkout is often another user's.
                            "-c",
                            "safe.directory=" + root,
                            "describe",
                            "--always",
                            "--abbrev=40",
                            "--dirty",
                            "--exclude=*")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String commit = new String(
                            git.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .trim();
            boolean known = git.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) && git.exitValue() == 0;
            return known && !commit.isEmpty() ? commit : null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
