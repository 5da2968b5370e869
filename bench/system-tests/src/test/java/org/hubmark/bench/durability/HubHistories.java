package org.hubmark.bench.durability;

import org.hubmark.bench.durability.result.CrashResult;
import org.hubmark.bench.hub.Program;
import org.hubmark.core.Durability;
import org.hubmark.server.PipedServer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The main class of a process that starts hubs whose files are damaged or whose clock is stepped while they
 * run and deliver, and judges each. Its class path is that of the hubs too.
 */
public final class HubHistories {
    /** A bit changes; a page can't be read; the clock is stepped while mail is deferred. */
    public static final List<String> KINDS = List.of("rot", "bad-sector", "deferred");

    private HubHistories() {}

    /**
     * Runs histories, one crash each, until the promise is broken, and says so in a line that begins with
     * BROKEN. The exit code is 0 if all kept it.
     *
     * @param arguments the kind, the durability class, how many, the seed of the first, a folder
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        String kind = arguments[0];
        Durability durability = Durability.parse(arguments[1]);
        int count = Integer.parseInt(arguments[2]);
        long first = Long.parseLong(arguments[3]);
        Path folder = Path.of(arguments[4]);
        Program program = new Program("test", PipedServer.class);
        long felt = 0;
        for (long seed = first; seed < first + count; seed++) {
            // The store has to say what the medium did; a hub with a stepped clock has a sound one.
            Tally tally = new Tally(
                    "hub", durability, kind.equals("deferred") ? CrashKind.KILL : CrashKind.FLIP);
            Path home = Files.createDirectories(folder.resolve(kind + "-" + seed));
            String failure = HubLife.run(story(kind), program, tally, seed, home);
            if (failure != null) {
                System.out.println("BROKEN " + kind + ", " + durability + ": " + failure
                        + "; again with --seed " + seed + "; kept in " + home);
                System.exit(1);
            }
            felt += tally.count(CrashResult.CRASHES);
        }
        if (felt == 0) {
            System.out.println("no verdict: the fault was never felt");
            System.exit(3);
        }
    }

    private static HubLife.Story story(String kind) {
        return switch (kind) {
            case "rot" -> RotHistory::run;
            case "bad-sector" -> BadSectorHistory::run;
            case "deferred" -> DeferredHistory::run;
            default -> throw new IllegalArgumentException(kind);
        };
    }
}
