package org.hubmark.bench.durability;

import org.hubmark.bench.machine.volumes.SystemTool;
import org.hubmark.core.Durability;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Any server that a command starts. Two commands for the shell, with placeholders: one that runs the
 * server in the foreground on {@code {port}} with all its files below {@code {data}}, and one that
 * writes what is in its queue into {@code {to}}, a file a message, named so that they sort in the
 * order in which they would go out.
 *
 * @param server starts it
 * @param readBack writes what is in its queue, while it runs
 */
record CommandTarget(String server, String readBack) implements Target {
    /** Checks the placeholders. */
    CommandTarget {
        require("--server", server, "{port}", "{data}");
        require("--read-back", readBack, "{data}", "{to}");
    }

    @Override
    public String name() {
        return server;
    }

    @Override
    public boolean anyLineEnds() {
        return true;
    }

    @Override
    public CrashServer.Launch launch(
            Path data, Durability durability, Map<String, String> environment, Path output)
            throws IOException {
        int port = freePort();
        String command = server.replace("{port}", Integer.toString(port))
                .replace("{data}", data.toAbsolutePath().toString());
        return new CrashServer.Launch(
                List.of("sh", "-c", "exec " + command),
                environment,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                output);
    }

    @Override
    public long recover(Path data, Durability durability, Path scratch, Survivors survivors)
            throws IOException, InterruptedException {
        Path output = scratch.resolve("recovery.txt");
        CrashServer.Launch launch = launch(data, durability, Map.of(), output);
        long startNanos = System.nanoTime();
        try (CrashServer started = CrashServer.start(launch)) {
            long recoveryNanos = System.nanoTime() - startNanos;
            Path to = Files.createTempDirectory(scratch, "survivors-");
            readBack(data, to);
            try (Stream<Path> files = Files.list(to)) {
                for (Path file : files.sorted().toList()) {
                    survivors.add(Files.readAllBytes(file));
                    Files.delete(file);
                }
            }
            Files.delete(to);
            return recoveryNanos;
        }
    }

    private void readBack(Path data, Path to) {
        String command = readBack.replace("{data}", data.toAbsolutePath().toString())
                .replace("{to}", to.toAbsolutePath().toString());
        try {
            var unused = SystemTool.run(List.of("sh", "-c", command));
        } catch (IOException e) {
            throw UserError.failed("--read-back: " + e.getMessage());
        }
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void require(String option, String command, String... placeholders) {
        for (String placeholder : placeholders) {
            if (!command.contains(placeholder)) {
                throw UserError.usage(option + " '" + command + "' has no " + placeholder
                        + "; see docs/durability.md");
            }
        }
    }
}
