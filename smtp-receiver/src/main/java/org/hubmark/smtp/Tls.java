package org.hubmark.smtp;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;

import org.hubmark.core.HostPort;
import org.hubmark.core.PrivateFiles;
import org.hubmark.core.Settings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * TLS for a receiver, by STARTTLS (RFC 3207) or from the first octet (RFC 8314 3.3): versions 1.2 and
 * 1.3 by BoringSSL where there is one, else by the JDK, without renegotiation. What takes long of a
 * handshake is computed on threads of its own, {@code tls-N}, so that it can't keep an event loop from
 * its other connections; those threads also look now and then whether the certificate has been renewed. Any
 * thread may use it.
 */
final class Tls implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Tls.class);

    /** A longer handshake ends with its connection. */
    private static final long HANDSHAKE_SECONDS_MAX = 10;

    /** Handshakes at once. */
    static final int HANDSHAKES_MAX = 256;

    /** How often it is looked whether certificate and key have been renewed. */
    private static final Duration RELOAD = Duration.ofSeconds(10);

    private final TlsEngine engine;
    private final File certificate;
    private final File key;
    private final boolean required;
    private final @Nullable InetSocketAddress listen;
    private final AtomicInteger handshakes = new AtomicInteger();
    private final ScheduledExecutorService executor;
    private volatile SslContext context;
    private Stamp stamp;

    /** Tells a renewed pair of files from the one that was read. */
    private record Stamp(
            long certificateModified, long certificateBytes, long keyModified, long keyBytes) {
        static Stamp of(File certificate, File key) {
            return new Stamp(
                    certificate.lastModified(),
                    certificate.length(),
                    key.lastModified(),
                    key.length());
        }
    }

    private Tls(
            TlsEngine engine,
            File certificate,
            File key,
            boolean required,
            @Nullable InetSocketAddress listen)
            throws IOException {
        this.certificate = certificate;
        this.key = key;
        this.required = required;
        this.listen = listen;
        // Before the files are read: what is written meanwhile is read again.
        this.stamp = Stamp.of(certificate, key);
        this.engine = engine;
        this.context = read(engine, certificate, key);
        this.executor = Executors.newScheduledThreadPool(1, new DefaultThreadFactory("tls", true));
    }

    /**
     * Reads the settings and the certificate.
     *
     * @return null when there is none
     * @throws IOException if it can't be read; the message says which and what is wrong
     * @throws IllegalArgumentException if the settings don't fit together
     */
    static @Nullable Tls read(Settings settings) throws IOException {
        return read(settings, TlsEngine.best(), RELOAD);
    }

    /** Does the same with an engine and a time between two looks for renewed files of one's choice. */
    static @Nullable Tls read(Settings settings, TlsEngine engine, Duration reload)
            throws IOException {
        String certificate = settings.text(
                "smtp.tls-certificate",
                "",
                "PEM file with the certificate chain, the receiver's own certificate first;"
                        + " STARTTLS (RFC 3207) is offered with it. Empty for no TLS.");
        String key = settings.text(
                "smtp.tls-key",
                "",
                "PEM file with the private key of smtp.tls-certificate: PKCS"
                        + " #8, not encrypted.");
        boolean required = settings.flag(
                "smtp.tls-required",
                false,
                "Take mail by TLS only; before the handshake MAIL gets 530 5.7.0 (RFC 3207 4).");
        String listen = settings.text(
                "smtp.tls-listen",
                "",
                "HOST:PORT of a second listener that speaks TLS from the first octet (RFC 8314 3.3);"
                        + " port 0 picks a free one; empty for none.");
        if (certificate.isEmpty() != key.isEmpty()) {
            throw new IllegalArgumentException(
                    "settings smtp.tls-certificate and smtp.tls-key: give both or neither");
        }
        if (certificate.isEmpty()) {
            if (required || !listen.isEmpty()) {
                throw new IllegalArgumentException("setting "
                        + (required ? "smtp.tls-required" : "smtp.tls-listen")
                        + ": needs smtp.tls-certificate and smtp.tls-key");
            }
            return null;
        }
        Tls tls = new Tls(
                engine,
                new File(certificate),
                new File(key),
                required,
                listen.isEmpty() ? null : address(listen));
        tls.watch(reload);
        return tls;
    }

    /** {@return whether mail is taken by TLS only} */
    boolean isRequired() {
        return required;
    }

    /** {@return where to speak TLS from the first octet, or null} */
    @Nullable
    InetSocketAddress listen() {
        return listen;
    }

    /**
     * {@return a handler that begins a handshake when it is added to a pipeline; null while there are
     * as many handshakes as there may be}
     */
    @Nullable
    SslHandler handler(ByteBufAllocator allocator) {
        if (handshakes.incrementAndGet() > HANDSHAKES_MAX) {
            handshakes.decrementAndGet();
            return null;
        }
        SslHandler handler = context.newHandler(allocator, executor);
        handler.setHandshakeTimeout(HANDSHAKE_SECONDS_MAX, TimeUnit.SECONDS);
        handler.handshakeFuture().addListener(ended -> handshakes.decrementAndGet());
        return handler;
    }

    /** Warns of a key that everybody may read. */
    void warnOfOpenKey() {
        if (PrivateFiles.isReadableByAll(key.toPath())) {
            LOG.atWarn()
                    .addKeyValue("event", "key_file_open")
                    .log(
                            "smtp.tls-key {} can be read by every user of this machine; chmod 600 {}",
                            key,
                            key);
        }
    }

    /** Ends the threads; connections that are open go on, new handshakes fail. */
    @Override
    public void close() {
        executor.shutdownNow();
    }

    private void watch(Duration interval) {
        var unused = executor.scheduleWithFixedDelay(
                this::reloadIfRenewed,
                interval.toNanos(),
                interval.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    private synchronized void reloadIfRenewed() {
        Stamp found = Stamp.of(certificate, key);
        if (found.equals(stamp)) {
            return;
        }
        // Also of what can't be used: that is said once, and tried again when it changes.
        stamp = found;
        try {
            context = read(engine, certificate, key);
            LOG.atInfo()
                    .addKeyValue("event", "certificate_renewed")
                    .log("TLS: {} was renewed and is in use", certificate);
            warnOfOpenKey();
        } catch (IOException | RuntimeException e) {
            // Of any kind: what a task throws that is repeated ends it without a word.
            LOG.atWarn()
                    .addKeyValue("event", "certificate_refused")
                    .log("the current certificate stays in use: {}", e.getMessage());
        }
    }

    private static SslContext read(TlsEngine engine, File certificate, File key)
            throws IOException {
        for (File file : new File[] {certificate, key}) {
            if (!file.isFile() || !file.canRead()) {
                throw new IOException("TLS: " + file + " is not a file that can be read");
            }
        }
        return engine.context(certificate, key);
    }

    private static InetSocketAddress address(String text) {
        InetSocketAddress address;
        try {
            address = HostPort.parse(text, 0, "of this machine: 127.0.0.1:465");
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("setting smtp.tls-listen: " + e.getMessage(), e);
        }
        if (address.isUnresolved()) {
            throw new IllegalArgumentException(
                    "setting smtp.tls-listen: '" + text + "' is not HOST:PORT of this machine");
        }
        return address;
    }
}
