package org.hubmark.core;

import java.io.IOException;
import java.io.InputStream;

/** Opens the content of a queued message, wherever it lies by then. */
@FunctionalInterface
public interface ContentSource {
    /**
     * {@return the octets of the message from the first on} The caller closes the stream, which may hold
     * pooled memory until then. Reading fails rather than giving octets that don't match their checksum.
     */
    InputStream open() throws IOException;
}
