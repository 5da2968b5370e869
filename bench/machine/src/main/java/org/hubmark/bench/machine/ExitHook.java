package org.hubmark.bench.machine;

/** What is done when this process ends, in whatever way but by SIGKILL, unless it is closed before. */
public final class ExitHook implements AutoCloseable {
    private final Thread thread;

    public ExitHook(String name, Runnable action) {
        this.thread = new Thread(action, name);
        Runtime.getRuntime().addShutdownHook(thread);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            // This process is ending, and the hook runs anyhow.
            return;
        }
    }
}
