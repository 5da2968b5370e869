package org.hubmark.bench.durability.result;

import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.page.JUnitFile;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/**
 * Whether the mail that a server had acknowledged was on the device when each 250 was read.
 *
 * @param acknowledgedMsgs messages for which a 250 was read
 * @param unsyncedMsgs those of them of which octets, or a name that leads to them, were not flushed
 * @param namesUnsyncedMsgs those of these of which only a name was not
 * @param namesKeptByJournalMsgs those of these again that ext4 and XFS keep, by the flush of the file
 * @param unknownMsgs those whose octets were not found as they were sent
 * @param verdict {@value #SYNCED}, {@value #NOT_SYNCED} or {@value #UNKNOWN}
 * @param reason of a verdict other than {@value #SYNCED}; empty with that
 * @param examples some of those that were not synced, else of the unknown, else of the others
 */
public record UnsyncedVerdict(
        long acknowledgedMsgs,
        long unsyncedMsgs,
        long namesUnsyncedMsgs,
        long namesKeptByJournalMsgs,
        long unknownMsgs,
        String verdict,
        String reason,
        List<Example> examples) {
    public static final String SYNCED = "synced";
    public static final String NOT_SYNCED = "not synced";
    public static final String UNKNOWN = "unknown";

    /**
     * A message.
     *
     * @param id its number, by which it can be asked for
     * @param token what its first field carried
     * @param queueId what the server called it; null where it doesn't say
     * @param state in words
     * @param files that held its octets at the 250, below the folder of the server
     * @param reason of that state; empty for one that was synced
     */
    public record Example(
            int id,
            long token,
            @Nullable String queueId,
            String state,
            List<String> files,
            String reason) {
        /** Copies. */
        public Example {
            files = List.copyOf(files);
        }
    }

    /** Copies. */
    public UnsyncedVerdict {
        examples = List.copyOf(examples);
    }

    /** {@return that nothing could be judged} */
    public static UnsyncedVerdict unknown(String reason) {
        return new UnsyncedVerdict(0, 0, 0, 0, 0, UNKNOWN, reason, List.of());
    }

    Findings findings() {
        boolean isSynced = verdict.equals(SYNCED);
        String answer = isSynced
                ? "All " + acknowledgedMsgs + " acknowledged messages were flushed, with the names"
                        + " that lead to them, when their 250 was read"
                : "";
        Findings.Outcome outcome = isSynced
                ? Findings.Outcome.GOOD
                : verdict.equals(NOT_SYNCED) ? Findings.Outcome.FAILED : Findings.Outcome.NOT_VALID;
        JUnitFile.Status status = isSynced
                ? JUnitFile.Status.PASSED
                : verdict.equals(NOT_SYNCED) ? JUnitFile.Status.FAILURE : JUnitFile.Status.SKIPPED;
        return new Findings(
                "Unsynced mail",
                answer,
                outcome,
                verdict,
                isSynced ? List.of() : List.of(reason),
                List.of(),
                Map.of(),
                List.of(new JUnitFile.Case("unsynced", status, reason)));
    }
}
