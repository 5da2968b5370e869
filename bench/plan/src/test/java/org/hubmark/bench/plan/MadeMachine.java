package org.hubmark.bench.plan;

import org.hubmark.bench.machine.Environment;

import java.util.List;

/** A machine that nobody measured on. */
final class MadeMachine {
    static final Environment MACHINE = new Environment(
            new Environment.Processor("cpu", 2, 2, null, null),
            null,
            new Environment.Software("os", "6", "25", null),
            List.of(),
            null);

    private MadeMachine() {}
}
