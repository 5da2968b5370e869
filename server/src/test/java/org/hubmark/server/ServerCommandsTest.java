package org.hubmark.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;

/** A server has the commands that run a hub and look after its queue, and no others. */
class ServerCommandsTest {
    private record Ended(int exitCode, String out, String errors) {}

    @Test
    void hasTheCommandsOfAnOperator() {
        CommandLine all = Main.commandLine();
        assertThat(all.getSubcommands().keySet()).containsExactly("serve", "queue", "completion");
        assertThat(command(all, "queue").getSubcommands().keySet())
                .containsExactly(
                        "stats",
                        "check",
                        "dead-letter",
                        "delete",
                        "export",
                        "list",
                        "release",
                        "retry",
                        "show");
        assertThat(run("--help").out())
                .contains("serve", "queue", "Exit codes:")
                .doesNotContain("130");
    }

    @Test
    void refusesWhatItDoesNotHave() {
        Ended run = run("run", "--sizes=4KB");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errors())
                .startsWith("hubmark: ")
                .contains("'run'", "; see hubmark --help")
                .hasLineCount(1);
        assertThat(run("serve", "--lisen=127.0.0.1:0").errors()).contains("did you mean --listen?");
        assertThat(run("volumes", "plan").errors()).contains("'volumes'");
    }

    @Test
    void completionIsOfItsCommands() {
        assertThat(run("completion").out()).contains("_complete_hubmark").doesNotContain("matrix");
    }

    private static CommandLine command(CommandLine all, String name) {
        CommandLine command = all.getSubcommands().get(name);
        assertThat(command).as(name).isNotNull();
        return command;
    }

    private static Ended run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter errors = new StringWriter();
        CommandLine line = Main.commandLine(arguments)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(errors, true));
        int exitCode = CommandParser.execute(line, arguments);
        return new Ended(exitCode, out.toString(), errors.toString());
    }
}
