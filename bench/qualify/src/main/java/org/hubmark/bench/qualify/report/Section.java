package org.hubmark.bench.qualify.report;

import java.util.List;

/**
 * A section of the report.
 *
 * @param level 2 for a chapter, 3 for a part of one
 */
record Section(int level, String title, List<Block> blocks) {
    Section {
        blocks = List.copyOf(blocks);
    }
}
