package org.hubmark.queue;

import org.hubmark.core.ContentSource;
import org.hubmark.core.QueueId;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** Opens the content of one message, part by part; each is verified before its first octet is given. */
record StoredContent(QueueDatabase database, QueueId id, MessageRow row) implements ContentSource {
    @Override
    public InputStream open() {
        return new Parts(this);
    }

    /** Reads a part when the one before is used up: one part in memory. One thread. */
    private static final class Parts extends InputStream {
        private final StoredContent source;
        private byte[] octets = {};
        private int position;
        private int nextPart;

        private Parts(StoredContent source) {
            this.source = source;
        }

        @Override
        public int read() throws IOException {
            return atEnd() ? -1 : octets[position++] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int lengthBytes) throws IOException {
            Objects.checkFromIndexSize(offset, lengthBytes, target.length);
            if (lengthBytes == 0) {
                return 0;
            }
            if (atEnd()) {
                return -1;
            }
            int copied = Math.min(lengthBytes, octets.length - position);
            System.arraycopy(octets, position, target, offset, copied);
            position += copied;
            return copied;
        }

        @Override
        public int available() {
            return octets.length - position;
        }

        private boolean atEnd() throws IOException {
            while (position == octets.length) {
                if (nextPart == source.row.parts().size()) {
                    return true;
                }
                octets = source.part(nextPart);
                position = 0;
                nextPart++;
            }
            return false;
        }
    }

    private byte[] part(int part) throws IOException {
        byte[] octets = database.part(id.value(), part);
        if (octets == null) {
            throw new IOException("the content of " + id + " is gone (part " + part
                    + "): the message has left, or the queue is damaged");
        }
        if (!row.parts().get(part).matches(octets)) {
            throw new IOException(
                    "the content of " + id + " doesn't match its checksum (part " + part + ")");
        }
        return octets;
    }
}
