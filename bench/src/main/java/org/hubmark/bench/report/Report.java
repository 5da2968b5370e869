package org.hubmark.bench.report;

import org.hubmark.bench.results.Results;

import java.io.IOException;
import java.nio.file.Path;

/** Writes report.md and report.html. */
public final class Report {
    private Report() {}

    /** Writes report.md and report.html beside results.json. */
    public static void write(Results results, Path resultsDirectory) throws IOException {}
}
