package org.hubmark.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import org.hubmark.core.ByteSize;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The new mail of LoadSim's user profiles, as published. Most attachments have no published size:
 * they count as {@link #ATTACHMENT} unless told otherwise, which is our assumption.
 */
final class LoadSimMix {
    private static final String RESOURCE = "/reference/loadsim-message-mix.yaml";
    private static final String PROFILE = "medium";
    /** The only size of an attachment that the source gives. */
    private static final String ATTACHMENT = "10KB";

    private static final int KB = 1000;

    private LoadSimMix() {}

    /** Reads {@code [PROFILE][,attachment=SIZE]}. */
    static SizeMix parse(String text) {
        Map<String, String> given = SizeMix.parameters(text);
        String named = SizeMix.take(given, "", PROFILE);
        String profile = named.isEmpty() ? PROFILE : named;
        long attachmentBytes = ByteSize.parse(SizeMix.take(given, "attachment", ATTACHMENT));
        SizeMix.requireNone(given);
        JsonNode file = read();
        for (int i = 0; i < file.path("profiles").size(); i++) {
            if (file.path("profiles").path(i).asText().equals(profile)) {
                return of(file.path("messages"), i, attachmentBytes);
            }
        }
        throw new IllegalArgumentException("no profile is called '" + profile + "'");
    }

    private static SizeMix of(JsonNode messages, int profile, long attachmentBytes) {
        List<SizeMix.Share> shares = new ArrayList<>();
        for (JsonNode message : messages) {
            double weight = message.path("weight_percent").path(profile).asDouble();
            if (weight > 0) {
                shares.add(new SizeMix.Share(bytes(message, attachmentBytes), weight));
            }
        }
        return new SizeMix(shares);
    }

    private static long bytes(JsonNode message, long attachmentBytes) {
        long body = message.path("body_kb").asLong() * KB;
        if (message.path("attachment").asText().equals("none")) {
            return body;
        }
        JsonNode published = message.path("attachment_kb");
        return body + (published.isNull() ? attachmentBytes : published.asLong() * KB);
    }

    private static JsonNode read() {
        try (InputStream in = LoadSimMix.class.getResourceAsStream(RESOURCE)) {
            return new YAMLMapper().readTree(Objects.requireNonNull(in, RESOURCE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
