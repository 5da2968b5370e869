package org.hubmark.bench.cli;

import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.page.JUnitFile;
import org.hubmark.bench.users.compare.UsersComparison;
import org.hubmark.bench.users.compare.UsersVerdict;
import org.hubmark.bench.users.report.UsersComparisonReport;
import org.hubmark.bench.users.report.UsersComparisonText;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What compare does with two results of users. */
final class CompareUsers {
    private final CommandSpec spec;
    private final JUnitOption junit;
    private final CommonOptions.Json json;
    private final CommonOptions.Quiet quiet;
    private final @Nullable Double failFrom;
    private final CommonOptions.Output output;

    CompareUsers(
            CommandSpec spec,
            JUnitOption junit,
            CommonOptions.Json json,
            CommonOptions.Quiet quiet,
            @Nullable Double failFrom,
            CommonOptions.Output output) {
        this.spec = spec;
        this.junit = junit;
        this.json = json;
        this.quiet = quiet;
        this.failFrom = failFrom;
        this.output = output;
    }

    /** {@return the exit code, after printing and writing what was asked for} */
    int compare(UsersArgument a, UsersArgument b) throws IOException {
        UsersComparison comparison = UsersComparison.of(
                a.name().toString(), a.results(), b.name().toString(), b.results(), failFrom);
        write(comparison, a, b);
        if (json.on) {
            System.out.println(comparison.json());
        } else if (!quiet.on) {
            UsersComparisonText.print(comparison, System.out);
        }
        System.out.flush();
        List<Regression> found =
                failFrom == null ? List.of() : List.of(comparison.regression(failFrom));
        junit.write(
                spec,
                found.isEmpty()
                        ? List.of(verdict(comparison))
                        : found.stream().map(JUnitOption::regression).toList());
        int code = ScriptOptions.exitCode(found, System.err);
        return code == 0 && comparison.verdict() == UsersVerdict.NOT_VALID
                ? Outcomes.INVALID
                : code;
    }

    private void write(UsersComparison comparison, UsersArgument a, UsersArgument b)
            throws IOException {
        Path folder = output.folder;
        if (folder == null) {
            return;
        }
        if (Files.exists(folder.resolve("users.json"))
                || Files.exists(folder.resolve("results.json"))) {
            throw UserError.usage("--output " + folder
                    + " has results whose report would be lost; name another folder");
        }
        UsersComparisonReport.write(
                comparison, a.results(), b.results(), output.make().path());
    }

    /** What is only looked at fails nothing. */
    private static JUnitFile.Case verdict(UsersComparison comparison) {
        JUnitFile.Status status = switch (comparison.verdict()) {
            case HOLDS_MORE, HOLDS_FEWER -> JUnitFile.Status.PASSED;
            case NOT_TOLD_APART -> JUnitFile.Status.SKIPPED;
            case NOT_VALID -> JUnitFile.Status.ERROR;
        };
        return new JUnitFile.Case("users", status, comparison.text());
    }
}
