package org.hubmark.bench.measure.hub;

import org.hubmark.bench.kit.document.Tool;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * This program: as results name it, and as it starts itself again in a process of its own. Whoever
 * measures gets it from the command line, so that nothing here has to know a main class.
 *
 * @param version as the jar says
 * @param main a main class that runs one command, and ends when its standard input is closed, so that
 *     no server is left running when the process that started it is killed
 * @param starter of the hubs that are measured
 */
public record Program(String version, Class<?> main, HubServer.Starter starter) {
    /** One whose hubs have processes of their own. */
    public Program(String version, Class<?> main) {
        this(version, main, ServerProcess::start);
    }

    /** {@return it with the commit that it was built from, where that is known} */
    public Tool tool() {
        return new Tool(version, SourceCommit.find());
    }

    /** {@return how to run a command by these classes, in a JVM as a hub has and the user wants it} */
    public List<String> command(List<String> arguments) throws IOException {
        return command(List.of(), arguments);
    }

    /** {@return the same, with further options of the JVM} */
    public List<String> command(List<String> jvmOptions, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(HubJvm.command());
        command.addAll(HubJvm.userOptions(System.getenv()));
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return command;
    }
}
