package org.hubmark.smtp;

import org.jspecify.annotations.Nullable;

/** Asks a {@link SmtpPolicy} for one connection and does what it says. Used by its event loop. */
final class Rules {
    private final SmtpPolicy policy;
    private final Connection connection;
    private final String peer;
    private final boolean asks;

    Rules(SmtpPolicy policy, Connection connection, String peer) {
        this.policy = policy;
        this.connection = connection;
        this.peer = peer;
        this.asks = !(policy instanceof OpenPolicy);
    }

    /** {@return what a command is answered with instead of executing it, or null} */
    @Nullable
    Reply refusal(CommandDecoder.Verb verb, String argument) {
        // The octets of a chunk follow its command whatever the answer.
        boolean asked = asks && verb != CommandDecoder.Verb.BDAT;
        return asked ? follow(policy.onCommand(peer, verb.name(), argument)) : null;
    }

    /** Asks whether the content that was just read may stay. */
    void check(MessageReader reader) {
        Reply refused = asks ? follow(policy.onContent(peer, reader.contentOctets())) : null;
        if (refused != null) {
            reader.refuse(refused);
        }
    }

    private @Nullable Reply follow(SmtpPolicy.Verdict verdict) {
        return switch (verdict) {
            case SmtpPolicy.Verdict.Proceed go -> null;
            case SmtpPolicy.Verdict.Refuse refuse -> new Reply(refuse.reply());
            case SmtpPolicy.Verdict.Disconnect cut -> {
                connection.cut();
                // Not sent: nothing is after a cut.
                yield Reply.CLOSING;
            }
        };
    }
}
