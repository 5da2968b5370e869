package org.hubmark.bench.mail.publish;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.hubmark.bench.mail.Recorded;
import org.hubmark.bench.mail.document.Publication;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Proves that a result that keeps all rules is publishable, that each rule alone can keep it from that,
 * and that the page lists the same rules.
 */
class RunRuleTest {
    @TempDir
    Path folder;

    private Recorded results;

    /** Five repeats with a p99 of 40 ms. */
    @BeforeEach
    void keepAllRules() throws IOException {
        results = new Recorded("publishable", folder);
        results.rates(1000, 1001, 1000, 1001, 1000);
        HistogramLogWriter times =
                new HistogramLogWriter(folder.resolve("times.hlog").toFile());
        times.outputLogFormatVersion();
        for (int repeat = 1; repeat <= 5; repeat++) {
            Histogram latencies = new Histogram(3);
            latencies.recordValueWithCount(40_000_000, 1000);
            latencies.setTag("scenarios.1." + repeat + ".latencies");
            times.outputIntervalHistogram(0, 0, latencies);
        }
        times.close();
    }

    @Test
    void thePageListsTheRulesThatAreJudged() throws IOException {
        String page = Files.readString(
                Path.of(System.getProperty("hubmark.root")).resolve("docs/run-rules.md"));
        Matcher row = Pattern.compile("(?m)^\\| \\*\\*(.+?)\\.\\*\\*").matcher(page);
        List<String> listed = row.results().map(found -> found.group(1)).toList();
        assertThat(RunRule.values()).extracting(RunRule::title).isEqualTo(listed);
    }

    @Test
    void whatKeepsAllRulesIsPublishable() throws IOException {
        Publication publication = RunRule.judge(results.read());
        assertThat(publication.broken()).isEmpty();
        assertThat(publication.publishable()).isTrue();
        assertThat(publication.rules()).hasSize(RunRule.values().length);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "broken.csv", delimiter = '|', quoteCharacter = '`')
    void aRuleThatIsNotKeptKeepsItBack(RunRule rule, String pointer, String value)
            throws IOException {
        results.set(pointer, value);
        assertBroken(rule);
    }

    @Test
    void fourRepeatsAreTooFewAndARateThatRisesHasATrend() throws IOException {
        results.rates(1000, 1001, 1000, 1001);
        assertBroken(RunRule.REPEATS);
        results.rates(1000, 1050, 1100, 1150, 1200);
        assertBroken(RunRule.TREND);
    }

    private void assertBroken(RunRule rule) throws IOException {
        Publication publication = RunRule.judge(results.read());
        assertThat(publication.publishable()).isFalse();
        assertThat(publication.broken()).extracting(Publication.Rule::rule).contains(rule.title());
    }
}
