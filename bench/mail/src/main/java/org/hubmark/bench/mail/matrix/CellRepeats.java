package org.hubmark.bench.mail.matrix;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.mail.meter.Bottleneck;
import org.hubmark.bench.mail.meter.KeptOutcome;
import org.hubmark.bench.mail.meter.Repeats;
import org.hubmark.bench.mail.document.Ceilings;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.LatencyAt;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.SustainedRate;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** The repeats of a cell, each of which a session of its own has measured. One thread. */
final class CellRepeats {
    private final Repeats repeats;
    private final List<SustainedRate> sustained = new ArrayList<>();
    private @Nullable LatencyAt latency;
    private @Nullable Double logDevice;

    /**
     * Begins.
     *
     * @param like has size and conditions of the cell
     */
    CellRepeats(Scenario like) {
        this.repeats = new Repeats(like.id(), like.messageSizeKb(), like.conditions());
        this.latency = like.latencyAt();
        Ceilings ceilings = like.capacity().ceilings();
        this.logDevice = ceilings == null ? null : ceilings.logDeviceMsgsPerS();
    }

    void add(Repeat counted) {
        repeats.add(KeptOutcome.of(counted));
        SustainedRate rate = Document.typed(
                counted.names().get(MailDocument.SUSTAINED_RATE.key()), SustainedRate.class);
        if (rate != null) {
            sustained.add(rate);
        }
    }

    /** Notes the latency at the rate beside; null where it was not measured. */
    void beside(@Nullable LatencyAt measured) {
        latency = measured == null ? latency : measured;
    }

    /** Notes what the log device holds by itself, messages a second; null where that was not measured. */
    void logDevice(@Nullable Double msgsPerS) {
        logDevice = msgsPerS == null ? logDevice : msgsPerS;
    }

    /** {@return the cell} */
    Scenario scenario() {
        Scenario all = repeats.scenario().at(SustainedRate.median(sustained)).with(latency);
        Ceilings found = Ceilings.of(all.figures().get(Figure.THROUGHPUT_MSGS_PER_S), logDevice);
        return all.with(found, Bottleneck.beside(all.figures().limiting(), found));
    }
}
