package org.hubmark.bench.users.result;

import org.hubmark.bench.document.DocumentCases;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Proves what follows from the counters of a run: figures, when a level passes, what limits it, what makes a
 * result not valid, and what the report says of what is not known. The folder cases has a document of counters
 * alone and cases.txt, which says how to read it.
 */
class FiguresTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @MethodSource("org.hubmark.bench.document.DocumentCases#all")
    void whatFollowsFromTheCounters(String text) throws IOException {
        DocumentCases.check(text, UsersResult.KIND, folder);
    }
}
