package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.bench.machine.folders.NewFolder;
import org.hubmark.bench.mail.report.MailReport;
import org.hubmark.core.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

/** Proves that a folder is taken that has no result, and that no result is replaced. */
class OutputFolderTest {
    @TempDir
    Path folder;

    @Test
    void whatAKilledRunLeftIsTakenAndAResultIsNot() throws Exception {
        CommonOptions.Output output = new CommonOptions.Output();
        output.folder = folder;
        Files.writeString(folder.resolve("series.csv"), "of\n");
        Files.writeString(folder.resolve("times.hlog"), "");
        try (NewFolder made = output.make(MailReport.KIND, false)) {
            assertThat(made.path()).isEqualTo(folder);
        }
        Files.writeString(folder.resolve("users.json"), "{}");
        assertThatThrownBy(() -> output.make(MailReport.KIND, false))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("holds the result of another run already");
    }
}
