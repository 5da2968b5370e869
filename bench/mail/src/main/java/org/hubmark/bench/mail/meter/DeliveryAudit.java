package org.hubmark.bench.mail.meter;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.hubmark.bench.load.AcceptedMail;
import org.hubmark.bench.load.MessageComparison;
import org.hubmark.bench.load.Workload;
import org.hubmark.bench.mail.document.Case;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.Reason;
import org.hubmark.hub.audit.AuditShare;
import org.hubmark.hub.audit.AuditedContent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares what was sent with what was delivered, message by message: in an account of numbers a
 * message that is delivered twice hides one that is lost. One thread.
 */
public final class DeliveryAudit {
    private final Path delivered;
    private final long fromBytes;
    private final AcceptedMail accepted;

    private DeliveryAudit(Path delivered, long fromBytes, AcceptedMail accepted) {
        this.delivered = delivered;
        this.fromBytes = fromBytes;
        this.accepted = accepted;
    }

    /**
     * Begins, before the work does.
     *
     * @param delivered file to which the hub adds what it delivers; what is in it is of no concern
     */
    public static DeliveryAudit begin(Path delivered, AuditShare share, Workload work)
            throws IOException {
        AcceptedMail accepted = new AcceptedMail(share);
        work.audit(accepted);
        return new DeliveryAudit(delivered, Files.size(delivered), accepted);
    }

    /** {@return the outcome with what was found} After the drain. */
    public Measurement.Outcome judge(Measurement.Outcome outcome) throws IOException {
        Double left = outcome.repeat().get(Figure.LEFT);
        if (left != null && left > 0) {
            return outcome.with(outcome.repeat()
                    .noted(List.of("messages were not compared one by one, since "
                            + Math.round(left) + " were still in the queue after the drain")));
        }
        MessageComparison found = compare();
        Measurement.Outcome judged =
                outcome.with(outcome.repeat().with(MailDocument.AUDIT, found.audit()));
        for (Reason reason : reasons(found)) {
            judged = judged.invalid(reason);
        }
        return judged;
    }

    /** {@return why a result is not valid; none where each message arrived once, as it was sent} */
    List<Reason> reasons(MessageComparison found) {
        List<Reason> reasons = new ArrayList<>();
        found.faults().forEach(words -> reasons.add(new Reason(Case.MAIL, words)));
        if (accepted.unnamed() > 0) {
            reasons.add(new Reason(
                    Case.OTHER,
                    accepted.unnamed() + " messages were accepted without a queue id in the answer,"
                            + " so that they can't be audited"));
        }
        if (accepted.notNoted() > 0) {
            reasons.add(new Reason(
                    Case.AUDIT,
                    accepted.notNoted() + " messages could not be audited: the audit holds the"
                            + " first " + accepted.count()
                            + ", for which half of the driver's heap has room"));
        }
        return reasons;
    }

    /** {@return what was delivered beside what was accepted} */
    MessageComparison compare() throws IOException {
        MessageComparison comparison = new MessageComparison(accepted);
        try (FileChannel channel = FileChannel.open(delivered).position(fromBytes);
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(Channels.newInputStream(channel), US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                comparison.delivered(AuditedContent.parse(line));
            }
        }
        return comparison;
    }
}
