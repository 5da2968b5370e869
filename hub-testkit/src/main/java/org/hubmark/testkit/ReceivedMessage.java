package org.hubmark.testkit;

import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.DecoderUtil;
import org.apache.james.mime4j.dom.Body;
import org.apache.james.mime4j.dom.Entity;
import org.apache.james.mime4j.dom.Message;
import org.apache.james.mime4j.dom.Multipart;
import org.apache.james.mime4j.dom.SingleBody;
import org.apache.james.mime4j.dom.TextBody;
import org.apache.james.mime4j.dom.field.ContentTypeField;
import org.apache.james.mime4j.message.DefaultMessageBuilder;
import org.apache.james.mime4j.message.DefaultMessageWriter;
import org.apache.james.mime4j.stream.Field;
import org.apache.james.mime4j.stream.MimeConfig;
import org.apache.james.mime4j.util.MimeUtil;
import org.assertj.core.api.AssertProvider;
import org.hubmark.core.Envelope;
import org.hubmark.core.QueueId;
import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A message that a hub under test has delivered: the envelope and the octets as they came out of the
 * queue, with the hub's Received field on top. Immutable, any thread; each call of {@link #mime} and
 * of what reads the content parses anew.
 *
 * <p>AssertJ's own {@code assertThat} takes it: {@link MessageAssert}.
 */
public final class ReceivedMessage implements AssertProvider<MessageAssert> {
    private final QueueId id;
    private final Envelope envelope;
    private final int attempts;
    private final byte[] raw;

    ReceivedMessage(QueueId id, Envelope envelope, int attempts, byte[] raw) {
        this.id = id;
        this.envelope = envelope;
        this.attempts = attempts;
        this.raw = raw;
    }

    /** A part of a message that has a file name. Immutable, any thread. */
    public static final class Attachment {
        private final String fileName;
        private final String mimeType;
        private final byte[] octets;

        private Attachment(String fileName, String mimeType, byte[] octets) {
            this.fileName = fileName;
            this.mimeType = mimeType;
            this.octets = octets;
        }

        /** {@return the name that the sender gave it} */
        public String fileName() {
            return fileName;
        }

        /** {@return its type, without parameters} */
        public String mimeType() {
            return mimeType;
        }

        /** {@return its octets, decoded; a copy} */
        public byte[] octets() {
            return octets.clone();
        }

        @Override
        public String toString() {
            return fileName + " (" + mimeType + ", " + octets.length + " bytes)";
        }
    }

    /** {@return the queue id, the same that the sender saw in the 250} */
    public QueueId id() {
        return id;
    }

    /** {@return who sent it and who is to have it, by MAIL and RCPT} */
    public Envelope envelope() {
        return envelope;
    }

    /** {@return how many attempts to deliver it were made before the one that succeeded} */
    public int attempts() {
        return attempts;
    }

    /** {@return all octets, the hub's Received field on top; a copy} */
    public byte[] raw() {
        return raw.clone();
    }

    /** {@return the length of {@link #raw}} */
    public int sizeBytes() {
        return raw.length;
    }

    /** {@return all octets as text, one character an octet where they aren't UTF-8's} */
    public String text() {
        return new String(raw, StandardCharsets.UTF_8);
    }

    /** {@return the message parsed by mime4j; the caller's own} */
    public Message mime() {
        DefaultMessageBuilder builder = new DefaultMessageBuilder();
        builder.setMimeEntityConfig(MimeConfig.PERMISSIVE);
        try {
            return builder.parseMessage(new ByteArrayInputStream(raw));
        } catch (IOException e) {
            throw new UncheckedIOException("message " + id + ": " + e.getMessage(), e);
        }
    }

    /** {@return the subject, decoded; empty when there is none} */
    public String subject() {
        return Objects.requireNonNullElse(mime().getSubject(), "");
    }

    /** {@return the first field of that name, unfolded, as it came} */
    public Optional<String> header(String name) {
        return headers(name).stream().findFirst();
    }

    /** {@return all fields of that name, in their order, unfolded, as they came} */
    public List<String> headers(String name) {
        return mime().getHeader().getFields(name).stream()
                .map(Field::getBody)
                .map(body -> MimeUtil.unfold(body).strip())
                .toList();
    }

    /** {@return the text of the first text/plain part that isn't an attachment; empty if none} */
    public String plainText() {
        return firstText(mime(), "text/plain").orElse("");
    }

    /** {@return the text of the first text/html part that isn't an attachment; empty if none} */
    public String htmlText() {
        return firstText(mime(), "text/html").orElse("");
    }

    /** {@return the parts that have a file name, in their order; an attached message is one of them} */
    public List<Attachment> attachments() {
        List<Attachment> found = new ArrayList<>();
        collectAttachments(mime(), found);
        return found;
    }

    @Override
    public MessageAssert assertThat() {
        return new MessageAssert(this);
    }

    @Override
    public String toString() {
        return id + " from <" + envelope.reversePath() + "> to " + envelope.forwardPaths() + ", "
                + raw.length + " bytes, subject '" + subject() + "'";
    }

    private static Optional<String> firstText(Entity entity, String mimeType) {
        if (entity.getBody() instanceof Multipart parts) {
            return parts.getBodyParts().stream()
                    .map(part -> firstText(part, mimeType))
                    .flatMap(Optional::stream)
                    .findFirst();
        }
        boolean wanted = entity.getBody() instanceof TextBody
                && fileName(entity) == null
                && !"attachment".equalsIgnoreCase(entity.getDispositionType())
                && mimeType.equalsIgnoreCase(entity.getMimeType());
        return wanted ? Optional.of(read((TextBody) entity.getBody())) : Optional.empty();
    }

    private static String read(TextBody body) {
        try (Reader reader = body.getReader()) {
            StringWriter text = new StringWriter();
            reader.transferTo(text);
            return text.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void collectAttachments(Entity entity, List<Attachment> found) {
        if (entity.getBody() instanceof Multipart parts) {
            parts.getBodyParts().forEach(part -> collectAttachments(part, found));
            return;
        }
        String fileName = fileName(entity);
        Body body = entity.getBody();
        if (fileName == null || body == null) {
            return;
        }
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        try {
            if (body instanceof SingleBody single) {
                single.writeTo(octets);
            } else {
                new DefaultMessageWriter().writeBody(body, octets);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        found.add(new Attachment(fileName, entity.getMimeType(), octets.toByteArray()));
    }

    /** {@return the name in Content-Disposition, or else in Content-Type, as older programs give it} */
    private static @Nullable String fileName(Entity entity) {
        String name = entity.getFilename();
        if (name == null
                && entity.getHeader() != null
                && entity.getHeader().getField("Content-Type") instanceof ContentTypeField type) {
            String given = type.getParameter("name");
            name = given == null
                    ? null
                    : DecoderUtil.decodeEncodedWords(given, DecodeMonitor.SILENT);
        }
        return name;
    }
}
