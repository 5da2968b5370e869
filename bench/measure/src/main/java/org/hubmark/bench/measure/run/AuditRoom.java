package org.hubmark.bench.measure.run;

import org.hubmark.bench.load.AcceptedMail;
import org.hubmark.core.UserError;
import org.hubmark.hub.audit.AuditShare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/**
 * Whether the lists of an audit fit on the disk of the results folder. An audit compares any number of
 * messages, so the disk is its limit; a load that fills it hours later is refused before it begins.
 */
final class AuditRoom {
    /** A line of the hub (an id of 13 characters, a length, a sum), and what the driver notes. */
    private static final int MESSAGE_BYTES = 32 + AcceptedMail.MESSAGE_BYTES;

    /** Kept free for raw files and reports. */
    private static final long SPARE_BYTES = 256 << 20;

    private static final double GIGABYTE = 1e9;

    private AuditRoom() {}

    /**
     * Refuses a load whose lists would not fit.
     *
     * @param share what is audited
     * @param ratePerSecond of the load, messages a second
     * @param time of the load, warm-up included
     * @throws UserError saying how much is needed and there is
     */
    static void require(Path folder, AuditShare share, double ratePerSecond, Duration time)
            throws IOException {
        require(folder, share, ratePerSecond, time, Files.getFileStore(folder).getUsableSpace());
    }

    static void require(
            Path folder, AuditShare share, double ratePerSecond, Duration time, long freeBytes) {
        double messages = ratePerSecond * time.toNanos() / 1e9;
        double needed = switch (share) {
            case OFF -> 0;
            case SAMPLED -> messages * MESSAGE_BYTES / AuditShare.ONE_IN;
            case ALL -> messages * MESSAGE_BYTES;
        };
        if (needed > 0 && needed + SPARE_BYTES > freeBytes) {
            throw UserError.failed(String.format(
                    Locale.ROOT,
                    "an audit of %.0f messages (%.0f/s for %s) needs %.1f GB in %s, which has %.1f"
                            + " GB; choose"
                            + " another --output, --audit sampled, a shorter --duration or a lower"
                            + " --rate",
                    messages,
                    ratePerSecond,
                    RunEstimate.text(time),
                    (needed + SPARE_BYTES) / GIGABYTE,
                    folder,
                    freeBytes / GIGABYTE));
        }
    }
}
