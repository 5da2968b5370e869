package org.hubmark.bench.cli;

import org.hubmark.bench.machine.folders.FolderClaim;
import org.hubmark.bench.machine.volumes.TestVolume;
import org.hubmark.bench.machine.volumes.TestVolumes;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Removes test volumes. */
@Command(
        name = "destroy",
        description = {
            "Removes test volumes that 'create' made, with their content.",
            "Refuses to remove one that holds mail or whose queue a process uses."
        })
final class VolumesDestroyCommand implements Callable<Integer> {
    @Parameters(
            arity = "0..*",
            paramLabel = "DIR",
            description = "Test volumes to remove. Default: all.")
    private @Nullable List<Path> folders;

    @Option(
            names = "--force",
            description = "Removes volumes that hold mail too. Default: refuses to.")
    private boolean force;

    @Mixin
    private TestVolumesOption state;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        TestVolumes volumes = state.volumes();
        PrintWriter out = spec.commandLine().getOut();
        // A matrix holds the folder of its volumes.
        FolderClaim.requireFree(state.folder());
        List<TestVolume> chosen = chosen(volumes.list());
        requireUnused(volumes, chosen);
        for (TestVolume volume : chosen) {
            volumes.destroy(volume);
            out.println("removed " + volume.path());
            out.flush();
        }
        return 0;
    }

    private void requireUnused(TestVolumes volumes, List<TestVolume> chosen) throws IOException {
        for (TestVolume volume : chosen) {
            String user = volumes.user(volume);
            if (user != null) {
                throw UserError.failed(user + "; stop that first; nothing was removed");
            }
        }
        for (TestVolume volume : chosen) {
            String mail = force ? null : volumes.mail(volume);
            if (mail != null) {
                throw UserError.failed(mail + "; deliver the mail (hubmark serve --deliver), or"
                        + " remove it too with --force; nothing was removed");
            }
        }
    }

    private List<TestVolume> chosen(List<TestVolume> all) throws IOException {
        if (folders == null || folders.isEmpty()) {
            if (all.isEmpty()) {
                throw UserError.failed("there are no test volumes in " + state.folder());
            }
            return all;
        }
        List<TestVolume> chosen = new ArrayList<>();
        for (Path folder : folders) {
            Path absolute = folder.toAbsolutePath().normalize();
            String path = (Files.exists(absolute) ? absolute.toRealPath() : absolute).toString();
            chosen.add(all.stream()
                    .filter(volume -> volume.path().equals(path))
                    .findFirst()
                    .orElseThrow(() -> UserError.failed(folder + " is not a test volume of "
                            + state.folder() + "; nothing was removed")));
        }
        return chosen;
    }
}
