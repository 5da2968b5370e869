package org.hubmark.server;

import java.io.IOException;

/**
 * The main class of a server in a process of its own: it ends when the pipe from the process that
 * started it breaks, so that none is left running when that one is killed.
 */
public final class PipedServer {
    private static final int ORPHANED = 1;

    private PipedServer() {}

    /** Runs one command. */
    public static void main(String[] arguments) {
        endWithParent();
        Main.main(arguments);
    }

    /** Ends this process, at once, when its standard input ends. */
    public static void endWithParent() {
        Thread.ofPlatform().daemon().name("watch-parent").start(PipedServer::watchParent);
    }

    private static void watchParent() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is ever sent.
            }
        } catch (IOException e) {
            // Broken is as good as closed.
        }
        Runtime.getRuntime().halt(ORPHANED);
    }
}
