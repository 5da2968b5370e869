package org.hubmark.bench.cli;

import org.hubmark.bench.durability.Campaign;
import org.hubmark.bench.durability.CrashKind;
import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.StudyRun;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.measure.hub.Program;
import org.hubmark.core.Durability;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * Simulated crashes in this JVM, of the store that this class's own loader has. Ends with the first
 * broken promise, since there is nothing more to be found then.
 *
 * @param program whose hubs are not started here
 * @param kind of the crashes
 * @param durability class that the store is to keep
 * @param crashes at most
 * @param seed of the first history
 * @param folder gets the results
 */
public record SimulatedCampaign(
        Program program, String kind, Durability durability, int crashes, long seed, Path folder)
        implements Callable<List<String>> {
    private static final int CONNECTIONS = 8;

    /** {@return what broke the promise, a line each; none if it was kept} */
    @Override
    public List<String> call() throws IOException, InterruptedException {
        Campaign.Request request = new Campaign.Request(
                List.of(durability),
                List.of(CrashKind.parse(kind)),
                null,
                crashes,
                null,
                seed,
                false,
                CONNECTIONS,
                null,
                null);
        List<String> notes = new ArrayList<>();
        Context.Request context = new Context.Request(
                folder,
                program.tool(),
                "",
                Map.of(),
                Machine.inspect(List.of()),
                new Clock.Real(),
                (phase, time) -> {},
                note -> {
                    notes.add(note);
                    if (note.startsWith("BROKEN")) {
                        Thread.currentThread().interrupt();
                    }
                });
        Document found = StudyRun.of(new Campaign(request, program), context);
        // It may have ended before it was told to.
        var unused = Thread.interrupted();
        Findings findings = found.findings();
        // A switch would have a class of its own, which another loader loads.
        if (findings.outcome() == Findings.Outcome.NOT_VALID) {
            throw new AssertionError("no verdict: " + findings.reasons() + ", " + notes);
        }
        return findings.reasons();
    }
}
