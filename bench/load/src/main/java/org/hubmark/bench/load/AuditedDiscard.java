package org.hubmark.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.FileErrors;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Delivers by throwing away; but of the messages of a share it reads the content, as every other
 * delivery would, and adds a line to a file that says what it was. A line is in the file before its
 * message counts as delivered. Any thread.
 */
public final class AuditedDiscard implements DeliveryAgent {
    private static final Outcome DELIVERED = new Outcome.Delivered();
    private static final int READ_BYTES = 64 << 10;

    private final AuditShare share;
    private final FileChannel file;

    private AuditedDiscard(AuditShare share, FileChannel file) {
        this.share = share;
        this.file = file;
    }

    /** Makes one that writes to a file, which is emptied. */
    public static AuditedDiscard to(Path file, AuditShare share) throws IOException {
        return new AuditedDiscard(
                share,
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE));
    }

    @Override
    public Outcome deliver(Lease lease) {
        if (share.takes(lease.id().value())) {
            try (InputStream content = lease.openContent()) {
                write(read(lease, content));
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

    private static AuditedContent read(Lease lease, InputStream content) throws IOException {
        InputStream in = new BufferedInputStream(content, READ_BYTES);
        skipTraceField(in);
        ContentSum sum = new ContentSum();
        byte[] octets = new byte[READ_BYTES];
        for (int count = in.read(octets); count >= 0; count = in.read(octets)) {
            sum.add(octets, 0, count);
        }
        return sum.of(lease.id());
    }

    /** The first field is the hub's own. It ends with the line after which none begins with a blank. */
    private static void skipTraceField(InputStream in) throws IOException {
        boolean folded = true;
        while (folded) {
            int octet = in.read();
            while (octet >= 0 && octet != '\n') {
                octet = in.read();
            }
            in.mark(1);
            int next = in.read();
            in.reset();
            folded = next == ' ' || next == '\t';
        }
    }

    private synchronized void write(AuditedContent content) throws IOException {
        ByteBuffer line = ByteBuffer.wrap(content.line().getBytes(US_ASCII));
        while (line.hasRemaining()) {
            file.write(line);
        }
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
