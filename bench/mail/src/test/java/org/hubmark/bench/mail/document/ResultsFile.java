package org.hubmark.bench.mail.document;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;

import org.hubmark.bench.kit.document.JsonFile;

import java.io.IOException;
import java.nio.file.Path;

/** A results file as it stands: figures that a test has changed are not made again of their counters. */
public final class ResultsFile {
    private static final ObjectReader READER = JsonFile.mapper()
            .readerFor(Results.class)
            .without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private ResultsFile() {}

    /** {@return what a file says} */
    public static Results read(Path file) throws IOException {
        JsonNode tree = JsonFile.read(file);
        return READER.readValue(tree);
    }
}
