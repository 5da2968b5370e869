package org.hubmark.bench.cli;

import java.io.IOException;

/**
 * The main class of a hub in a process of its own: it ends when the pipe from the process that
 * started it breaks, so that none is left running when that one is killed.
 */
public final class ServerMain {
    private static final int ORPHANED = 1;

    private ServerMain() {}

    /** Runs one command. */
    public static void main(String[] arguments) {
        Thread.ofPlatform().daemon().name("watch-parent").start(ServerMain::watchParent);
        Main.main(arguments);
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
