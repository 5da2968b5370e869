package org.hubmark.bench.cli;

import org.hubmark.server.PipedServer;

/** The main class of a command in a process of its own that ends with the one that started it. */
public final class PipedCommand {
    private PipedCommand() {}

    /** Runs one command. */
    public static void main(String[] arguments) {
        PipedServer.endWithParent();
        Main.main(arguments);
    }
}
