package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.hub.Await.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A mail server that others wrote, run as root from a folder of its own. It gets a free port of
 * loopback to listen on. What isn't installed skips the test, with the reason.
 */
public final class PeerServer implements AutoCloseable {
    public static final Duration START_MAX = Duration.ofSeconds(60);

    private final Path folder;
    private final int port;
    private @Nullable Process process;

    private PeerServer(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    public static PeerServer in(Path folder) throws Exception {
        assumeTrue(
                "root".equals(System.getProperty("user.name")), "mail servers need root to start");
        // The servers' own users have to get through.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new PeerServer(folder, freePort());
    }

    /**
     * It can't be held until the server takes it. So it is none of those that Linux gives to whoever
     * asks for any (32768 and up), which another test may get in between.
     */
    private static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 32_000);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (IOException e) {
                // Somebody else's.
            }
        }
    }

    /** {@return where a program is that others wrote; where it is nowhere, the test is skipped} */
    public static Path installed(String program) {
        String path = System.getenv("PATH") + File.pathSeparator + "/usr/sbin";
        return Stream.of(path.split(File.pathSeparator, -1))
                .map(directory -> Path.of(directory).resolve(program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseGet(() -> {
                    assumeTrue(false, program + " is not installed");
                    throw new AssertionError();
                });
    }

    public int port() {
        return port;
    }

    /** {@return a new folder that belongs to a user of the system's} */
    public Path folderOf(String user, String name) throws Exception {
        Path made = Files.createDirectory(folder.resolve(name));
        own(user, made);
        return made;
    }

    /** {@return a file of {@code peers} with what stands for words in braces} */
    public static String template(String name, Map<String, ?> values) throws IOException {
        String text;
        try (InputStream file = PeerServer.class.getResourceAsStream("peers/" + name)) {
            text = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        }
        for (Map.Entry<String, ?> value : values.entrySet()) {
            text = text.replace("{" + value.getKey() + "}", value.getValue().toString());
        }
        return text;
    }

    /** Starts Postfix with these settings beside those it can't do without. */
    public void startPostfix(String settings) throws Exception {
        Path program = installed("postfix");
        Path etc = Files.createDirectory(folder.resolve("etc"));
        Files.createDirectory(folder.resolve("spool"));
        folderOf("postfix", "lib");
        own("postfix", Files.createFile(folderOf("postfix", "log").resolve("mail.log")));
        Map<String, ?> values = Map.of("folder", folder, "port", port);
        Files.writeString(etc.resolve("main.cf"), template("postfix-main.cf", values) + settings);
        Files.writeString(etc.resolve("master.cf"), template("postfix-master.cf", values));
        start(List.of(program.toString(), "-c", etc.toString(), "start-fg"));
    }

    /**
     * {@return the command that starts Exim with this configuration and its files in this folder}
     * EXIM in the environment names one that isn't on the PATH.
     */
    public List<String> exim(String configuration, String... arguments) throws Exception {
        Path program = installed(Objects.requireNonNullElse(System.getenv("EXIM"), "exim4"));
        String own = template("exim.conf", Map.of("folder", folder, "exim", program));
        Path file = Files.writeString(folder.resolve("exim.conf"), own + configuration);
        for (String name : List.of("spool", "log")) {
            if (!Files.exists(folder.resolve(name))) {
                folderOf("nobody", name);
            }
        }
        List<String> command = new ArrayList<>(
                List.of("unshare --mount --propagation private sh -c".split(" ", -1)));
        command.add(template("as-exim.sh", Map.of()));
        command.addAll(List.of(folder.toString(), program.toString(), "-C", file.toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Starts a server. Returns when it listens on {@link #port}. */
    public void start(List<String> command) throws Exception {
        Path output = folder.resolve("output");
        Process started = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process = started;
        await().atMost(START_MAX).until(() -> {
            assertThat(started.isAlive()).as(() -> read(output)).isTrue();
            return listens();
        });
    }

    public static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new AssertionError(file + " can't be read", e);
        }
    }

    @Override
    public void close() {
        Process running = process;
        if (running != null) {
            // Postfix's start script waits for its master without passing a signal on to it.
            List<ProcessHandle> all = Stream.concat(
                            running.descendants(), Stream.of(running.toHandle()))
                    .toList();
            all.forEach(ProcessHandle::destroy);
            for (ProcessHandle one : all) {
                one.onExit().orTimeout(1, TimeUnit.MINUTES).join();
            }
        }
    }

    private static void own(String user, Path file) throws Exception {
        Process chown = new ProcessBuilder("chown", user + ":", file.toString()).start();
        assertThat(chown.waitFor()).isZero();
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
