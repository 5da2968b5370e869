package org.hubmark.bench.durability;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.durability.result.ClusterCrashResult;
import org.hubmark.bench.durability.result.CrashResult;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.golden.GoldenFiles;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;

/** What follows from counts that stay the same stays the same: figures, verdicts and what is said of them. */
class GoldenTest {
    @Test
    void aBrokenPromiseAndAKeptOne() throws IOException {
        requireSame(CrashResult.KIND, "durability", 1);
        requireSame(ClusterCrashResult.KIND, "cluster-crash", 0);
    }

    private static void requireSame(Kind kind, String name, int exitCode) throws IOException {
        Path folder = GoldenFiles.FOLDER.resolve(name);
        Document read = DocumentFile.read(folder, kind);
        assertThat(DocumentFile.check(folder, read).isClean()).isTrue();
        assertThat(read.exitCode()).isEqualTo(exitCode);
        GoldenFiles.requireSame(name + "/" + kind.file(), DocumentFile.json(read));
    }
}
