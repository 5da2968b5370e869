package org.hubmark.bench.machine.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Writes this machine's counters over a pipe as lines of JSON: a first line that describes the machine too, and
 * one for each line that it reads, until its input ends. On the caller's thread.
 */
public final class WatchLoop {
    /** Readings before the first line, so that the first work of a JVM is not in the measured time. */
    private static final int READINGS_AHEAD = 60;

    /** Longest line that is read; no line of a driver is half as long. */
    private static final int REQUEST_OCTETS_MAX = 200;

    private WatchLoop() {}

    /**
     * Server that is watched.
     *
     * @param hubmark the version of this program
     * @param ofProcesses whether the source knows the CPU time of the server's own processes
     * @param source read on one thread
     * @param machine with the volumes that the server writes to
     */
    public record Server(
            String hubmark, boolean ofProcesses, MachineSource source, Environment machine) {}

    /**
     * Writes until the input ends.
     *
     * @throws UserError when the counters can't be read any more
     * @throws IOException if the driver is no longer there for a line
     */
    public static void run(InputStream requests, OutputStream lines, Server server)
            throws IOException {
        for (int i = 0; i < READINGS_AHEAD; i++) {
            byte[] unused = octets(reading(server));
        }
        write(
                lines,
                new WatchReading(
                        WatchReading.VERSION,
                        server.hubmark(),
                        server.ofProcesses(),
                        reading(server),
                        server.machine()));
        while (line(requests, REQUEST_OCTETS_MAX) != null) {
            write(lines, reading(server));
        }
    }

    private static MachineReading reading(Server server) {
        try {
            return server.source().read();
        } catch (IOException e) {
            throw UserError.failed("the counters can't be read (" + FileErrors.reason(e) + ")");
        }
    }

    private static void write(OutputStream lines, Object reading) throws IOException {
        lines.write(octets(reading));
        lines.flush();
    }

    private static byte[] octets(Object reading) throws IOException {
        return (WatchReading.MAPPER.writeValueAsString(reading) + "\n").getBytes(UTF_8);
    }

    /**
     * {@return the next line without its end; null when there is none}
     *
     * @throws IOException also when it is longer than that
     */
    static @Nullable String line(InputStream in, int octetsMax) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int octet = in.read(); octet != '\n'; octet = in.read()) {
            if (octet < 0) {
                return line.size() == 0 ? null : line.toString(UTF_8);
            }
            if (line.size() == octetsMax) {
                throw new IOException("a line is longer than " + octetsMax + " octets");
            }
            line.write(octet);
        }
        return line.toString(UTF_8);
    }
}
