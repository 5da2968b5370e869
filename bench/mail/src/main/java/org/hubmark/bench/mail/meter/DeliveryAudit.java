package org.hubmark.bench.mail.meter;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.hubmark.bench.hub.DeliveryEnd;
import org.hubmark.bench.load.AcceptedMail;
import org.hubmark.bench.load.Workload;
import org.hubmark.bench.mail.document.Case;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.Reason;
import org.hubmark.core.QueueId;
import org.hubmark.core.UserError;
import org.hubmark.hub.VolumeFolders;
import org.hubmark.hub.audit.AuditShare;
import org.hubmark.hub.audit.AuditedContent;
import org.hubmark.queue.QueueReader;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Compares what was sent with what was delivered, message by message: in an account of numbers a
 * message that is delivered twice hides one that is lost. One thread.
 */
public final class DeliveryAudit {
    private final DeliveryEnd end;
    private final Instant begun;
    private final long fromBytes;
    private final AcceptedMail accepted;

    private DeliveryAudit(DeliveryEnd end, long fromBytes, AcceptedMail accepted) {
        this.end = end;
        // A hub's times have milliseconds.
        this.begun = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        this.fromBytes = fromBytes;
        this.accepted = accepted;
    }

    /**
     * Refuses a load with more messages than an audit holds.
     *
     * @throws UserError saying how many there would be
     */
    public static void requireRoom(AuditShare share, double messages) {
        double audited = switch (share) {
            case OFF -> 0;
            case SAMPLED -> messages / AuditShare.ONE_IN;
            case ALL -> messages;
        };
        if (audited > AcceptedMail.messagesMax()) {
            throw UserError.failed(String.format(
                    Locale.ROOT,
                    "an audit of %.0f messages is refused: half of the driver's heap has room"
                            + " for %d; choose --audit sampled, a shorter --duration or a lower"
                            + " --rate",
                    audited,
                    AcceptedMail.messagesMax()));
        }
    }

    /** Begins, before the work does. */
    public static DeliveryAudit begin(DeliveryEnd end, AuditShare share, Workload work)
            throws IOException {
        Path told = end instanceof DeliveryEnd.Told one ? one.file() : null;
        AcceptedMail accepted = new AcceptedMail(share);
        work.audit(accepted);
        long fromBytes = told == null ? 0 : Files.size(told);
        return new DeliveryAudit(end, fromBytes, accepted);
    }

    /** {@return the outcome with what was found} After the drain; of what is held, after the hub. */
    public Measurement.Outcome judge(Measurement.Outcome outcome) throws IOException {
        Double left = outcome.repeat().get(Figure.LEFT);
        if (left != null && left > 0 && !(end instanceof DeliveryEnd.Held)) {
            return outcome.with(outcome.repeat()
                    .noted(List.of("messages were not compared one by one, since "
                            + Math.round(left) + " were still in the queue after the drain")));
        }
        MessageComparison found = compare();
        Measurement.Outcome judged =
                outcome.with(outcome.repeat().with(MailDocument.AUDIT, found.audit()));
        for (String reason : found.reasons()) {
            judged = judged.invalid(new Reason(Case.MAIL, reason));
        }
        return judged;
    }

    /** {@return what was delivered beside what was accepted} */
    MessageComparison compare() throws IOException {
        return switch (end) {
            case DeliveryEnd.Told told -> told(told.file());
            case DeliveryEnd.Held held -> held(held.volumes());
        };
    }

    private MessageComparison told(Path file) throws IOException {
        MessageComparison comparison = new MessageComparison(accepted, "delivered");
        try (FileChannel channel = FileChannel.open(file).position(fromBytes);
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(Channels.newInputStream(channel), US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                comparison.delivered(AuditedContent.parse(line));
            }
        }
        return comparison;
    }

    /** What came before, from a search or a warm-up, is in the queue too. */
    private MessageComparison held(VolumeFolders volumes) throws IOException {
        MessageComparison comparison = new MessageComparison(accepted, "in the queue");
        try (QueueReader queue = QueueReader.open(volumes.log(), volumes.queue())) {
            List<QueueId> ours = new ArrayList<>();
            queue.forEach(message -> {
                if (accepted.share().takes(message.id().value())
                        && !message.envelope().receivedAt().isBefore(begun)) {
                    ours.add(message.id());
                }
            });
            for (QueueId id : ours) {
                try (InputStream content = queue.content(id).open()) {
                    comparison.delivered(AuditedContent.read(id, content));
                }
            }
        }
        return comparison;
    }
}
