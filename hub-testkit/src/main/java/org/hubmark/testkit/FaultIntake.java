package org.hubmark.testkit;

import org.hubmark.core.Content;
import org.hubmark.core.Envelope;
import org.hubmark.core.Intake;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.function.Consumer;

/** Passes on to the queue what the faults leave room for. Any thread. */
record FaultIntake(Intake intake, Faults faults, DueMail due) implements Intake {
    @Override
    public Receipt.@Nullable Refused refusal() {
        Receipt.Refused refused = faults.refusal();
        return refused == null ? intake.refusal() : refused;
    }

    @Override
    public QueueId nextId() {
        return intake.nextId();
    }

    @Override
    public void storeExtent(Content content, Consumer<Optional<Receipt.Refused>> listener) {
        intake.storeExtent(content, listener);
    }

    @Override
    public void enqueue(Envelope envelope, Content content, Consumer<Receipt> listener) {
        Receipt.Refused refused = faults.takeRoom(content.sizeBytes());
        if (refused == null) {
            intake.enqueue(envelope, content, receipt -> {
                if (receipt instanceof Receipt.Queued queued) {
                    due.add(queued.id());
                }
                listener.accept(receipt);
            });
        } else {
            intake.abandon(content);
            listener.accept(refused);
        }
    }

    @Override
    public void abandon(Content content) {
        intake.abandon(content);
    }
}
