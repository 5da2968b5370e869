package org.hubmark.bench.scale.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.golden.GoldenFiles.requireSame;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.golden.GoldenFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Proves that a recorded result is read, computed again, written and drawn as before. */
class GoldenTest {
    @TempDir
    Path folder;

    @Test
    void whatWasCountedSaysTheSame() throws IOException {
        Document read = DocumentFile.read(GoldenFiles.FOLDER, ScaleOut.KIND);
        assertThat(DocumentFile.check(GoldenFiles.FOLDER, read).isClean()).isTrue();
        DocumentReport.write(read, folder);
        requireSame("scale-out.json", DocumentFile.json(read));
        requireSame("report.md", Files.readString(folder.resolve("report.md")));
        assertThat(folder.resolve("report.html"))
                .content()
                .contains("scale-out &lt;b&gt;")
                .doesNotContain("scale-out <b>")
                .contains("id=\"plot-throughput\"", "id=\"plot-efficiency\"", "id=\"plot-latency\"")
                .contains("\"BY_HOSTS\"", "\"limit of send p95 (published)\"")
                .contains("[[1.0,500.0],[5.0,500.0]]");
    }
}
