package org.hubmark.bench.hub;

import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.volumes.SystemTool;
import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * This program: as results name it, and as it starts itself again in a process of its own. Whoever
 * measures gets it from the command line, so that nothing here has to know a main class. That of a server
 * runs one command and ends when its standard input is closed, so that no process is left running when the
 * one that started it is killed.
 *
 * @param version as the jar says
 * @param server the main class of hubs, in the jar of a server
 * @param starter of the hubs that are measured
 */
public record Program(String version, Class<?> server, HubServer.Starter starter) {
    /**
     * In a container the checkout is often another user's. In a hook, git's own variables name the repository
     * of the hook, and win over -C.
     */
    private static final String DESCRIBE = "exec env -i PATH=\"$PATH\" git -C \"$1\""
            + " -c safe.directory=\"$1\" describe --always --abbrev=40 --dirty '--exclude=*'"
            + " 2>/dev/null";

    /** One whose hubs have processes of their own. */
    public Program(String version, Class<?> server) {
        this(version, server, ServerProcess::start);
    }

    /** {@return it with the commit that it was built from, where that is known} */
    public Tool tool() {
        return new Tool(version, commit());
    }

    /**
     * {@return the commit, with "-dirty" when files differ from it; null when it isn't known} A package has
     * it written down; else git says it, where there is a checkout and a git.
     */
    private static @Nullable String commit() {
        String root = System.getProperty("hubmark.root");
        if (root == null) {
            return null;
        }
        // First: a package may lie in a checkout of something else.
        Path packed = Path.of(root, "lib", "commit");
        try {
            if (Files.exists(packed)) {
                return Files.readString(packed).strip();
            }
            if (!Files.exists(Path.of(root, ".git"))) {
                // Git would look in the folders above, which are of something else.
                return null;
            }
            String commit = SystemTool.run(List.of("sh", "-c", DESCRIBE, "sh", root));
            return commit.isEmpty() ? null : commit;
        } catch (IOException e) {
            return null;
        }
    }

    /** {@return how to run a command of a server, in a JVM as a hub has and the user wants it} */
    public List<String> command(List<String> arguments) throws IOException {
        return command(List.of(), arguments);
    }

    /**
     * {@return the same, with further options of the JVM} A hub has the class path of a server, if this
     * program is in a jar.
     */
    public List<String> command(List<String> jvmOptions, List<String> arguments)
            throws IOException {
        String own = System.getProperty("java.class.path");
        String first = own.split(File.pathSeparator, 2)[0];
        List<String> command = new ArrayList<>(HubJvm.command());
        String classPath = own;
        if (first.endsWith(".jar")) {
            Path jar = jarOf(server);
            classPath = jar + own.substring(first.length());
        }
        command.addAll(HubJvm.userOptions(System.getenv()));
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", classPath, server.getName()));
        command.addAll(arguments);
        return command;
    }

    /**
     * Finds the jar of the server, whose manifest names the libraries of a server and no others.
     */
    private static Path jarOf(Class<?> server) {
        try {
            return Path.of(
                    server.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
