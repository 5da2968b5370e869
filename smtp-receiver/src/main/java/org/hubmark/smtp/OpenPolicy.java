package org.hubmark.smtp;

import org.hubmark.core.BodyType;

/**
 * Lets everything pass. A receiver that has it asks nobody, so it costs nothing.
 *
 * @param bodyTypeMax the widest body that is announced and taken
 */
public record OpenPolicy(BodyType bodyTypeMax) implements SmtpPolicy {
    /** Lets every body pass too. */
    public OpenPolicy() {
        this(BodyType.BINARY_MIME);
    }
}
