package org.hubmark.schedules;

import org.hubmark.queue.simulation.SimulatedDatabase;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * The Java runtime whose classes tell Fray what their threads are about to do: linked once from the JDK in
 * use, in about 10 s and 60 MB, and kept below the module's {@code target}.
 *
 * @param java its java command
 * @param agents options with which Fray leads its threads
 */
record InstrumentedRuntime(Path java, List<String> agents) {
    /** The first JDK whose classes Fray knows how to change. */
    private static final int JDK_MIN = 25;

    private static final String MODULES = "java.base,java.instrument,java.logging,java.management,"
            + "java.naming,java.rmi,jdk.unsupported";

    /** {@return why there can be none here; empty if there can} */
    static String problem() {
        String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        if (!system.equals("Linux amd64")) {
            return "Fray has no native library here for " + system;
        }
        if (Runtime.version().feature() < JDK_MIN) {
            return "Fray instruments JDK " + JDK_MIN + " or newer, this is " + Runtime.version();
        }
        return Files.isExecutable(jlink()) ? "" : "there is no jlink in " + jlink();
    }

    /** {@return the runtime for the JDK in use} Makes it if it is not there. */
    static InstrumentedRuntime make(Path target) throws IOException, InterruptedException {
        Path jars = target.resolve("fray");
        Path runtime = target.resolve(
                "runtime-" + Runtime.version() + "-fray-" + System.getProperty("fray.version"));
        if (!Files.exists(runtime)) {
            link(jars, runtime);
        }
        Path library = jars.resolve("libjvmti.so");
        if (!Files.exists(library)) {
            try (ZipFile zip = new ZipFile(
                            jars.resolve("fray-jvmti-linux-x8664.jar").toFile());
                    InputStream in = zip.getInputStream(zip.getEntry("libjvmti.so"))) {
                Files.copy(in, library);
            }
        }
        return new InstrumentedRuntime(
                runtime.resolve("bin/java"),
                List.of(
                        "-agentpath:" + library,
                        "-javaagent:" + jars.resolve("fray-instrumentation-agent.jar")));
    }

    private static Path jlink() {
        return Path.of(System.getProperty("java.home"), "bin", "jlink");
    }

    private static void link(Path jars, Path runtime) throws IOException, InterruptedException {
        // One that was not linked to its end is not taken for a runtime.
        Path unfinished = runtime.resolveSibling("runtime-unfinished");
        SimulatedDatabase.delete(unfinished);
        String path;
        // But what is loaded into it: in a module path their packages would be there twice.
        try (Stream<Path> all = Files.list(jars)) {
            path = all.map(Path::toString)
                    .filter(jar -> jar.endsWith(".jar") && !jar.matches(".*-(agent|jvmti)\\b.*"))
                    .collect(Collectors.joining(":"));
        }
        Process jlink = new ProcessBuilder(
                        jlink().toString(),
                        "-J-javaagent:" + jars.resolve("fray-instrumentation-jdk.jar"),
                        "-J--module-path=" + path,
                        "-J--add-modules=org.pastalab.fray.instrumentation.jdk",
                        "-J--class-path=" + path,
                        "--output=" + unfinished,
                        "--add-modules=" + MODULES,
                        "--release-info=add:IMPLEMENTOR=Fray",
                        "--fray-instrumentation")
                .redirectErrorStream(true)
                .start();
        String said = new String(jlink.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (jlink.waitFor() != 0) {
            throw new IOException("jlink could not make a runtime for Fray: " + said);
        }
        Files.move(unfinished, runtime, StandardCopyOption.ATOMIC_MOVE);
    }
}
