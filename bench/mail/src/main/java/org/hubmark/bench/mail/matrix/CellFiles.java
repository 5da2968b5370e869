package org.hubmark.bench.mail.matrix;

import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.machine.folders.StoreSearch;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Folders of the repeats of each cell, one each, for what their hubs say. */
final class CellFiles {
    private final Path folder;

    CellFiles(Path folder) {
        this.folder = folder;
    }

    /** {@return an empty folder for a repeat; what an interruption left in it is removed} */
    Path fresh(String cell, int repeat) throws IOException {
        Path own = folder.resolve("cells").resolve(cell).resolve("repeat-" + repeat);
        if (Files.exists(own)) {
            String obstacle = StoreSearch.obstacle(List.of(own), List.of());
            if (obstacle != null) {
                throw UserError.failed(obstacle + "; name another --output");
            }
            Folders.delete(own);
        }
        return Files.createDirectories(own);
    }
}
