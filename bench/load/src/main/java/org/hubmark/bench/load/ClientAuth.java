package org.hubmark.bench.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.hubmark.core.FileErrors;
import org.hubmark.core.ForeignText;
import org.hubmark.core.UserError;
import org.hubmark.smtp.client.SmtpClient;
import org.hubmark.smtp.client.SmtpReply;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

/** User name and password of the driver. Any thread. */
public final class ClientAuth {
    /** RFC 4616 2 has no limit; RFC 4954 4 allows 12288 octets of base64 in all. */
    private static final int OCTETS_MAX = 1024;

    /** RFC 4954 4: the server waits for an answer. */
    private static final int CONTINUE = 334;

    private static final String NUL = "\0";

    private final String user;
    private final String password;

    private ClientAuth(String user, String password) {
        this.user = user;
        this.password = password;
    }

    /**
     * {@return that user with the password in a file, less the end of its line}
     *
     * @throws UserError when they can't be such
     */
    public static ClientAuth read(String user, Path passwordFile) {
        if (!isShort(user)) {
            throw UserError.usage("--auth-user is 1 to " + OCTETS_MAX + " octets without a NUL");
        }
        List<String> lines = passwords("--auth-password-file " + passwordFile, passwordFile);
        if (lines.size() != 1) {
            throw UserError.usage("--auth-password-file " + passwordFile + " has " + lines.size()
                    + " lines: one with the password");
        }
        return new ClientAuth(user, lines.getFirst());
    }

    /**
     * {@return the passwords of a file, one a line}
     *
     * @param option that names it, with its value
     * @throws UserError when one of them can't be such
     */
    public static List<String> passwords(String option, Path file) {
        try {
            List<String> lines =
                    ForeignText.unmarked(Files.readString(file)).lines().toList();
            for (String password : lines) {
                if (!isShort(password)) {
                    throw UserError.usage(
                            option + " has no password in line " + (lines.indexOf(password) + 1)
                                    + ": 1 to " + OCTETS_MAX + " octets without a NUL");
                }
            }
            return lines;
        } catch (MalformedInputException e) {
            throw UserError.usage(option + " is not UTF-8");
        } catch (IOException e) {
            throw UserError.usage(option + " can't be read (" + FileErrors.reason(e) + ")");
        }
    }

    private static boolean isShort(String text) {
        return !text.isEmpty() && !text.contains(NUL) && text.getBytes(UTF_8).length <= OCTETS_MAX;
    }

    /** {@return that user with that password, neither with a NUL in it} */
    public static ClientAuth of(String user, String password) {
        return new ClientAuth(user, password);
    }

    /** {@return the server's last word, which is a success when it lets the user in} Blocks. */
    public SmtpReply logOn(SmtpClient client, SaslMechanism mechanism) throws IOException {
        List<String> lines = lines(mechanism);
        SmtpReply reply = client.command(lines.getFirst());
        for (int i = 1; i < lines.size() && reply.code() == CONTINUE; i++) {
            reply = client.command(lines.get(i));
        }
        return reply;
    }

    /** {@return what the client says, a line each: the command, then an answer to each 334} */
    List<String> lines(SaslMechanism mechanism) {
        return switch (mechanism) {
            case PLAIN -> List.of("AUTH PLAIN " + base64(NUL + user + NUL + password));
            case LOGIN -> List.of("AUTH LOGIN", base64(user), base64(password));
        };
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
