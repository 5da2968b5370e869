package org.hubmark.queue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM of the same classes, for what only another process can show. */
final class ChildJvm {
    private ChildJvm() {}

    /**
     * {@return one that is not started yet} It finds RocksDB's library where this one does, since a copy
     * of its own would stay in the temporary folder when it is killed.
     *
     * @param options of the JVM
     */
    static ProcessBuilder of(List<String> options, Class<?> main, Object... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-Djava.library.path=" + System.getProperty("java.library.path"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return new ProcessBuilder(command);
    }
}
