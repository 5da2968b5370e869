package org.hubmark.bench.cli;

import org.hubmark.bench.durability.result.ClusterCrashResult;
import org.hubmark.bench.durability.result.CrashResult;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.FileSums;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.mail.report.MailReport;
import org.hubmark.bench.plan.PlanDocument;
import org.hubmark.bench.qualify.report.Qualification;
import org.hubmark.bench.scale.result.ScaleOut;
import org.hubmark.bench.users.result.UsersResult;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Documents of all studies, as they lie in folders. */
final class Studies {
    static final List<Kind> KINDS = List.of(
            ScaleOut.KIND,
            CrashResult.KIND,
            ClusterCrashResult.KIND,
            PlanDocument.KIND,
            UsersResult.KIND,
            Qualification.KIND,
            MailReport.KIND);

    private Studies() {}

    /** {@return whether a folder has results} */
    static boolean isIn(Path folder) {
        return KINDS.stream().anyMatch(kind -> DocumentFile.isIn(folder, kind));
    }

    /**
     * {@return the kind of a folder's document, or of a file}
     *
     * @throws UserError where there is none
     */
    static Kind kind(Path given) {
        return KINDS.stream()
                .filter(kind -> Files.isDirectory(given)
                        ? DocumentFile.isIn(given, kind)
                        : given.endsWith(kind.file()) && Files.isRegularFile(given))
                .findFirst()
                .orElseThrow(
                        () -> UserError.usage(
                                (Files.exists(given)
                                                ? "no results at " + given
                                                : given + " does not exist")
                                        + "; name the folder of the results, or their file, such as results.json"));
    }

    /** {@return the document of a folder or file} */
    static Document read(Path given, Kind kind) {
        try {
            return DocumentFile.read(folder(given), kind);
        } catch (IOException e) {
            throw UserError.failed(FileErrors.reason(e));
        }
    }

    /** {@return the folder of results, or of their file} */
    static Path folder(Path given) {
        Path parent = given.toAbsolutePath().getParent();
        return Files.isDirectory(given) || parent == null ? given : parent;
    }

    /** Says which files are not those that the run wrote. {@return whether any is} */
    static boolean sayChanged(Path given, Document document) {
        Path folder = folder(given);
        List<String> changed = FileSums.changed(folder, document.rawFiles());
        sayChanged(folder, changed);
        return !changed.isEmpty();
    }

    static void sayChanged(Path folder, List<String> changed) {
        for (String file : changed) {
            System.err.println("hubmark: changed: " + folder.resolve(file)
                    + " is not what the run wrote; its SHA-256 differs");
        }
    }
}
