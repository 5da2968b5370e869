package org.hubmark.testkit;

import io.netty.util.Version;

import org.hubmark.smtp.SmtpReceiver;

import java.util.concurrent.atomic.AtomicBoolean;

/** Loads a receiver on a thread of its own, once a JVM, while the first hub opens its queue. */
final class Preload {
    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    private Preload() {}

    /**
     * Begins, if nobody has.
     *
     * @throws IllegalStateException with a Netty that the hub can't run on
     */
    static void begin() {
        requireNetty();
        if (BEGUN.compareAndSet(false, true)) {
            Thread.ofPlatform().daemon().name("testkit-warmup").start(SmtpReceiver::preload);
        }
    }

    /** The parent of a project may manage another version than that of the artifacts it uses. */
    private static void requireNetty() {
        try {
            Class.forName("io.netty.channel.MultiThreadIoEventLoopGroup");
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(
                    "Hubmark needs Netty 4.2, and on the class path is "
                            + Version.identify().values().stream()
                                    .map(Version::artifactVersion)
                                    .distinct()
                                    .toList()
                            + "; where a parent such as Spring Boot's sets it, set the property"
                            + " netty.version (docs/embedding.md)",
                    e);
        }
    }
}
