package org.hubmark.smtp;

import java.util.Locale;

/** The example in the Javadoc of {@link SmtpPolicy}. */
// @start region="refuse"
final class ExampleOnly implements SmtpPolicy {
    @Override
    public Verdict onCommand(String peer, String verb, String argument) {
        boolean foreign =
                verb.equals("RCPT") && !argument.toLowerCase(Locale.ROOT).contains("@example.org>");
        return foreign ? new Verdict.Refuse("550 5.7.1 no relaying") : new Verdict.Proceed();
    }
}
// @end
