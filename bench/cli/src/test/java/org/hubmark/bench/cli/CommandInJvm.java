package org.hubmark.bench.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.server.ServedVolumes;
import org.slf4j.LoggerFactory;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A command in this JVM, which takes milliseconds: for what it prints and how it ends. Signals, the
 * options of a JVM and the working directory are those of a {@link CommandProcess}. Any thread; one
 * command at a time, since standard output is that of the JVM.
 */
final class CommandInJvm {
    private static final long MINUTES_MAX = 3;

    private CommandInJvm() {}

    /** Runs a command to its end. */
    static Ended run(String... arguments) throws Exception {
        FutureTask<Integer> command = new FutureTask<>(() -> Main.execute(arguments));
        return captured(() -> {
            Thread.ofPlatform().daemon().name("command").start(command);
            // A hub that starts where it should not must not hold up the tests for ever.
            return command.get(MINUTES_MAX, TimeUnit.MINUTES);
        });
    }

    /** {@return how a command ends that is called} */
    static synchronized Ended captured(Callable<Integer> command) throws Exception {
        PrintStream out = System.out;
        PrintStream err = System.err;
        // A hub that is served logs more than a command does, and would do so ever after.
        Logger ours = (Logger) LoggerFactory.getLogger("org.hubmark");
        Level level = ours.getLevel();
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ByteArrayOutputStream complained = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(complained, true, StandardCharsets.UTF_8));
        try {
            int exitCode = command.call();
            return new Ended(exitCode, lines(printed), lines(complained));
        } catch (TimeoutException e) {
            throw new AssertionError("it goes on: " + printed + complained, e);
        } finally {
            System.setOut(out);
            System.setErr(err);
            ours.setLevel(level);
        }
    }

    /**
     * Runs a command to its end.
     *
     * @param command its words, with a blank between each two
     */
    static Ended run(String command, List<String> options, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(command.split(" ", -1)));
        arguments.addAll(options);
        arguments.addAll(List.of(more));
        return run(arguments.toArray(String[]::new));
    }

    /** {@return options that name the volumes of the queue that a hub started in the folder has} */
    static List<String> queueVolumes(Path folder) {
        return List.of(
                "--log-volume=" + folder.resolve(ServedVolumes.LOG),
                "--queue-volume=" + folder.resolve(ServedVolumes.QUEUE));
    }

    /** {@return options that name all volumes that a hub started in the folder has} */
    static List<String> volumes(Path folder) {
        List<String> all = new ArrayList<>(queueVolumes(folder));
        all.add("--tracking-volume=" + folder.resolve(ServedVolumes.TRACKING));
        return all;
    }

    /** {@return the names of all that lies below a folder, with sizes and times} But what processes said. */
    static Map<String, String> files(Path top) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(top)) {
            for (Path file : all.toList()) {
                BasicFileAttributes is = Files.readAttributes(file, BasicFileAttributes.class);
                String name = top.relativize(file).toString();
                if (is.isDirectory()) {
                    files.put(name, "");
                } else if (!name.startsWith("errors")) {
                    files.put(name, is.size() + " " + is.lastModifiedTime());
                }
            }
        }
        return files;
    }

    private static List<String> lines(ByteArrayOutputStream text) {
        return text.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
