package org.hubmark.core;

import java.util.List;

/** Result of one attempt to deliver, for the recipients that were open in its lease. */
public sealed interface Outcome {
    /** All of them have the message. */
    record Delivered() implements Outcome {}

    /**
     * None of them has it; try again later.
     *
     * @param reason a line for the operator and for the sender
     */
    record Deferred(String reason) implements Outcome {}

    /**
     * Nobody was asked, since the message's turn has not come: no attempt. The message is due again
     * soon, never expires by it, and its sender is told of no delay.
     *
     * @param reason a line for the operator
     */
    record NotTried(String reason) implements Outcome {}

    /**
     * None of them has it, and trying again can't help.
     *
     * @param reason a line for the operator and for the sender
     */
    record Undeliverable(String reason) implements Outcome {}

    /**
     * They fared differently.
     *
     * @param results one for each forward-path of the envelope, in its order; of a recipient that
     *     wasn't open in the lease nothing is changed
     */
    record Partial(List<RecipientResult> results) implements Outcome {
        /** Copies the list. */
        public Partial {
            results = List.copyOf(results);
        }
    }
}
