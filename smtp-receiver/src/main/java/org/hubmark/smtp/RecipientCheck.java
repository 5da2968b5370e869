package org.hubmark.smtp;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * Check of each recipient that a receiver would otherwise take. Event loops call it, several at
 * once; it must not block.
 */
public interface RecipientCheck {
    /**
     * Asks whether a recipient can be delivered to.
     *
     * @param forwardPath of RCPT, without brackets and source route
     * @param listener gets why the recipient is refused, in words for the reply 550 5.1.1, or nothing where
     *     it is to be taken; called exactly once, on the calling thread before the call returns or later on
     *     another, where it does not block
     */
    void check(String forwardPath, Consumer<Optional<String>> listener);
}
