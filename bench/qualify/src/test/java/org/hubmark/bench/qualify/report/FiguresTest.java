package org.hubmark.bench.qualify.report;

import org.hubmark.bench.document.DocumentCases;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Proves what follows from counters, by hand: figures, verdict and reasons. The folder cases has a document
 * of counters alone, of three instances each of which keeps each limit just so, and cases.txt, which says
 * how to read it.
 */
class FiguresTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @MethodSource("org.hubmark.bench.document.DocumentCases#all")
    void whatFollowsFromTheCounters(String text) throws IOException {
        DocumentCases.check(text, Qualification.KIND, folder);
    }
}
