package org.hubmark.smtp;

import org.hubmark.core.ContentBudget;
import org.hubmark.core.Intake;
import org.jspecify.annotations.Nullable;

import java.time.InstantSource;

/** Objects that all connections of a receiver share. Any thread may use them. */
record Service(
        Intake intake,
        ContentBudget budget,
        ContentBudget envelopeBudget,
        Peers peers,
        SmtpCounters counters,
        Limits limits,
        RelayRules relaying,
        SmtpPolicy policy,
        @Nullable RecipientCheck recipients,
        InstantSource clock,
        @Nullable Tls tls) {
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
                content,
                envelopes,
                new Peers(limits.addresses(), content, envelopes),
                new SmtpCounters(),
                limits,
                relaying,
                policy,
                recipients,
                clock,
                tls);
    }
}
