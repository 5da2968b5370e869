package org.hubmark.bench.measure;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.hubmark.bench.load.AcceptedMail;
import org.hubmark.bench.load.AuditShare;
import org.hubmark.bench.load.AuditedContent;
import org.hubmark.bench.load.Workload;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Compares what was sent with what was delivered, message by message: in an account of numbers a
 * message that is delivered twice hides one that is lost. One thread.
 */
public final class DeliveryAudit {
    private final Path file;
    private final long fromBytes;
    private final AcceptedMail accepted;

    private DeliveryAudit(Path file, long fromBytes, AcceptedMail accepted) {
        this.file = file;
        this.fromBytes = fromBytes;
        this.accepted = accepted;
    }

    /**
     * Begins, before the work does.
     *
     * @param file to which the hub adds what it delivers; what is in it by now is of no concern
     */
    public static DeliveryAudit begin(Path file, AuditShare share, Workload work)
            throws IOException {
        AcceptedMail accepted = new AcceptedMail(share);
        work.audit(accepted);
        return new DeliveryAudit(file, Files.size(file), accepted);
    }

    /** {@return the outcome with what was found} After the drain. */
    public Measurement.Outcome judge(Measurement.Outcome outcome) throws IOException {
        Long left = outcome.repeat().figures().counts().leftInQueueMsgs();
        if (left != null && left > 0) {
            return outcome.noted(List.of("messages were not compared one by one, since " + left
                    + " were still in the queue after the drain"));
        }
        MessageComparison found = compare();
        Measurement.Outcome judged = outcome.audited(found.audit());
        for (String reason : found.reasons()) {
            judged = judged.invalid(reason);
        }
        return judged;
    }

    MessageComparison compare() throws IOException {
        MessageComparison comparison = new MessageComparison(accepted);
        try (FileChannel channel = FileChannel.open(file).position(fromBytes);
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(Channels.newInputStream(channel), US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                comparison.delivered(AuditedContent.parse(line));
            }
        }
        return comparison;
    }
}
