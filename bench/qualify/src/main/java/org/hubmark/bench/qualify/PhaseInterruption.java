package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.result.PhaseResult;

/** A phase was interrupted, and has something to tell. */
final class PhaseInterruption extends InterruptedException {
    private static final long serialVersionUID = 1L;

    private final transient PhaseResult result;

    PhaseInterruption(PhaseResult result) {
        super(String.join(" ", result.reasons()));
        this.result = result;
    }

    PhaseResult result() {
        return result;
    }
}
