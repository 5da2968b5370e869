package org.hubmark.bench.kit.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;

/** Proves that samples are added to their file as they come, and that those that no repeat has go again. */
class RawSamplesTest {
    private static final Name NAME = Name.of("name", "Name");
    private static final Form FORM = Form.of("rows", "Rows", List.of(NAME), List.of());
    private static final List<String> KEYS = List.of("at_s", "sent");

    @TempDir
    Path folder;

    private RawSamples samples;
    private Path file;

    @BeforeEach
    void begin() {
        samples = new RawSamples(folder);
        file = folder.resolve(RawSamples.FILE);
    }

    @Test
    void aRepeatIsAddedBehindThoseThatAreThere() throws IOException {
        Series first = grown("rows.1.1", 1);
        List<Table> one = tables(row("b", first));
        samples.write(one);
        Object before = place();
        Series second = grown("rows.1.2", 2, 3);
        assertThat(Files.readString(file))
                .isEqualTo("of,at_s,sent\nrows.1.1,1,\nrows.1.2,2,\nrows.1.2,3,\n");
        List<Table> two = tables(row("b", first, second));
        samples.write(two);
        samples.write(two);
        assertThat(place()).isEqualTo(before);
        assertThat(Files.readAllLines(file)).hasSize(4);
        assertThat(RawSamples.read(folder, List.of()))
                .isEqualTo(Map.of("rows.1.1", first, "rows.1.2", second));
    }

    @Test
    void whatNoRepeatHasIsTakenBack() throws IOException {
        Series first = grown("rows.1.1", 1);
        List<Table> one = tables(row("b", first));
        samples.write(one);
        var unused = grown("rows.1.2", 2, 3);
        Series second = grown("rows.1.2", 4);
        samples.write(tables(row("b", first, second)));
        assertThat(Files.readString(file)).isEqualTo("of,at_s,sent\nrows.1.1,1,\nrows.1.2,4,\n");
        samples.write(List.of());
        assertThat(file).doesNotExist();
        var unused2 = grown("rows.1.1", 1);
        samples.write(List.of());
        assertThat(file).doesNotExist();
    }

    /** Those of a table are told by their places. */
    @Test
    void aRowThatComesBeforeOthersHasTheFileWrittenAnew() throws IOException {
        Series later = grown("rows.1.1", 1);
        List<Table> one = tables(row("b", later));
        samples.write(one);
        Series earlier = grown("rows.1.1", 2);
        samples.write(tables(row("a", earlier), row("b", later)));
        assertThat(RawSamples.read(folder, List.of()))
                .isEqualTo(Map.of("rows.1.1", earlier, "rows.2.1", later));
    }

    @Test
    void whatAKilledRunAddedIsNotReadAndIsCut() throws IOException {
        Series first = grown("rows.1.1", 1);
        samples.write(tables(row("b", first)));
        List<RawFile> noted = FileSums.rawFiles(folder);
        Files.writeString(file, "rows.1.2,2,\nrows.1.", StandardOpenOption.APPEND);
        assertThat(RawSamples.read(folder, noted)).isEqualTo(Map.of("rows.1.1", first));
        new RawSamples(folder).cut(noted);
        assertThat(FileSums.rawFiles(folder)).isEqualTo(noted);
    }

    /** {@return samples at these times, of which nothing else is known} */
    private Series grown(String tag, double... seconds) throws IOException {
        Series series = samples.begin(tag, KEYS);
        for (double second : seconds) {
            series.sample(second, Double.NaN);
        }
        return series;
    }

    private static List<Table> tables(Row... rows) {
        return List.of(new Table(FORM, List.of(rows)));
    }

    private static Row row(String name, Series... repeats) {
        return new Row(
                Map.of(NAME.key(), name),
                List.of(repeats).stream()
                        .map(series -> Repeat.counted().samples(series).made())
                        .toList());
    }

    private Object place() throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }
}
