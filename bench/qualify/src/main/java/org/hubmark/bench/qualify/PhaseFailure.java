package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Repeat;

import java.io.IOException;

/** A phase failed while it was collecting, and has something to tell of the time before. */
final class PhaseFailure extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient Repeat result;

    PhaseFailure(Repeat result, IOException cause) {
        super(cause.getMessage(), cause);
        this.result = result;
    }

    Repeat result() {
        return result;
    }
}
