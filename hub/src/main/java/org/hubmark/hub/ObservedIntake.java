package org.hubmark.hub;

import org.hubmark.core.Content;
import org.hubmark.core.Envelope;
import org.hubmark.core.Intake;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.hubmark.hub.pressure.BackPressure;
import org.hubmark.hub.tracking.TrackingEvent;
import org.hubmark.hub.tracking.TrackingLog;
import org.jspecify.annotations.Nullable;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Passes everything on to the intake behind it as far as back pressure allows, and notes what was
 * queued in the tracking log and what was refused, and why, in a counter. Any thread.
 */
final class ObservedIntake implements Intake {
    private final Intake intake;
    private final TrackingLog tracking;
    private final BackPressure pressure;
    private final Map<Receipt.Reason, LongAdder> refusals = new EnumMap<>(Receipt.Reason.class);

    ObservedIntake(Intake intake, TrackingLog tracking, BackPressure pressure) {
        this.intake = intake;
        this.tracking = tracking;
        this.pressure = pressure;
        for (Receipt.Reason reason : Receipt.Reason.values()) {
            refusals.put(reason, new LongAdder());
        }
    }

    /** {@return how often mail was refused for this reason: at MAIL, within or after content} */
    LongAdder refusals(Receipt.Reason reason) {
        return refusals.getOrDefault(reason, new LongAdder());
    }

    @Override
    public Receipt.@Nullable Refused refusal() {
        Receipt.Refused refused = intake.refusal();
        if (refused == null) {
            refused = pressure.refusal();
        }
        if (refused != null) {
            count(refused);
        }
        return refused;
    }

    @Override
    public long pauseNanos() {
        return Math.max(intake.pauseNanos(), pressure.pauseNanos());
    }

    @Override
    public QueueId nextId() {
        return intake.nextId();
    }

    @Override
    public void storeExtent(Content content, Consumer<Optional<Receipt.Refused>> listener) {
        intake.storeExtent(content, refused -> {
            refused.ifPresent(this::count);
            listener.accept(refused);
        });
    }

    @Override
    public void enqueue(Envelope envelope, Content content, Consumer<Receipt> listener) {
        long sizeBytes = content.sizeBytes();
        intake.enqueue(envelope, content, receipt -> {
            switch (receipt) {
                case Receipt.Queued queued ->
                    tracking.offer(TrackingEvent.receive(queued.id(), envelope, sizeBytes));
                case Receipt.Refused refused -> count(refused);
            }
            listener.accept(receipt);
        });
    }

    @Override
    public void abandon(Content content) {
        intake.abandon(content);
    }

    private void count(Receipt.Refused refused) {
        refusals(refused.reason()).increment();
    }
}
