package org.hubmark.bench.durability;

import org.hubmark.bench.durability.result.CrashResult;
import org.hubmark.core.Durability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Crashes of the store alone, in this JVM: of the store that this class's own loader has. Ends with the first
 * broken promise, since there is nothing more to be found then.
 *
 * @param kind one of {@link #KINDS}
 * @param durability class that the store is to keep
 * @param crashes at most
 * @param seed of the first history; the next one has the next number
 * @param folder gets what is left of a history in which the promise was broken
 */
public record StoreCrashes(String kind, Durability durability, int crashes, long seed, Path folder)
        implements Callable<List<String>> {
    /** On a log volume in memory; the same with an Error thrown somewhere; and new stores. */
    public static final List<String> KINDS = List.of("simulated", "error", "new-store");

    /** Enough for the log to be too long and to be recycled. */
    private static final int LIVES = 24;

    private static final int NEW_STORES = 8;

    /** For a fault that is not felt each time: so many tries for each crash that is asked for. */
    private static final int ATTEMPTS_PER_CRASH_MAX = 3;

    /** {@return what broke the promise, in a line that repeats it; none if it was kept} */
    @Override
    public List<String> call() throws IOException, InterruptedException {
        long felt = 0;
        long attempts = 0;
        long acknowledged = 0;
        for (long own = seed;
                felt < crashes && attempts < (long) ATTEMPTS_PER_CRASH_MAX * crashes;
                own++) {
            // What was not synced may be gone, as with a power cut, and the medium is sound.
            Tally tally = new Tally("store", durability, CrashKind.POWER);
            Path home = Files.createDirectories(folder.resolve(kind + "-" + own));
            History.Outcome outcome = history(tally, own, home, crashes - felt);
            if (outcome.failure() != null) {
                return List.of(kind + ", " + durability + ": " + outcome.failure()
                        + "; again with --seed " + own + "; kept in " + home);
            }
            felt += tally.crashes();
            attempts += outcome.crashes();
            acknowledged += tally.count(CrashResult.ACKNOWLEDGED);
        }
        if (felt == 0 || acknowledged == 0) {
            throw new AssertionError("no verdict: " + felt + " crashes in " + attempts
                    + " attempts, " + acknowledged + " acknowledged messages");
        }
        return List.of();
    }

    private History.Outcome history(Tally tally, long own, Path home, long most)
            throws IOException, InterruptedException {
        return switch (kind) {
            case "simulated" ->
                new SimulatedHistory(tally, own, home, false).run((int) Math.min(LIVES, most));
            case "error" ->
                new SimulatedHistory(tally, own, home, true).run((int) Math.min(LIVES, most));
            case "new-store" ->
                new NewStoreHistory(tally, own, home).run((int) Math.min(NEW_STORES, most));
            default -> throw new IllegalArgumentException(kind);
        };
    }
}
