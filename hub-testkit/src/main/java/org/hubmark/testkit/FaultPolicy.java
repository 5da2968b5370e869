package org.hubmark.testkit;

import org.hubmark.smtp.SmtpPolicy;

/** Asks the faults for the receiver. Event loops. */
record FaultPolicy(Faults faults) implements SmtpPolicy {
    @Override
    public Verdict onCommand(String peer, String verb, String argument) {
        return faults.nextCommand(peer, verb);
    }

    @Override
    public Verdict onContent(String peer, long octets) {
        return faults.nextContent(peer, octets);
    }
}
