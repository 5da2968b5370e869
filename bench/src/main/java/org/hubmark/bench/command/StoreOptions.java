package org.hubmark.bench.command;

import org.hubmark.core.Durability;
import org.hubmark.hub.IntakeKind;

import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** The options that say where a store lives and what it promises; common to several commands. */
public final class StoreOptions {
    /** How much the log holds before its oldest part moves to the queue database. */
    public static final String CHECKPOINT_DEPTH_DEFAULT = "512MiB";

    private static final String DATA = "hubmark-data";

    @Option(
            names = "--log-volume",
            paramLabel = "DIR",
            description = "Folder of the log volume. Default: ./" + DATA + "/log.")
    private Path logVolume = Path.of(DATA, "log");

    @Option(
            names = "--queue-volume",
            paramLabel = "DIR",
            description = "Folder of the queue volume. Default: ./" + DATA + "/queue.")
    private Path queueVolume = Path.of(DATA, "queue");

    @Option(
            names = "--tracking-volume",
            paramLabel = "DIR",
            description = "Folder of the message tracking log. Default: ./" + DATA + "/tracking.")
    private Path trackingVolume = Path.of(DATA, "tracking");

    @Option(
            names = "--durability",
            paramLabel = "CLASS",
            defaultValue = "synced",
            converter = Converters.DurabilityClass.class,
            description =
                    "What a 250 promises: synced (on the medium), periodic[=10ms] (within that"
                            + " time) or none (left to the kernel). Default: ${DEFAULT-VALUE}.")
    private Durability durability;

    @Option(
            names = "--checkpoint-depth",
            paramLabel = "SIZE",
            defaultValue = CHECKPOINT_DEPTH_DEFAULT,
            converter = Converters.Size.class,
            description =
                    "How much the log holds before its oldest part moves to the queue database;"
                            + " 1MiB or more. Default: ${DEFAULT-VALUE}.")
    private long checkpointDepthBytes;

    @Option(
            names = "--intake",
            paramLabel = "store|discard",
            defaultValue = "store",
            converter = Converters.Intake.class,
            description =
                    "What takes the mail: the queue, or nothing (it is acknowledged and thrown"
                            + " away: the ceiling of the receive path). Default: ${DEFAULT-VALUE}.")
    private IntakeKind intake;

    /** Says which of the volumes act like a device that this process doesn't see. */
    void warn(PrintStream err) throws IOException {
        UnseenEmulation.warn(
                Path.of(TestVolumesOption.DEFAULT),
                List.of(logVolume, queueVolume, trackingVolume),
                err);
    }

    /** {@return the folder of the log volume} */
    public Path logVolume() {
        return logVolume;
    }

    /** {@return the folder of the queue volume} */
    public Path queueVolume() {
        return queueVolume;
    }

    /** {@return the folder of the tracking log} */
    public Path trackingVolume() {
        return trackingVolume;
    }

    /** {@return what a 250 promises} */
    public Durability durability() {
        return durability;
    }

    /** {@return how much the log holds before its oldest part moves to the queue database} */
    public long checkpointDepthBytes() {
        return checkpointDepthBytes;
    }

    /** {@return what takes the mail} */
    public IntakeKind intake() {
        return intake;
    }
}
