package org.hubmark.bench.measure.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** Proves which histograms stay in a file that a later sitting goes on with. */
class HistogramFileTest {
    @TempDir
    Path folder;

    @Test
    void thoseOfKeptRepeatsStay() throws IOException {
        write("repeat-1", "repeat-2", "uncorrected-repeat-1", "repeat-11");
        goOn(repeat -> repeat == 1);
        assertThat(tags()).containsExactly("repeat-1", "uncorrected-repeat-1");
    }

    /** It was killed while it wrote the last of them. */
    @Test
    void aLineThatIsCutOffIsNone() throws IOException {
        write("repeat-1", "repeat-2", "repeat-3");
        try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
            var unused = channel.truncate(channel.size() - 5);
        }
        goOn(repeat -> true);
        assertThat(tags()).containsExactly("repeat-1", "repeat-2");
    }

    private Path file() {
        return folder.resolve("a.hlog");
    }

    private void write(String... tags) throws IOException {
        try (HistogramFile file = new HistogramFile(file(), "a", Instant.EPOCH)) {
            for (String tag : tags) {
                Histogram second = new Histogram(3);
                second.recordValue(1_000_000);
                second.setTag(tag);
                file.writer().outputIntervalHistogram(second);
            }
        }
    }

    private void goOn(IntPredicate kept) throws IOException {
        new HistogramFile(file(), "a", Instant.EPOCH, kept).close();
    }

    private List<String> tags() throws IOException {
        List<String> tags = new ArrayList<>();
        try (HistogramLogReader reader = new HistogramLogReader(file().toFile())) {
            for (EncodableHistogram one = reader.nextIntervalHistogram();
                    one != null;
                    one = reader.nextIntervalHistogram()) {
                tags.add(one.getTag());
            }
        }
        return tags;
    }
}
