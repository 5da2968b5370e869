package org.hubmark.bench.cli;

import org.hubmark.bench.measure.hub.StartArchive;

import java.io.IOException;
import java.nio.file.Path;

/** The build's main class: makes the start archive of the jar that it was started from. */
public final class ArchiveMain {
    private ArchiveMain() {}

    /**
     * Makes it, or says that this JVM can't.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path jar = Path.of(System.getProperty("java.class.path"));
        if (!StartArchive.of(jar).make(Main.PROGRAM)) {
            System.out.println("this JVM makes no start archive; why, it says with -Xlog:cds");
        }
    }
}
