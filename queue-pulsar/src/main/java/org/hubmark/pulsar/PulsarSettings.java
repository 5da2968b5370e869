package org.hubmark.pulsar;

import org.hubmark.core.FileErrors;
import org.hubmark.core.Settings;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a queue on Pulsar is told.
 *
 * @param pendingBytesMax octets of messages sent and not yet acknowledged by the cluster, and of those
 *     still being received
 * @param sendTimeout how long the cluster may take
 * @param leasedBytesMax octets of the messages being delivered
 * @param tokenFile holds the token for the cluster; empty for none
 * @param admin where a broker answers administrators; empty if nobody asks
 */
record PulsarSettings(
        long pendingBytesMax,
        Duration sendTimeout,
        long leasedBytesMax,
        Optional<Path> tokenFile,
        Optional<URI> admin) {
    private static final Pattern TOKEN = Pattern.compile("[!-~]+");
    private static final Pattern WEB =
            Pattern.compile("https?://(?:[\\w.-]+|\\[[0-9a-fA-F:.]+])(?::[0-9]{1,5})?/?");

    static PulsarSettings read(Settings settings) {
        long pendingBytesMax = settings.bytes(
                "pulsar.pending-bytes-max",
                96_000_000,
                "Octets of messages sent to the cluster and not yet acknowledged, and of the parts of"
                        + " large ones that are still being received, a large one twice while it is put"
                        + " together; with more the peer gets 452.");
        Duration sendTimeout = settings.duration(
                "pulsar.send-timeout",
                Duration.ofSeconds(30),
                "How long the cluster may take to acknowledge a message; then the peer gets 451.");
        long leasedBytesMax = settings.bytes(
                "pulsar.leased-bytes-max",
                32_000_000,
                "Octets of the messages that are being delivered, all of them in memory; beyond it"
                        + " no further message is taken on. A deferred message counts twice while"
                        + " it is sent again.");
        String admin = settings.text(
                "pulsar.admin",
                "",
                "Where a broker answers administrators, http://HOST:PORT; the check of policies"
                        + " asks there. Empty for none.");
        String tokenFile = settings.text(
                "pulsar.token-file",
                "",
                "File with the token that authenticates the hub to the cluster; empty for none.");
        return new PulsarSettings(
                pendingBytesMax,
                sendTimeout,
                leasedBytesMax,
                tokenFile.isEmpty() ? Optional.empty() : Optional.of(Path.of(tokenFile)),
                web(admin));
    }

    private static Optional<URI> web(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        if (!WEB.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "setting pulsar.admin: '" + text + "' is not http://HOST:PORT");
        }
        return Optional.of(URI.create(text));
    }

    /**
     * {@return the token for the cluster, read now; empty where no file is named}
     *
     * @throws IOException if there is none in the file
     */
    String token() throws IOException {
        if (tokenFile.isEmpty()) {
            return "";
        }
        Path file = tokenFile.get();
        String token;
        try {
            token = Files.readString(file).strip();
        } catch (IOException e) {
            throw new IOException("can't read the token in " + file + ": " + FileErrors.text(e), e);
        }
        if (!TOKEN.matcher(token).matches()) {
            throw new IOException("there is no token in " + file
                    + ": it has to be one line of ASCII without blanks");
        }
        return token;
    }

    /** {@return who can be asked about the topics, if anybody} */
    Optional<PulsarAdmin> administrator() {
        return admin.map(broker -> new PulsarAdmin(broker, this));
    }
}
