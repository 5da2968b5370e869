package org.hubmark.bench.machine.cluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads from ZooKeeper which bookies can be written to, by its command {@code dump}, which lists each
 * session with the nodes that end with it. Blocks.
 *
 * @param zooKeeper where it listens
 */
record ClusterRegistry(InetSocketAddress zooKeeper) {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Pattern SESSION = Pattern.compile("(0x[0-9a-f]+):");
    /** Not those below {@code readonly}, which can't be written to. */
    private static final Pattern BOOKIE = Pattern.compile("/ledgers/available/([^/]+:[0-9]+)");

    /** {@return the session of each bookie, by its HOST:PORT} */
    Map<String, String> bookies() throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(zooKeeper, (int) TIMEOUT.toMillis());
            socket.setSoTimeout((int) TIMEOUT.toMillis());
            socket.getOutputStream().write("dump".getBytes(StandardCharsets.US_ASCII));
            return parse(
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
        }
    }

    static Map<String, String> parse(String dump) {
        Map<String, String> bookies = new HashMap<>();
        String session = "";
        for (String line : dump.lines().map(String::strip).toList()) {
            Matcher header = SESSION.matcher(line);
            Matcher node = BOOKIE.matcher(line);
            if (header.matches()) {
                session = header.group(1);
            } else if (node.matches()) {
                bookies.put(node.group(1), session);
            }
        }
        return bookies;
    }
}
