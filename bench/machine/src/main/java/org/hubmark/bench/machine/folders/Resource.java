package org.hubmark.bench.machine.folders;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Texts that this program has with it. */
public final class Resource {
    private Resource() {}

    /**
     * {@return the whole text}
     *
     * @param name from the root of the class path: /jvm/java.options
     */
    public static String text(String name) throws IOException {
        try (InputStream in = Resource.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException(name + " is missing from the build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
