package org.hubmark.bench.measure.watch;

import org.hubmark.core.FileErrors;
import org.hubmark.core.PrivateFiles;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The secret that a watch and those who may ask it have in common, as an HTTP bearer token (RFC 6750).
 * It travels as it is: what has to be kept from those who can listen goes through a tunnel.
 */
public final class WatchToken {
    private static final String SCHEME = "Bearer ";
    private static final int OCTETS_MAX = 1024;

    private final String text;

    private WatchToken(String text) {
        this.text = text;
    }

    /**
     * {@return the token in a file} One that every user can read is told on standard error.
     *
     * @param option that named the file, for the message
     * @throws UserError when there is none in it
     */
    public static WatchToken read(Path file, String option) {
        try {
            if (Files.size(file) > OCTETS_MAX) {
                throw UserError.usage(option + " " + file + " is too long for a token: at most "
                        + OCTETS_MAX + " octets");
            }
            String text = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
            if (!text.matches("[!-~]+")) {
                throw UserError.usage(option + " " + file + " holds no token: one word of printable"
                        + " ASCII, as 'openssl rand -hex 16' makes one");
            }
            if (PrivateFiles.isReadableByAll(file)) {
                System.err.println("hubmark: " + option + " " + file
                        + " can be read by every user of this machine; chmod 600 " + file);
            }
            return new WatchToken(text);
        } catch (IOException e) {
            throw UserError.usage(
                    option + " " + file + " can't be read (" + FileErrors.reason(e) + ")");
        }
    }

    /** {@return the value of the Authorization field that shows it} */
    String authorization() {
        return SCHEME + text;
    }

    /**
     * {@return whether that field shows this token} It takes the same time wherever they differ, and
     * whatever their lengths are.
     */
    boolean isShownBy(@Nullable String authorization) {
        return MessageDigest.isEqual(
                digest(authorization()), digest(authorization == null ? "" : authorization));
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each JDK has SHA-256", e);
        }
    }
}
