package org.hubmark.bench.hub;

import org.hubmark.bench.kit.document.Tool;
import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * This program: as results name it, and as it starts itself again in a process of its own. Whoever
 * measures gets it from the command line, so that nothing here has to know a main class. Both main classes
 * run one command and end when their standard input is closed, so that no process is left running when the
 * one that started it is killed.
 *
 * @param version as the jar says
 * @param server the main class of hubs, in the jar of a server
 * @param main the main class of all other commands
 * @param starter of the hubs that are measured
 */
public record Program(String version, Class<?> server, Class<?> main, HubServer.Starter starter) {
    private static final int GIT_SECONDS_MAX = 5;

    /** One whose hubs have processes of their own. */
    public Program(String version, Class<?> server, Class<?> main) {
        this(version, server, main, ServerProcess::start);
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
            ProcessBuilder builder = new ProcessBuilder(
                            "git",
                            "-C",
                            root,
                            // In a container the checkout is often another user's.
                            "-c",
                            "safe.directory=" + root,
                            "describe",
                            "--always",
                            "--abbrev=40",
                            "--dirty",
                            "--exclude=*")
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            // In a hook, git's own variables name the repository of the hook, and win over -C.
            builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
            Process git = builder.start();
            if (!git.waitFor(GIT_SECONDS_MAX, TimeUnit.SECONDS)) {
                git.destroyForcibly();
                return null;
            }
            String commit = new String(
                            git.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .trim();
            return git.exitValue() == 0 && !commit.isEmpty() ? commit : null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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
