package org.hubmark.bench.scale.result;

import org.hubmark.bench.document.DocumentCases;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Proves what follows from the counters of hosts: the rule of the study, efficiency, what makes a result not valid, and
 * what stands beside the columns of the study. The folder cases has a document of counters alone and cases.txt, which
 * says how to read it.
 */
class FiguresTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @Tag("published")
    @MethodSource("org.hubmark.bench.document.DocumentCases#all")
    void whatFollowsFromTheCounters(String text) throws IOException {
        DocumentCases.check(text, ScaleOut.KIND, folder);
    }
}
