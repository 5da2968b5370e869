package org.hubmark.bench.users.embedded;

import org.hubmark.bench.hub.HubJvm;
import org.hubmark.bench.hub.HubSpec;
import org.hubmark.bench.hub.Program;
import org.hubmark.bench.hub.ServerProcess;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.hub.VolumeFolders;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A hub that delivers into a {@link MailboxServer}, each in a process of its own. Closing ends both
 * and removes what they have written, but what they said. One thread.
 */
public final class EmbeddedSystem implements AutoCloseable {
    /** The password of all accounts; they are on loopback, and gone with the process. */
    public static final String PASSWORD = "hubmark";

    private static final String MAILBOX_LOG = "mailbox-server.log";
    private static final String HUB_LOG = "server.log";
    private static final String PORTS = "mailbox-server.ports";
    private static final long DEPTH_BYTES = 256 << 20;

    private final Path folder;
    /** The mailbox server first. */
    private final List<ServerProcess> processes = new ArrayList<>();

    private EmbeddedSystem(Path folder) {
        this.folder = folder;
    }

    /**
     * Starts both.
     *
     * @param folder for the hub's volumes and for what both say
     * @param userFormat of addresses, with %d
     */
    public static EmbeddedSystem start(Program program, Path folder, String userFormat, int users)
            throws IOException, InterruptedException {
        EmbeddedSystem system = new EmbeddedSystem(folder);
        try {
            system.startMailboxes(userFormat, users);
            system.startHub(program);
        } catch (IOException | InterruptedException | RuntimeException e) {
            system.close();
            throw e;
        }
        return system;
    }

    private void startMailboxes(String userFormat, int users)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(HubJvm.plainCommand());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(MailboxServer.class.getName(), String.valueOf(users), userFormat));
        command.add(folder.resolve(PORTS).toString());
        processes.add(ServerProcess.launch(
                "the mailbox server", command, Map.of(), folder.resolve(MAILBOX_LOG), () -> {}));
    }

    private void startHub(Program program) throws IOException, InterruptedException {
        String port = Files.readAllLines(folder.resolve(PORTS)).getFirst();
        HubSpec spec =
                new HubSpec("smtp://127.0.0.1:" + port, "synced", DEPTH_BYTES, true, Map.of());
        VolumeFolders volumes = VolumeFolders.below(volumes());
        for (Path volume : volumes.all()) {
            Files.createDirectories(volume);
        }
        processes.add(ServerProcess.start(
                program, spec.arguments(volumes), Map.of(), folder.resolve(HUB_LOG), () -> {}));
    }

    /** {@return the folder that the hub's volumes are below} */
    public Path volumes() {
        return folder.resolve("hub");
    }

    /** {@return where mail is submitted} */
    public InetSocketAddress smtp() {
        return processes.getLast().address();
    }

    /** {@return where it is read} */
    public InetSocketAddress imap() {
        return processes.getFirst().address();
    }

    /** {@return the process ids of both} */
    public List<Long> processIds() {
        return processes.stream().map(ServerProcess::processId).toList();
    }

    /** {@return what to say if one of them has ended by itself; null while both run} */
    public @Nullable String death() {
        String first = processes.getLast().death();
        return first != null ? first : processes.getFirst().death();
    }

    @Override
    public void close() throws IOException {
        for (ServerProcess process : processes.reversed()) {
            process.close();
        }
        Files.deleteIfExists(folder.resolve(PORTS));
        Folders.delete(volumes());
        for (String log : List.of(HUB_LOG, MAILBOX_LOG)) {
            if (HubJvm.words(folder.resolve(log)).isEmpty()) {
                Files.deleteIfExists(folder.resolve(log));
            }
        }
    }
}
