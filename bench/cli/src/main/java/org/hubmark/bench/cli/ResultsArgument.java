package org.hubmark.bench.cli;

import org.hubmark.bench.kit.document.FileSums;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Scenario;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Results that are named on the command line, or one scenario of them: DIR or DIR#ID.
 *
 * @param name for messages
 * @param id null for all
 */
record ResultsArgument(Path name, Results results, @Nullable String id) {
    static ResultsArgument of(Path given) {
        String text = given.toString();
        int mark = text.lastIndexOf('#');
        if (mark < 0 || Files.exists(given)) {
            return new ResultsArgument(given, read(given), null);
        }
        Path path = Path.of(text.substring(0, mark));
        return new ResultsArgument(path, read(path), text.substring(mark + 1));
    }

    /**
     * {@return the scenario that is named}
     *
     * @param other what is named of the other results, for one that has several and names none
     */
    Scenario scenario(@Nullable String other) {
        List<Scenario> scenarios = results.scenarios();
        String wanted = id;
        if (wanted == null && scenarios.size() == 1) {
            return scenarios.getFirst();
        }
        return results.scenario(wanted == null ? String.valueOf(other) : wanted)
                .orElseThrow(() -> UserError.usage(
                        name + (wanted == null ? " has several scenarios" : " has no " + wanted)
                                + "; name one of "
                                + scenarios.stream()
                                        .map(one -> name + "#" + one.id())
                                        .collect(Collectors.joining(", "))));
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
    static Results read(Path path) {
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
