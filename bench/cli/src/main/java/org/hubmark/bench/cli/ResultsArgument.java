package org.hubmark.bench.cli;

import org.hubmark.bench.kit.document.FileSums;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Results that are named on the command line.
 *
 * @param name for messages
 */
record ResultsArgument(Path name, Results results) {
    static ResultsArgument of(Path given) {
        return new ResultsArgument(given, read(given));
    }

    /** Says which files are not those that the run wrote. {@return whether any is} */
    boolean sayChanged() {
        Path parent = name.toAbsolutePath().getParent();
        Path folder = Files.isDirectory(name) || parent == null ? name : parent;
        List<String> changed = FileSums.changed(folder, Results.FILE, results.rawFiles());
        Outcomes.sayChanged(folder, changed, System.err);
        return !changed.isEmpty();
    }

    /** {@return what a results.json has, or the one in a folder} */
    private static Results read(Path path) {
        Path file = Files.isDirectory(path) ? path.resolve(Results.FILE) : path;
        if (!Files.exists(file)) {
            throw UserError.usage(file + " does not exist; name a results.json or its folder");
        }
        try {
            return Results.read(file);
        } catch (IOException e) {
            throw UserError.failed(FileErrors.reason(e));
        }
    }
}
