package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.result.PhaseFigures;

/** A phase was interrupted, and has something to tell. */
final class PhaseInterruption extends InterruptedException {
    private static final long serialVersionUID = 1L;

    private final transient Repeat result;

    PhaseInterruption(Repeat result) {
        super(result.name(PhaseFigures.STOPPED));
        this.result = result;
    }

    Repeat result() {
        return result;
    }
}
