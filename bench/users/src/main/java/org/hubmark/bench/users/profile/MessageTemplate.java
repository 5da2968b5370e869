package org.hubmark.bench.users.profile;

/**
 * A kind of message that users write.
 *
 * @param bodyKb of its text, in 1,000 octets
 * @param attachmentKb of what is attached, before base64; 0 for nothing
 * @param weightPercent of all new messages
 */
public record MessageTemplate(
        String name, double bodyKb, double attachmentKb, double weightPercent) {
    private static final double KB = 1000;
    private static final double KB_MAX = 100_000;

    /** Checks. */
    public MessageTemplate {
        ProfileFile.require("name", name);
        ProfileFile.require("body_kb", bodyKb, 0.1, KB_MAX);
        ProfileFile.require("attachment_kb", attachmentKb, 0, KB_MAX);
        ProfileFile.require("weight_percent", weightPercent, 0, 100);
    }

    /** {@return the same with nothing attached, as in what is answered or passed on} */
    public MessageTemplate textOnly() {
        return new MessageTemplate(name, bodyKb, 0, weightPercent);
    }

    /** {@return the octets of its text} */
    public int bodyBytes() {
        return (int) Math.round(KB * bodyKb);
    }

    /** {@return the octets of what is attached} */
    public int attachmentBytes() {
        return (int) Math.round(KB * attachmentKb);
    }
}
