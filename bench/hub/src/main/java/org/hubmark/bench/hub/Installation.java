package org.hubmark.bench.hub;

import org.hubmark.core.UserError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * An unpacked package or a checkout of another version of Hubmark, whose hubs are measured by this one's
 * driver. They are started by the script of that version, with the options of the JVM that belong to it.
 */
public final class Installation {
    /** Ends the hub by SIGKILL when the thread that started it ends, even if that is by SIGKILL. */
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    private Installation() {}

    /** {@return the name of a folder in the ids of scenarios} */
    public static String id(Path folder) {
        return "hub-" + folder.toString().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9._-]", "-");
    }

    /**
     * Builds a checkout whose sources are newer than its build, so that nothing is built while the clock
     * runs.
     *
     * @throws UserError where there is no hub, or it can't be built
     */
    public static void prepare(Path folder) throws IOException, InterruptedException {
        Path script = script(folder);
        if (!Files.isExecutable(script)) {
            throw UserError.usage("--hub " + folder
                    + " is not an installation or checkout of Hubmark: it has no script hubmark");
        }
        ProcessBuilder version = new ProcessBuilder(script.toString(), "--version")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        version.environment().remove("HUBMARK_BUILT");
        version.environment().put("JAVA_HOME", System.getProperty("java.home"));
        if (version.start().waitFor() != 0) {
            throw UserError.failed("--hub " + folder + " can't be built or started");
        }
    }

    /** Starts a hub as {@link ServerProcess#start} does. The calling thread has to outlive it. */
    public static HubServer start(
            Path folder,
            List<String> arguments,
            Map<String, String> environment,
            Path log,
            Runnable beforeKill)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(SETPRIV)) {
            command.addAll(List.of(SETPRIV.toString(), "--pdeathsig", "KILL"));
        }
        command.add(script(folder).toString());
        command.addAll(arguments);
        Map<String, String> all = new HashMap<>(environment);
        all.put("HUBMARK_BUILT", "1");
        all.put("JAVA_HOME", System.getProperty("java.home"));
        return ServerProcess.launch("the hub of " + folder, command, all, log, beforeKill);
    }

    private static Path script(Path folder) {
        return folder.toAbsolutePath().resolve("hubmark");
    }
}
