package org.hubmark.bench.kit.page;

import java.util.List;

/**
 * A section of the report.
 *
 * @param level 2 for a chapter, 3 for a part of one
 */
public record Section(int level, String title, List<Block> blocks) {
    /** Copies. */
    public Section {
        blocks = List.copyOf(blocks);
    }
}
