package org.hubmark.testkit;

import org.hubmark.smtp.SmtpReceiver;

import java.util.concurrent.atomic.AtomicBoolean;

/** Loads a receiver on a thread of its own, once a JVM, while the first hub opens its queue. */
final class Preload {
    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    private Preload() {}

    /** Begins, if nobody has. */
    static void begin() {
        if (BEGUN.compareAndSet(false, true)) {
            Thread.ofPlatform().daemon().name("testkit-warmup").start(SmtpReceiver::preload);
        }
    }
}
