package org.hubmark.bench.cli;

import org.hubmark.bench.hub.HubJvm;
import org.hubmark.bench.machine.volumes.SyncEmulation;
import org.hubmark.bench.machine.volumes.TestVolume;
import org.hubmark.bench.machine.volumes.TestVolumes;

import picocli.CommandLine.Model.CommandSpec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A command on volumes that were made to act like devices, done again in a process that sees them so: the
 * library that does it can only be loaded at the start of a process.
 */
final class EmulatedCommand {
    private EmulatedCommand() {}

    /**
     * {@return whether one is on a volume that this process doesn't see as it was made}
     *
     * @param folders of volumes; need not exist
     */
    static boolean isNeeded(TestVolumes volumes, List<Path> folders) throws IOException {
        if (SyncEmulation.active() || folders.isEmpty()) {
            return false;
        }
        List<TestVolume> made = volumes.list();
        for (Path folder : folders) {
            Path existing = folder.toAbsolutePath().normalize();
            while (existing != null && !Files.exists(existing)) {
                existing = existing.getParent();
            }
            TestVolume around = existing == null ? null : TestVolume.enclosing(existing, made);
            if (around != null && around.profile() != null) {
                return true;
            }
        }
        return false;
    }

    /** {@return its exit code} When this process is interrupted, that one is ended too. */
    static int run(CommandSpec spec) throws IOException {
        List<String> command = HubJvm.plainCommand();
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(spec.root().commandLine().getParseResult().originalArgs());
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().putAll(TestVolumesOption.USUAL.emulation().environment());
        Process process = builder.start();
        try (Interruption unused = new Interruption()) {
            return process.waitFor();
        } catch (InterruptedException e) {
            return Outcomes.INTERRUPTED;
        } finally {
            process.destroy();
            process.onExit().join();
        }
    }
}
