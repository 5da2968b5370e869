package org.hubmark.bench.cli;

import org.hubmark.bench.machine.volumes.TestVolume;
import org.hubmark.hub.volumes.VolumeFacts;
import org.hubmark.hub.volumes.VolumesJson;
import org.hubmark.server.VolumeLines;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/** Looks at volumes without measuring. */
@Command(
        name = "inspect",
        mixinStandardHelpOptions = true,
        description = "Shows the device, file system, mount options and write cache of folders, and"
                + " which of them share a disk. Measures nothing.")
final class VolumesInspectCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "DIR", description = "Folders to look at.")
    private List<Path> folders;

    @Mixin
    private CommonOptions.Json json;

    @Mixin
    private TestVolumesOption state;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        VolumesCommand.checkFolders(folders);
        List<VolumeFacts> facts;
        try {
            facts = TestVolume.inspect(folders, state.volumes().list());
        } catch (IOException e) {
            throw VolumesCommand.failed(e);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json.on) {
            out.println(VolumesJson.write(facts));
        } else {
            VolumeLines.print(facts, out);
        }
        out.flush();
        return 0;
    }
}
