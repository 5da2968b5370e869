package org.hubmark.hub;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

/** Texts of a hub that stand in files of their own, each under its key. */
final class Texts {
    private Texts() {}

    /** {@return the texts of a file beside this class} */
    static Map<String, String> of(String file) {
        Properties texts = new Properties();
        try (InputStream in = Texts.class.getResourceAsStream(file)) {
            texts.load(Objects.requireNonNull(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, String> all = new HashMap<>();
        texts.forEach((key, text) -> all.put(key.toString(), text.toString()));
        return all;
    }
}
