package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.hub.Await.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
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

    /**
     * Exim won't start without the user it was compiled for, which an Exim that was only unpacked
     * lacks: it gets one that no other process sees.
     */
    private static final String WITH_EXIM_USER = """
            set -e
            if ! id Debian-exim >/dev/null 2>&1; then
                cp /etc/passwd /etc/group "$0"
                echo "Debian-exim:x:64991:64991::/nonexistent:/usr/sbin/nologin" >>"$0/passwd"
                echo "Debian-exim:x:64991:" >>"$0/group"
                mount --bind "$0/passwd" /etc/passwd
                mount --bind "$0/group" /etc/group
            fi
            exec "$@"
            """;

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

    /** Starts Postfix with these settings and services beside those it can't do without. */
    public void startPostfix(String settings, String services) throws Exception {
        Path program = installed("postfix");
        Path etc = Files.createDirectory(folder.resolve("etc"));
        Files.createDirectory(folder.resolve("spool"));
        folderOf("postfix", "lib");
        own("postfix", Files.createFile(folderOf("postfix", "log").resolve("mail.log")));
        Files.writeString(etc.resolve("main.cf"), """
                compatibility_level = 3.6
                queue_directory = %1$s/spool
                data_directory = %1$s/lib
                mydestination =
                inet_interfaces = 127.0.0.1
                inet_protocols = ipv4
                mynetworks = 127.0.0.0/8
                alias_maps =
                alias_database =
                maillog_file = %1$s/log/mail.log
                maillog_file_prefixes = %1$s/log
                """.formatted(folder) + settings);
        Files.writeString(etc.resolve("master.cf"), """
                cleanup  unix n - n -   0 cleanup
                qmgr     unix n - n 300 1 qmgr
                rewrite  unix - - n -   - trivial-rewrite
                bounce   unix - - n -   0 bounce
                defer    unix - - n -   0 bounce
                trace    unix - - n -   0 bounce
                verify   unix - - n -   1 verify
                proxymap unix - - n -   - proxymap
                error    unix - - n -   - error
                retry    unix - - n -   - error
                anvil    unix - - n -   1 anvil
                tlsmgr   unix - - n 1000? 1 tlsmgr
                postlog  unix-dgram n - n - 1 postlogd
                """ + services);
        start(List.of(program.toString(), "-c", etc.toString(), "start-fg"));
    }

    /**
     * {@return the command that starts Exim with this configuration and its files in this folder}
     * EXIM in the environment names one that isn't on the PATH.
     */
    public List<String> exim(String configuration, String... arguments) throws Exception {
        Path program = installed(Objects.requireNonNullElse(System.getenv("EXIM"), "exim4"));
        Path file = Files.writeString(
                folder.resolve("exim.conf"), """
                spool_directory = %1$s/spool
                log_file_path = %1$s/log/%%slog
                exim_user = nobody
                exim_group = nogroup
                host_lookup =
                rfc1413_hosts =
                keep_environment =
                exim_path = %2$s
                """.formatted(folder, program) + configuration);
        for (String name : List.of("spool", "log")) {
            if (!Files.exists(folder.resolve(name))) {
                folderOf("nobody", name);
            }
        }
        List<String> command = new ArrayList<>(List.of(
                "unshare",
                "--mount",
                "--propagation",
                "private",
                "sh",
                "-c",
                WITH_EXIM_USER,
                folder.toString(),
                program.toString(),
                "-C",
                file.toString()));
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
                one.onExit().orTimeout(20, TimeUnit.SECONDS).join();
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
