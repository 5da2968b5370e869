package org.hubmark.smtp;

import org.hubmark.core.ContentBudget;
import org.hubmark.core.Intake;
import org.jspecify.annotations.Nullable;

import java.time.InstantSource;

/** Objects that all connections of a receiver share. Any thread may use them. */
record Service(
        Intake intake,
        Peers peers,
        SmtpCounters counters,
        Limits limits,
        RelayRules relaying,
        SmtpPolicy policy,
        @Nullable RecipientCheck recipients,
        InstantSource clock,
        @Nullable Tls tls) {
    /** {@return the memory of content in flight} */
    ContentBudget budget() {
        return peers.unlimited().content();
    }

    /** {@return the memory of envelopes in the making} */
    ContentBudget envelopeBudget() {
        return peers.unlimited().envelopes();
    }
}
