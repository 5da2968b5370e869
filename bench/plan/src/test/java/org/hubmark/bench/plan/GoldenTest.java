package org.hubmark.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.golden.GoldenFiles.requireSame;
import static org.junit.jupiter.api.Assertions.assertAll;

import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.kit.document.StudyRun;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Environment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Shows that the recorded results of users and qualify, and a publication, give the plans under
 * golden: file, report and answer.
 */
class GoldenTest {
    /** Where recorded results lie. */
    private static final String USERS = "../users/src/test/resources/golden/";

    private static final String QUALIFY = "src/test/resources/results/";

    private static final Environment MACHINE = new Environment(
            new Environment.Processor("cpu", 2, 2, null, null),
            null,
            new Environment.Software("os", "6", "25", null),
            List.of(),
            null);

    /** Nobody waits for it. */
    private static final class FixedClock implements Clock {
        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void sleep(Duration time) {}
    }

    @TempDir
    Path folder;

    @Test
    void recordedResultsAreAPlanAsBefore() throws Exception {
        Collected said = new Collected();
        said.said(PlanInputs.USERS, 1000.0, Source.given("--users"));
        said.said(PlanInputs.DRIVES, 10.0, Source.given("--drives"));
        said.said(PlanInputs.MAILBOX_MB, 1000.0, Source.given("--mailbox_mb"));
        said.said(PlanInputs.PEAK_FACTOR, 3.0, Source.given("--peak-factor"));
        said.said(PlanInputs.DISK_GB, 1000.0, Source.given("--disk_gb"));
        requireSamePlans(
                "own",
                new PlanStudy(List.of(USERS + "recorded", QUALIFY + "recorded"), null, said));
    }

    @Test
    void aPublicationIsComputedAsBefore() throws Exception {
        requireSamePlans(
                "published", new PlanStudy(List.of(), PublishedCases.PAM, new Collected()));
    }

    private void requireSamePlans(String name, PlanStudy study) throws Exception {
        Document found = StudyRun.of(
                study,
                new Context.Request(
                        folder,
                        new Tool("1.0", null),
                        "a <command>",
                        Map.of(),
                        MACHINE,
                        new FixedClock(),
                        Progress.SILENT,
                        List::of));
        assertAll(
                () -> requireSame(name + "/plan.json", named(DocumentFile.json(found))),
                () -> requireSame(
                        name + "/report.md", named(Files.readString(folder.resolve("report.md")))),
                () -> assertThat(folder.resolve("report.html"))
                        .content()
                        .contains("a &lt;command&gt;"),
                () -> requireSame(
                        name + "/text.txt",
                        named(found.findings().answer() + "\n\n"
                                + String.join("\n", found.findings().remarks()))));
    }

    /** {@return the text with the study for the folder of recorded results} */
    private static String named(String text) {
        return text.replace(USERS, "users/").replace(QUALIFY, "qualify/");
    }
}
