package org.hubmark.bench.cli;

import org.hubmark.bench.measure.hub.StartArchive;

import java.io.IOException;
import java.nio.file.Path;

/** The build's main class: makes the start archive of the jar that it was started from. */
public final class ArchiveMain {
    private ArchiveMain() {}

    /**
     * Makes it.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        StartArchive.of(Path.of(System.getProperty("java.class.path"))).make(Main.PROGRAM);
    }
}
