package org.hubmark.bench.qualify.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.golden.GoldenFiles.requireSame;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.kit.page.TableCell;
import org.hubmark.golden.GoldenFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Proves that no figure, key or word of qualify changes unnoticed: a qualification of which everything was
 * known and one of caches, recorded, are read, computed again and reported as before.
 */
class GoldenTest {
    @TempDir
    Path folder;

    private static Document recorded(String name) throws IOException {
        return DocumentFile.read(GoldenFiles.FOLDER.resolve(name), Qualification.KIND);
    }

    @ParameterizedTest
    @ValueSource(strings = {"complete", "caches"})
    void whatWasCountedSaysTheSame(String name) throws IOException {
        Document read = recorded(name);
        DocumentFile.Check check = DocumentFile.check(GoldenFiles.FOLDER.resolve(name), read);
        assertThat(check.mismatches()).isEmpty();
        assertThat(check.isClean()).isTrue();
        DocumentReport.write(read, folder);
        requireSame(name + "/report.md", Files.readString(folder.resolve("report.md")));
        // A key that is gone is no figure that differs.
        requireSame(name + "/qualification.json", DocumentFile.json(read));
    }

    /** A name that the source has not, or that no record of ours writes, is found by that too. */
    @Test
    void noRowOfTheFormIsADash() throws IOException {
        List<List<String>> rows = EsrpSections.of(recorded("complete")).stream()
                .flatMap(section -> section.blocks().stream())
                .filter(Block.Grid.class::isInstance)
                .map(Block.Grid.class::cast)
                .filter(grid -> grid.headings().stream()
                        .map(heading -> String.join(" ", heading.lines()))
                        .toList()
                        .equals(EsrpForm.BESIDE))
                .flatMap(grid -> grid.rows().stream())
                .map(row -> row.stream().map(TableCell::text).toList())
                .toList();
        assertThat(rows).hasSizeGreaterThan(50).noneMatch(row -> row.get(1).equals(Cells.UNKNOWN));
    }

    /** Cells that follow from others, one of each kind. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/phases/0/achieved_iops",
                "/phases/0/avg_db_read_latency_ms",
                "/phases/0/avg_db_read_latency_ms_weighted",
                "/phases/0/host/cpu_percent/avg",
                "/phases/0/instances/1/p99_db_read_latency_ms",
                "/phases/0/instances/1/total/db_reads_per_s",
                "/phases/0/instances/0/max_sample_db_read_latency_ms",
                "/phases/1/backup/1/mb_per_s",
                "/phases/2/recovery/0/s_per_mb",
            })
    void aChangedCellIsFound(String cell) throws IOException {
        JsonNode changed = JsonFile.read(GoldenFiles.FOLDER.resolve("complete/qualification.json"));
        JsonPointer at = JsonPointer.compile(cell);
        String key = at.last().getMatchingProperty();
        ((ObjectNode) changed.at(at.head())).put(key, changed.at(at).asDouble() * 1.01 + 1);
        JsonFile.write(changed, folder.resolve("qualification.json"));
        assertThat(DocumentFile.check(folder, recorded("complete")).mismatches())
                .singleElement()
                .asString()
                .contains(key);
    }

    private static List<String> drawn(Charts.Chart chart, int panel) {
        return chart.series().stream()
                .filter(one -> one.panel() == panel && !one.points().isEmpty())
                .map(one -> one.name() + " " + one.points())
                .toList();
    }

    /** Of twelve instances: the later, the slower they read; the last wrote no log. The limits are an hour. */
    @Test
    void theSlowestInstancesAndTheirLimitsAreDrawn() throws IOException {
        List<Charts.Chart> plots = QualificationCharts.of(recorded("instances")).plots();
        assertThat(plots).hasSize(1);
        assertThat(drawn(plots.getFirst(), 0))
                .containsExactly(
                        "Instance.9 [[15.0, 9.0]]",
                        "Instance.10 [[15.0, 10.0]]",
                        "Instance.11 [[15.0, 11.0]]",
                        "Instance.12 [[15.0, 12.0]]",
                        "limit [[15.0, 3600000.0], [15.0, 3600000.0]]");
        assertThat(drawn(plots.getFirst(), 1))
                .containsExactly(
                        "Instance.1 [[15.0, 1.9]]",
                        "Instance.2 [[15.0, 1.8]]",
                        "Instance.3 [[15.0, 1.7]]",
                        "Instance.4 [[15.0, 1.6]]",
                        "limit [[15.0, 3600000.0], [15.0, 3600000.0]]");
        // By its place among all of them a name has its colour.
        assertThat(plots.getFirst().series().stream().limit(12))
                .extracting(Charts.Series::name)
                .startsWith("Instance.1", "Instance.2")
                .endsWith("Instance.12");
    }
}
