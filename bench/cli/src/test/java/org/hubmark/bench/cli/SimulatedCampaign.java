package org.hubmark.bench.cli;

import org.hubmark.bench.crash.Campaign;
import org.hubmark.bench.crash.Kind;
import org.hubmark.bench.measure.hub.Program;
import org.hubmark.core.Durability;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Simulated crashes in this JVM, of the store that this class's own loader has. Ends with the first
 * broken promise, since there is nothing more to be found then.
 *
 * @param program whose hubs are not started here
 * @param durability class that the store is to keep
 * @param crashes at most
 * @param seed of the first history
 * @param folder gets the results
 */
public record SimulatedCampaign(
        Program program, Durability durability, int crashes, long seed, Path folder)
        implements Callable<List<String>> {
    private static final int CONNECTIONS = 8;

    /** {@return what broke the promise, a line each; none if it was kept} */
    @Override
    public List<String> call() throws IOException {
        Campaign.Request request = new Campaign.Request(
                List.of(durability),
                List.of(Kind.SIMULATED),
                null,
                crashes,
                null,
                seed,
                false,
                CONNECTIONS,
                null,
                null);
        List<String> notes = new ArrayList<>();
        Campaign campaign = new Campaign(request, program, folder, note -> {
            notes.add(note);
            if (note.startsWith("BROKEN")) {
                Thread.currentThread().interrupt();
            }
        });
        campaign.run();
        // It may have ended before it was told to.
        var unused = Thread.interrupted();
        if (campaign.verdicts().isEmpty()) {
            throw new AssertionError("no verdict: " + campaign.skipped() + ", " + notes);
        }
        return campaign.failures();
    }
}
