package org.hubmark.smtp;

import org.hubmark.core.ContentBudget;
import org.hubmark.core.Intake;
import org.jspecify.annotations.Nullable;

import java.time.InstantSource;

/** Objects that all connections of a receiver share. Any thread may use them. */
record Service(
        Intake intake,
        Memory memory,
        Peers peers,
        SmtpCounters counters,
        Limits limits,
        RelayRules relaying,
        SmtpPolicy policy,
        @Nullable RecipientCheck recipients,
        InstantSource clock,
        @Nullable Tls tls) {
    /** Memory of all connections: for contents, and for envelopes. */
    record Memory(ContentBudget contents, ContentBudget envelopes) {}

    static Service of(
            Intake intake,
            Limits limits,
            RelayRules relaying,
            SmtpPolicy policy,
            @Nullable RecipientCheck recipients,
            InstantSource clock,
            @Nullable Tls tls) {
        ContentBudget content = new ContentBudget(limits.contentBytesMax());
        ContentBudget envelopes = new ContentBudget(limits.envelopeBytesMax());
        return new Service(
                intake,
                new Memory(content, envelopes),
                new Peers(limits.addresses(), content, envelopes),
                new SmtpCounters(),
                limits,
                relaying,
                policy,
                recipients,
                clock,
                tls);
    }

    /** {@return the memory for contents} */
    ContentBudget budget() {
        return memory.contents();
    }

    /** {@return the memory for envelopes} */
    ContentBudget envelopeBudget() {
        return memory.envelopes();
    }
}
