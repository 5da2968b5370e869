package org.hubmark.bench.measure.hub;

import org.hubmark.bench.load.LoadDriver;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.SizeMix;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.load.Transfer;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.core.UserError;
import org.hubmark.hub.VolumeFolders;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Archive of the classes that a hub's JVM has loaded, linked and profiled in an earlier run, in a
 * file beside the jar, so that the next start need not load them: a class data archive (JEP 350),
 * from JDK 25 on an AOT cache (JEP 483, 514, 515). The script makes it before the first hub after a
 * build.
 *
 * <p>The JVM compares it with itself, with its options and with every jar of the class path before
 * it takes anything from it. One that doesn't fit is left alone, without a word: the start takes
 * longer, and that is all.
 */
public final class StartArchive {
    /** The JDK that makes a cache with profiles in it by one option. */
    private static final int AOT_SINCE = 25;

    private static final long MESSAGE_SEED = 1;
    private static final int CONNECTIONS = 32;
    private static final long DEPTH_BYTES = 512_000_000;
    /** Enough of each for the JVM to compile all that a message runs through. */
    private static final long MESSAGES = 8_000;

    private static final Duration LOAD_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration ANSWERS_TIMEOUT = Duration.ofSeconds(10);

    private final Path jar;
    private final Path file;

    private StartArchive(Path jar) {
        this.jar = jar;
        String name = jar.getFileName().toString().replaceFirst("\\.jar$", "");
        this.file = jar.resolveSibling(name + (hasAotCache() ? ".aot" : ".jsa"));
    }

    /** {@return the one of a server's jar, which may be there or not} */
    public static StartArchive of(Path jar) {
        return new StartArchive(jar.toAbsolutePath());
    }

    /** {@return the options of a JVM that is to start from it, as the script has them; or none} */
    public List<String> options() {
        if (!Files.isReadable(file)) {
            return List.of();
        }
        // The JVM would tell of an archive that doesn't fit on standard output.
        return hasAotCache()
                ? List.of("-XX:AOTCache=" + file, "-Xlog:aot*=off:stderr", "-Xlog:cds*=off:stderr")
                : List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds*=off:stderr");
    }

    /**
     * Makes it anew, from a hub under load. A hub that starts meanwhile sees the old one or none, never a half.
     *
     * @param program whose server is in the jar
     * @return false if this JVM makes none, as one without a base archive of its own
     * @throws UserError if the hub doesn't start, or doesn't end as it should
     */
    public boolean make(Program program) throws IOException, InterruptedException {
        Files.deleteIfExists(file);
        Path folder = Files.createTempDirectory(file.getParent(), "start-archive-");
        try {
            Path made = folder.resolve(file.getFileName());
            List<String> command = new ArrayList<>(HubJvm.command());
            command.add(
                    (hasAotCache() ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=") + made);
            command.addAll(List.of("-cp", jar.toString(), program.server().getName()));
            command.addAll(new HubSpec("discard", "synced", DEPTH_BYTES, true, Map.of())
                    .measured(VolumeFolders.below(folder)));
            try (ServerProcess hub = ServerProcess.launch(
                    "the hub", command, Map.of(), folder.resolve("server.log"), () -> {})) {
                HubClient client = new HubClient(hub.metricsAddress());
                var unused = List.of(client.metrics(), client.settings());
                load(hub, Transfer.DATA, 57_000);
                load(hub, Transfer.BDAT, 57_000);
                load(hub, Transfer.DATA, 4_000);
                hub.stop();
            }
            if (!Files.exists(made)) {
                return false;
            }
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } finally {
            Folders.delete(folder);
        }
    }

    private static void load(ServerProcess hub, Transfer transfer, int sizeBytes)
            throws InterruptedException {
        LoadPlan plan = LoadPlan.of(
                        hub.address(),
                        CONNECTIONS,
                        new Pace.ClosedLoop(),
                        transfer,
                        "sender@load.hubmark.example",
                        "recipient@load.hubmark.example")
                .limited(CONNECTIONS, MESSAGES);
        TargetProbe.Announced announced = TargetProbe.ask(plan);
        MessageGenerator generator = new MessageGenerator(
                MESSAGE_SEED,
                Instant.now(),
                plan.addresses().sender(),
                plan.addresses().recipient());
        try (MessageSet messages =
                        MessageSet.generate(SizeMix.of(sizeBytes), generator, plan, announced);
                LoadDriver driver = LoadDriver.start(plan, messages, announced)) {
            driver.begin();
            if (!driver.awaitFinished(LOAD_TIMEOUT)) {
                throw UserError.failed("the hub took too long for its first messages");
            }
            driver.stop(ANSWERS_TIMEOUT);
        }
    }

    private static boolean hasAotCache() {
        return Runtime.version().feature() >= AOT_SINCE;
    }
}
