package org.hubmark.bench.load;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import org.hubmark.core.ByteSize;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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
        Published published = read();
        int number = published.profiles.indexOf(profile);
        if (number < 0) {
            throw new IllegalArgumentException("no profile is called '" + profile + "'");
        }
        return new SizeMix(published.messages.stream()
                .filter(message -> message.weight(number) > 0)
                .map(message -> new SizeMix.Share(
                        message.bytes(attachmentBytes),
                        message.weight(number),
                        message.hasAttachment()))
                .toList());
    }

    /** What stands in the file. */
    private record Published(List<String> profiles, List<Message> messages) {}

    /**
     * A message.
     *
     * @param attachmentKb null where the source gives no size
     * @param weightPercent in the order of the profiles
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    private record Message(
            long bodyKb,
            String attachment,
            @Nullable Long attachmentKb,
            List<Double> weightPercent) {
        private double weight(int profile) {
            return weightPercent.get(profile);
        }

        private boolean hasAttachment() {
            return !attachment.equals("none");
        }

        private long bytes(long attachmentBytes) {
            return bodyKb * KB + (hasAttachment() ? ofAttachment(attachmentBytes) : 0);
        }

        private long ofAttachment(long unpublished) {
            return attachmentKb == null ? unpublished : attachmentKb * KB;
        }
    }

    private static Published read() {
        try (InputStream in = LoadSimMix.class.getResourceAsStream(RESOURCE)) {
            return YAMLMapper.builder()
                    .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                    .build()
                    .readValue(Objects.requireNonNull(in, RESOURCE), Published.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
