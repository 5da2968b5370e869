package org.hubmark.bench.mail.document;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.FileNotFoundException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The times.hlog files of several drivers as if they were of one: their counts are added up, so that the
 * percentiles are those of all messages together. One thread.
 */
public final class MergedLatencies {
    /** Of the times of a repeat: table, row, repeat and what they are. */
    private static final int TAG_PARTS = 4;

    private final Histogram latencies = new Histogram(3);
    private final Histogram uncorrected = new Histogram(3);
    private final List<Source> sources = new ArrayList<>();

    /**
     * One file.
     *
     * @param messages accepted in its measured time
     * @param measuredSeconds the sum of its intervals
     * @param fromMillis the begin of the first interval, as Unix time
     * @param toMillis the end of the last one
     */
    public record Source(
            Path file, long messages, double measuredSeconds, long fromMillis, long toMillis) {}

    private MergedLatencies() {}

    /**
     * Reads and adds up.
     *
     * @throws UserError when a file can't be read, is no histogram log or holds nothing
     */
    public static MergedLatencies read(List<Path> files) {
        MergedLatencies merged = new MergedLatencies();
        files.forEach(merged::add);
        return merged;
    }

    private void add(Path file) {
        long messages = 0;
        long measuredMillis = 0;
        long from = Long.MAX_VALUE;
        long to = 0;
        try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
            while (reader.hasNext()) {
                EncodableHistogram interval = reader.nextIntervalHistogram();
                if (!(interval instanceof Histogram histogram)) {
                    break;
                }
                String[] tag = String.valueOf(histogram.getTag()).split("\\.", -1);
                if (tag.length > TAG_PARTS) {
                    // A step, whose times are among those of its repeat.
                    continue;
                }
                String times = tag[tag.length - 1];
                if (tag.length > 1 && !tag[1].equals("1")) {
                    throw UserError.usage("--merge " + file + " holds several scenarios; merge"
                            + " drivers that sent one size over as many connections");
                }
                if (times.equals(Figure.UNCORRECTED.key())) {
                    uncorrected.add(histogram);
                } else if (times.equals(Figure.OPEN.key())) {
                    messages -= histogram.getTotalCount();
                } else if (times.equals(Figure.ACCEPT.key())) {
                    latencies.add(histogram);
                    messages += histogram.getTotalCount();
                    measuredMillis += histogram.getEndTimeStamp() - histogram.getStartTimeStamp();
                    from = Math.min(from, histogram.getStartTimeStamp());
                    to = Math.max(to, histogram.getEndTimeStamp());
                }
            }
        } catch (FileNotFoundException e) {
            throw UserError.usage("--merge " + file + " can't be read (no such file, or no leave)");
        } catch (UserError e) {
            throw e;
        } catch (RuntimeException e) {
            throw UserError.usage(
                    "--merge " + file + " is not an HdrHistogram log (" + e.getMessage() + ")");
        }
        if (messages == 0) {
            throw UserError.usage("--merge " + file + " holds no latencies of a load");
        }
        sources.add(new Source(file, messages, measuredMillis / 1e3, from, to));
    }

    /** {@return nanoseconds, from the intended start} */
    public Histogram latencies() {
        return latencies;
    }

    /** {@return nanoseconds, from the moment of sending, or null where the files don't have them} */
    public @Nullable Histogram uncorrected() {
        return uncorrected.getTotalCount() == 0 ? null : uncorrected;
    }

    /** {@return what each file holds, in the order given} */
    public List<Source> sources() {
        return List.copyOf(sources);
    }

    /** {@return messages a second of all drivers, each over its own measured time} */
    public double ratePerSecond() {
        double rate = 0;
        for (Source source : sources) {
            rate += source.messages() / Math.max(1e-3, source.measuredSeconds());
        }
        return rate;
    }

    /** {@return for how much of the time in which any driver measured all of them did, 0 to 1} */
    public double together() {
        long from = sources.stream().mapToLong(Source::fromMillis).max().orElse(0);
        long to = sources.stream().mapToLong(Source::toMillis).min().orElse(0);
        long first = sources.stream().mapToLong(Source::fromMillis).min().orElse(0);
        long last = sources.stream().mapToLong(Source::toMillis).max().orElse(1);
        return Math.max(0, to - from) / (double) Math.max(1, last - first);
    }

    /**
     * Merged result of several drivers, for programs.
     *
     * @param throughputMsgsPerS of all, each over its own measured time
     * @param measuredTogether for how much of the time in which any measured all of them did, 0 to
     *     1
     */
    private record Form(
            List<Source> drivers,
            long acceptedMsgs,
            double throughputMsgsPerS,
            double measuredTogether,
            @Nullable AcceptLatency acceptLatencyMs,
            @Nullable AcceptLatency acceptLatencyUncorrectedMs) {}

    /** {@return it as JSON, over several lines} */
    public String json() {
        return JsonFile.text(new Form(
                sources(),
                latencies.getTotalCount(),
                ratePerSecond(),
                together(),
                AcceptLatency.of(latencies),
                AcceptLatency.of(uncorrected)));
    }
}
