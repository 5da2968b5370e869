package org.hubmark.bench.measure.run;

import org.HdrHistogram.HistogramLogWriter;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/** The histogram log of a scenario, ID.hlog. One thread. */
final class HistogramFile implements AutoCloseable {
    private final FileOutputStream file;
    private final HistogramLogWriter writer;

    /** Begins it. */
    HistogramFile(Path file, String title, Instant startedAt) throws IOException {
        this.file = new FileOutputStream(file.toFile());
        this.writer = new HistogramLogWriter(this.file);
        writer.outputComment("[Accept latency of " + title
                + " messages in nanoseconds, one interval a second of measured time]");
        writer.outputLogFormatVersion();
        writer.outputStartTime(startedAt.toEpochMilli());
        writer.setBaseTime(startedAt.toEpochMilli());
        writer.outputLegend();
    }

    HistogramLogWriter writer() {
        return writer;
    }

    /** {@return how long the file is, for {@link #cutTo}} */
    long lengthBytes() throws IOException {
        return file.getChannel().position();
    }

    /** Takes back the histograms that were written since the file was so long. */
    void cutTo(long lengthBytes) throws IOException {
        file.getChannel().truncate(lengthBytes);
    }

    @Override
    public void close() {
        writer.close();
    }
}
