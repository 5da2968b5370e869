package org.hubmark.bench.hub;

import org.hubmark.bench.machine.folders.Resource;
import org.hubmark.core.ForeignText;

import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The JVM of a process of our own, a hub above all: the same options as the script {@code hubmark}
 * gives, and what it says.
 */
public final class HubJvm {
    private static final String EACH = "/jvm/java.options";
    private static final String HUB = "/jvm/serve.options";
    /** What the script {@code hubmark} takes for every JVM that it starts. */
    private static final String USER_OPTIONS = "HUBMARK_JAVA_OPTS";

    private static final String ADD_MODULE = "--add-modules=";
    private static final String QUIET_UNSAFE = "--sun-misc-unsafe-memory-access=";
    /** The JDK that knows this flag. */
    private static final int QUIET_UNSAFE_SINCE = 23;

    /** What the JVM says of that module before anything else; no option keeps it from that. */
    private static final String NOTICE = "WARNING: Using incubator modules: jdk.incubator.vector";

    private HubJvm() {}

    /** {@return the JVM of a hub and its options, without class path and main class} */
    public static List<String> command() throws IOException {
        List<String> command = plainCommand();
        command.addAll(options(HUB));
        return command;
    }

    /**
     * {@return what the user wants of each JVM, and so of a hub's, words between blanks} Last, so that
     * they count more than those that a hub has anyway.
     */
    static List<String> userOptions(Map<String, String> environment) {
        String words = environment.getOrDefault(USER_OPTIONS, "").strip();
        return words.isEmpty() ? List.of() : List.of(words.split("\\s+", -1));
    }

    /**
     * {@return the JVM with the options that each one needs, without class path and main class} It
     * finds the native libraries where this one does. One that is not told where they are copies 17 MB
     * into its temporary folder at each start, and when it is killed they stay there.
     */
    public static List<String> plainCommand() throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options(EACH));
        command.add("-Djava.library.path=" + System.getProperty("java.library.path"));
        return command;
    }

    /** {@return what a hub wrote to a file, of its own accord; nothing when there is no such file} */
    public static List<String> words(Path output) throws IOException {
        String text = Files.exists(output) ? ForeignText.read(output) : "";
        return text.lines().filter(line -> !line.equals(NOTICE)).toList();
    }

    /** {@return the last of it} */
    public static String lastWords(Path output) throws IOException {
        List<String> words = words(output);
        return words.isEmpty()
                ? "it printed nothing"
                : words.getLast().replaceFirst("^hubmark: ", "");
    }

    private static List<String> options(String resource) throws IOException {
        return Resource.text(resource)
                .lines()
                .filter(line -> !line.startsWith("#") && isKnown(line))
                .toList();
    }

    /** A JVM that is told a flag it doesn't know, or to add a module that it lacks, does not start. */
    private static boolean isKnown(String option) {
        if (option.startsWith(QUIET_UNSAFE)) {
            return Runtime.version().feature() >= QUIET_UNSAFE_SINCE;
        }
        return !option.startsWith(ADD_MODULE)
                || ModuleFinder.ofSystem()
                        .find(option.substring(ADD_MODULE.length()))
                        .isPresent();
    }
}
