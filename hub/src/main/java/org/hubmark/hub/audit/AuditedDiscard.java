package org.hubmark.hub.audit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.FileErrors;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.PrivateFiles;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * Delivers by throwing away; but of the messages of a share it reads the content, as every other
 * delivery would, and adds a line to a file that says what it was. A line is in the file before its
 * message counts as delivered. Any thread.
 */
public final class AuditedDiscard implements DeliveryAgent {
    private static final Outcome DELIVERED = new Outcome.Delivered();

    private final AuditShare share;
    private final FileChannel file;

    private AuditedDiscard(AuditShare share, FileChannel file) {
        this.share = share;
        this.file = file;
    }

    /** Makes one that writes to a file, in place of what has its name. */
    public static AuditedDiscard to(Path file, AuditShare share) throws IOException {
        return new AuditedDiscard(share, PrivateFiles.createAnew(file));
    }

    @Override
    public Outcome deliver(Lease lease) {
        if (share.takes(lease.id().value())) {
            try (InputStream content = lease.openContent()) {
                write(AuditedContent.read(lease.id(), content));
            } catch (IOException e) {
                return new Outcome.Deferred(FileErrors.text(e));
            }
        }
        return DELIVERED;
    }

    /** A sample is read as the plain discard agent delivers; to read all takes several threads. */
    @Override
    public boolean mayBlock() {
        return share == AuditShare.ALL;
    }

    private synchronized void write(AuditedContent content) throws IOException {
        Channels.newOutputStream(file).write(content.line().getBytes(US_ASCII));
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
