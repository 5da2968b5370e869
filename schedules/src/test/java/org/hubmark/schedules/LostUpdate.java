package org.hubmark.schedules;

/** The planted fault: two threads count without a lock, and one count gets lost. */
final class LostUpdate implements Meeting {
    private volatile int count;

    @Override
    public void run() throws InterruptedException {
        count = 0;
        new Threads()
                .add("first", this::increment)
                .add("second", this::increment)
                .run();
        if (count != 2) {
            throw new AssertionError("two counts gave " + count);
        }
    }

    private void increment() {
        int before = count;
        count = before + 1;
    }
}
