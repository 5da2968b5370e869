package org.hubmark.bench.users.result;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What was measured.
 *
 * @param embedded whether it was a hub of its own with the embedded mailbox server
 * @param smtp host and port where mail was submitted
 * @param imap host and port where it was read
 * @param smtpGreeting as the server gave it; null when it was never reached
 * @param imapCapabilities after logging on; empty when it was never reached
 * @param idle whether clients waited for new mail by IDLE; else they asked for it by NOOP
 */
public record MailSystem(
        boolean embedded,
        String smtp,
        String imap,
        boolean tls,
        @Nullable String smtpGreeting,
        @Nullable String imapGreeting,
        List<String> imapCapabilities,
        boolean idle) {}
