package org.hubmark.bench.durability;

import org.hubmark.bench.hub.HubSpec;
import org.hubmark.bench.hub.Program;
import org.hubmark.core.Durability;
import org.hubmark.hub.VolumeFolders;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Our own hub: these classes in a process of its own, with a log that is short enough to wrap. */
final class HubTarget implements Target {
    private final Program program;

    HubTarget(Program program) {
        this.program = program;
    }

    @Override
    public String name() {
        return "hubmark";
    }

    @Override
    public boolean anyLineEnds() {
        return false;
    }

    @Override
    public CrashServer.Launch launch(
            Path data, Durability durability, Map<String, String> environment, Path output)
            throws IOException {
        return launch(data, durability, environment, output, "hold", Map.of());
    }

    /**
     * {@return how to start it}
     *
     * @param deliver as {@code serve --deliver} takes it
     * @param more settings
     */
    CrashServer.Launch launch(
            Path data,
            Durability durability,
            Map<String, String> environment,
            Path output,
            String deliver,
            Map<String, String> more)
            throws IOException {
        Map<String, String> settings = new HashMap<>(StoreCheck.SETTINGS);
        settings.putAll(more);
        HubSpec spec = new HubSpec(
                deliver, durability.toString(), StoreCheck.CHECKPOINT_DEPTH_BYTES, true, settings);
        List<String> arguments = spec.arguments(VolumeFolders.below(data));
        List<String> command = program.command(arguments);
        return new CrashServer.Launch(command, environment, null, output);
    }

    @Override
    public long recover(Path data, Durability durability, Path scratch, Survivors survivors)
            throws IOException {
        return StoreCheck.read(log(data), data.resolve("queue"), survivors);
    }

    /** {@return the queue volume of a hub whose volumes lie below a folder} */
    static Path queue(Path data) {
        return data.resolve("queue");
    }

    /** {@return the log volume of a hub whose volumes lie below a folder} */
    static Path log(Path data) {
        return data.resolve("log");
    }
}
