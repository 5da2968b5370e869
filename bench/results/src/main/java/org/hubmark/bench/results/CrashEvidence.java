package org.hubmark.bench.results;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JacksonException;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Reads what {@code durability --server} found of a server, as evidence of whether it loses
 * acknowledged mail. The server of the campaign can't be compared with the one that is measured: who
 * gives the file answers for that, and the file's name and sum stand in the results.
 */
public final class CrashEvidence {
    /**
     * Least number of power losses. A server that loses mail in one of four would survive that many
     * in 4 of 100 campaigns; fewer, in more than 5.
     */
    static final int POWER_LOSSES_MIN = 11;

    private static final String CLASS = "synced";
    private static final String POWER = "power";

    /** Here the medium lies, or changes what it holds: no server can promise anything then. */
    private static final Set<String> LYING =
            Set.of("flip", "lost-write", "misdirected", "unreadable", "rot");

    private CrashEvidence() {}

    /** Part of a durability.json that is read. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    private record Campaign(
            boolean flushesIgnored, @Nullable List<Verdict> verdicts) {}

    /**
     * Part of a verdict on a server that is read; the server was crashed in one way in one class.
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    private record Verdict(
            String server,
            String durability,
            String kind,
            long crashes,
            long acknowledgedMsgs,
            long lostMsgs,
            long corruptedMsgs,
            boolean promiseKept,
            @Nullable Double lossChanceUpperBound) {
        private String words() {
            return String.format(
                    Locale.ROOT,
                    "'%s', class synced, kind %s: %d of %d acknowledged messages were lost and %d"
                            + " came back changed, in %d crashes",
                    server,
                    kind,
                    lostMsgs,
                    acknowledgedMsgs,
                    corruptedMsgs,
                    crashes);
        }
    }

    /**
     * {@return what the file says of the safety of its server}
     *
     * @throws UserError if it can't be read, is of another form or says nothing of class synced
     */
    public static Safety read(Path file) {
        byte[] octets;
        Campaign campaign;
        try {
            octets = Files.readAllBytes(file);
            campaign = JsonFile.mapper().readValue(octets, Campaign.class);
        } catch (JacksonException e) {
            throw UserError.usage(file + " is not a durability.json: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw UserError.usage(file + " can't be read (" + FileErrors.reason(e) + ")");
        }
        List<Verdict> verdicts = campaign.verdicts == null
                ? List.of()
                : campaign.verdicts.stream()
                        .filter(verdict -> verdict.durability.equals(CLASS))
                        .toList();
        if (verdicts.isEmpty()) {
            throw UserError.usage(
                    file + " has no verdict in class synced: is it a durability.json of durability"
                            + " --server COMMAND --class synced --kinds kill,power?");
        }
        if (campaign.flushesIgnored) {
            throw UserError.usage(
                    file + " is a control in which the devices ignored flushes: no server could"
                            + " keep its promise there");
        }
        return judge(verdicts, String.valueOf(file.getFileName()), sha256(octets));
    }

    private static Safety judge(List<Verdict> verdicts, String file, String sha256) {
        List<String> broken = verdicts.stream()
                .filter(verdict -> !verdict.promiseKept && !LYING.contains(verdict.kind))
                .map(Verdict::words)
                .toList();
        if (!broken.isEmpty()) {
            String words = String.join("; ", broken);
            return Safety.broken(words, SafetyEvidence.durability(words, file, sha256));
        }
        return verdicts.stream()
                .filter(verdict -> verdict.kind.equals(POWER))
                .findFirst()
                .map(verdict -> power(verdict, file, sha256))
                .orElseGet(() -> Safety.undecided(SafetyEvidence.durability(
                        "its power was never cut in class synced, so nothing is known of that",
                        file,
                        sha256)));
    }

    private static Safety power(Verdict verdict, String file, String sha256) {
        String words = verdict.words();
        if (verdict.crashes < POWER_LOSSES_MIN || verdict.acknowledgedMsgs == 0) {
            return Safety.undecided(SafetyEvidence.durability(
                    words + "; too few to tell, it takes " + POWER_LOSSES_MIN, file, sha256));
        }
        Double bound = verdict.lossChanceUpperBound;
        if (bound == null) {
            return Safety.undecided(SafetyEvidence.durability(
                    words + "; the chance of loss is not known", file, sha256));
        }
        return Safety.proven(SafetyEvidence.durability(
                words
                        + String.format(
                                Locale.ROOT,
                                "; a power loss takes mail in less than %.1f%% of cases (95%%), where"
                                        + " the devices keep what was flushed",
                                100 * bound),
                file,
                sha256));
    }

    private static String sha256(byte[] octets) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(octets));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
