package org.hubmark.bench.cli;

import org.hubmark.bench.measure.hub.StartArchive;

import java.io.IOException;
import java.nio.file.Path;

/** The build's main class: makes the start archive of a server's jar. */
public final class ArchiveMain {
    private ArchiveMain() {}

    /**
     * Makes it, or says that this JVM can't.
     *
     * @param arguments the jar
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path jar = Path.of(arguments[0]);
        if (!StartArchive.of(jar).make(Main.PROGRAM)) {
            System.out.println("this JVM makes no start archive; why, it says with -Xlog:cds");
        }
    }
}
