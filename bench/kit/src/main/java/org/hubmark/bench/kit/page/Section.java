package org.hubmark.bench.kit.page;

import java.util.List;

/**
 * A section of the report.
 *
 * @param level 2 for a chapter, 3 for a part of one
 * @param tone of one that has to be read before anything else
 */
public record Section(int level, String title, List<Block> blocks, Block.Tone tone) {
    /** One like others. */
    public Section(int level, String title, List<Block> blocks) {
        this(level, title, blocks, Block.Tone.NONE);
    }
}
