package org.hubmark.bench.cli;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.mail.document.Results;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

import java.nio.file.Path;

/** How run, load and matrix show their results, to people and to scripts. */
final class ScriptOptions {
    /** Stands in the results among the settings. */
    @SuppressWarnings("UnusedVariable")
    @Option(
            names = "--name",
            paramLabel = "TEXT",
            description =
                    "Title of the table and the report, to tell results apart." + " Default: none.")
    private @Nullable String name;

    @Mixin
    private CommonOptions.Json json;

    @Mixin
    private CommonOptions.Quiet quiet;

    @Mixin
    private JUnitOption junit;

    /** Checks what can be checked before anything is measured. */
    void check() {
        junit.check();
    }

    /** {@return whether standard output is for the JSON alone} */
    boolean json() {
        return json.on;
    }

    /** {@return whether only errors are printed} */
    boolean quiet() {
        return quiet.on;
    }

    /** Prints the answer and where the rest is, unless only JSON or errors are printed. */
    void print(Results results, Path folder) {
        if (!json.on && !quiet.on) {
            DocumentReport.print(results.document(), System.out);
            System.out.println();
            System.out.println("results in " + folder
                    + "; report.html there, or hubmark report --full, has all tables");
        }
    }

    /** Prints and writes what was asked for. */
    void tell(CommandSpec command, Document found) {
        if (json.on) {
            System.out.println(DocumentFile.json(found));
            System.out.flush();
        }
        junit.write(
                command,
                new Results(found)
                        .scenarios().stream().map(JUnitOption::validity).toList());
    }
}
