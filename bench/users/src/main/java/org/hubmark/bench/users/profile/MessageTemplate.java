package org.hubmark.bench.users.profile;

/**
 * A kind of message that users write.
 *
 * @param bodyBytes of its text
 * @param attachmentBytes of what is attached, before base64; 0 for nothing
 * @param weightPercent of all new messages
 */
public record MessageTemplate(
        String name, int bodyBytes, int attachmentBytes, double weightPercent) {
    /** {@return about how long it is when it is sent} */
    public long wireBytes() {
        // Four octets of base64 for three, and two of line end for 76; some header fields.
        return 500L + bodyBytes + Math.round(attachmentBytes * 4 / 3.0 * 78 / 76);
    }
}
