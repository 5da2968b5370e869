package org.hubmark.server;

import org.hubmark.core.Durability;
import org.hubmark.hub.IntakeKind;

import picocli.CommandLine.Option;

/** The options that say what a store promises and how it works; common to several commands. */
public final class StoreOptions {
    /** How much the log holds before its oldest part moves to the queue database. */
    public static final String CHECKPOINT_DEPTH_DEFAULT = "512MiB";

    /** Description of --durability; a matrix takes several. */
    public static final String DURABILITY =
            "Promise of a 250: synced, periodic[=10ms] (within that time) or none."
                    + " Default: ${DEFAULT-VALUE}.";

    /** Likewise of --checkpoint-depth. */
    public static final String CHECKPOINT_DEPTH =
            "Log size that begins a checkpoint. Default: ${DEFAULT-VALUE}.";

    @Option(
            names = "--durability",
            paramLabel = "CLASS",
            defaultValue = "synced",
            description = DURABILITY)
    private Durability durability;

    @Option(
            names = "--checkpoint-depth",
            paramLabel = "SIZE",
            defaultValue = CHECKPOINT_DEPTH_DEFAULT,
            converter = Converters.CheckpointDepth.class,
            description = CHECKPOINT_DEPTH)
    private long checkpointDepthBytes;

    @Option(
            names = "--intake",
            paramLabel = "store|discard",
            defaultValue = "store",
            description = "Intake; discard: without a queue. Default: ${DEFAULT-VALUE}.")
    private IntakeKind intake;

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
