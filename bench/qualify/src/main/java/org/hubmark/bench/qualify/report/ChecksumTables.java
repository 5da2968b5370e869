package org.hubmark.bench.qualify.report;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.qualify.result.PhaseFigures;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The checksums of databases, with their seconds. A database has hundreds of files: one by one they
 * stand in the results, and here if they are bad.
 */
final class ChecksumTables {
    private static final double MEBIBYTE = 1 << 20;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final List<String> CHECKED = List.of(
            "", "Files", "Blocks seen", "Bad blocks", "Length (bytes)", "Elapsed (sec)", "MB/sec");

    private ChecksumTables() {}

    static List<Block> of(Repeat phase) {
        Map<String, double[]> folders = new TreeMap<>();
        List<List<String>> bad = new ArrayList<>();
        for (Repeat one : phase.parts(PhaseFigures.CHECKSUM)) {
            String file = one.name(PhaseFigures.FILE);
            add(folders, file.substring(0, Math.max(0, file.lastIndexOf('/'))), one);
            if (one.count(PhaseFigures.BAD_BLOCKS) > 0) {
                bad.add(checked(file, 1, sums(one)));
            }
        }
        List<Block> blocks = new ArrayList<>();
        blocks.add(checked("Databases. Each file is listed in qualification.json", folders));
        if (!bad.isEmpty()) {
            blocks.add(new Block.Grid("Files with bad blocks", CHECKED, bad));
        }
        return blocks;
    }

    private static double[] sums(Repeat one) {
        return new double[] {
            one.count(PhaseFigures.BLOCKS),
            one.count(PhaseFigures.BAD_BLOCKS),
            one.count(PhaseFigures.BYTES),
            one.count(PhaseFigures.ELAPSED_NS),
            1
        };
    }

    private static void add(Map<String, double[]> into, String key, Repeat one) {
        into.merge(key, sums(one), (sum, next) -> {
            Arrays.setAll(sum, i -> sum[i] + next[i]);
            return sum;
        });
    }

    private static Block checked(String caption, Map<String, double[]> folders) {
        List<List<String>> rows = new ArrayList<>();
        double[] all = new double[5];
        folders.forEach((folder, sums) -> {
            Arrays.setAll(all, i -> all[i] + sums[i]);
            rows.add(checked(folder, sums[4], sums));
        });
        rows.add(checked("(Sum)", all[4], all));
        return new Block.Grid(caption, CHECKED, rows);
    }

    private static List<String> checked(String name, double files, double[] sums) {
        double seconds = sums[3] / NANOS_PER_SECOND;
        return List.of(
                name,
                Tables.number(files),
                Tables.number(sums[0]),
                Tables.number(sums[1]),
                Tables.number(sums[2]),
                Tables.number(seconds),
                Tables.number(sums[2] / MEBIBYTE / seconds));
    }
}
