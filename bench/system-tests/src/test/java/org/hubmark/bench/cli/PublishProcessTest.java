package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.mail.document.Publication;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.report.MailReport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Proves that what is to be published keeps the rules, the whole way with hubs in processes of their own.
 * PublishTest has a short form, with times that no rule allows.
 */
class PublishProcessTest {
    @TempDir
    Path folder;

    /** The real thing, at a rate that is fixed since a search takes long: a quarter of an hour. */
    @Test
    @Tag("long")
    @Timeout(3_600)
    void keepsTheRulesThatItCanKeepByItself() throws Exception {
        Path out = folder.resolve("out");
        int code = Main.execute(
                "run",
                "--publish",
                "--sizes=57KB",
                "--rate=200",
                "--checkpoint-depth=64MiB",
                "--no-ceilings",
                "--quiet",
                "--output=" + out);
        Results results = MailReport.read(out.resolve("results.json"));
        Publication publication = Objects.requireNonNull(results.publish());
        assertThat(code).isEqualTo(publication.publishable() ? 0 : 3);
        assertThat(results.provenance().settings())
                .containsEntry("audit", "all")
                .containsEntry("duration", "1m")
                .containsEntry("repeat", 5);
        // The others are up to the machine of the test, its other load, and the state of the
        // sources.
        assertThat(broken(publication))
                .doesNotContain(
                        "Five repeats or more, each with a hub of its own, in random blocks",
                        "60 s or more each",
                        "Every message audited",
                        "Safe");
    }

    private static List<String> broken(Publication publication) {
        return publication.broken().stream().map(Publication.Rule::rule).toList();
    }
}
