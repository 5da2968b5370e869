package org.hubmark.bench.measure.hub;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The JVM of a hub in a process of its own: the same options as the script {@code hubmark} gives, and
 * what it says.
 */
public final class HubJvm {
    private static final String OPTIONS = "/jvm/serve.options";
    /** The JDK that knows the flag which keeps it quiet about sun.misc.Unsafe. */
    private static final int QUIET_UNSAFE_SINCE = 23;

    private static final String ADD_MODULE = "--add-modules=";

    /** What the JVM says of that module before anything else; no option keeps it from that. */
    private static final String NOTICE = "WARNING: Using incubator modules: jdk.incubator.vector";

    private HubJvm() {}

    /**
     * {@return the JVM and its options, without class path and main class} It starts from what the
     * build has made ready beside the jar, if this program is in one: the archive and the native
     * libraries, which would else be unpacked at each start.
     */
    public static List<String> command() throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        if (Runtime.version().feature() >= QUIET_UNSAFE_SINCE) {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        try (InputStream in = HubJvm.class.getResourceAsStream(OPTIONS)) {
            if (in == null) {
                throw new IOException(OPTIONS + " is missing from the build");
            }
            new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))
                    .lines()
                    .filter(line -> !line.startsWith("#") && !addsMissingModule(line))
                    .forEach(command::add);
        }
        Path program =
                Path.of(System.getProperty("java.class.path").split(File.pathSeparator, 2)[0]);
        if (program.toString().endsWith(".jar")) {
            command.add(
                    "-Djava.library.path=" + program.resolveSibling("native").toAbsolutePath());
            command.addAll(StartArchive.of(program).options());
        }
        return command;
    }

    /** {@return what a hub wrote to a file, of its own accord; nothing when there is no such file} */
    public static List<String> words(Path output) throws IOException {
        List<String> lines = Files.exists(output) ? Files.readAllLines(output) : List.of();
        return lines.stream().filter(line -> !line.equals(NOTICE)).toList();
    }

    /** {@return the last of it} */
    public static String lastWords(Path output) throws IOException {
        List<String> words = words(output);
        return words.isEmpty() ? "it said nothing" : words.getLast().replaceFirst("^hubmark: ", "");
    }

    /** A JVM that is told to add a module that its runtime lacks does not start. */
    private static boolean addsMissingModule(String option) {
        return option.startsWith(ADD_MODULE)
                && ModuleFinder.ofSystem()
                        .find(option.substring(ADD_MODULE.length()))
                        .isEmpty();
    }
}
