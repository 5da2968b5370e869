package org.hubmark.bench.cli;

import org.hubmark.bench.machine.devices.VolumeFacts;
import org.jspecify.annotations.Nullable;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Volumes as a person reads them. */
final class VolumeLines {
    private static final double GB = 1e9;
    private static final int LABEL_WIDTH = 16;

    private VolumeLines() {}

    /** Prints what is known of volumes, with an empty line between each two. */
    static void print(List<VolumeFacts> all, PrintWriter out) {
        for (int i = 0; i < all.size(); i++) {
            out.print(i > 0 ? System.lineSeparator() : "");
            out.println(all.get(i).path());
            facts(all.get(i), out);
        }
    }

    /** What is known of a volume, but which folder it is about. */
    static void facts(VolumeFacts facts, PrintWriter out) {
        VolumeFacts.Mounted mount = facts.mount();
        VolumeFacts.Disk disk = facts.disk();
        line(out, "device", device(facts));
        line(out, "file system", mount.filesystem() + " at " + mount.mountPoint());
        line(
                out,
                "space",
                String.format(
                        Locale.ROOT,
                        "%.1f GB, %.1f GB free",
                        facts.sizeBytes() / GB,
                        facts.freeBytes() / GB));
        line(out, "mount options", mount.mountOptions());
        line(
                out,
                "write cache",
                disk.writeCache() == null
                        ? null
                        : disk.writeCache().equals("write back")
                                ? "write back: volatile, syncs send flushes"
                                : "write through: none or not volatile, no flushes are sent");
        line(out, "rotational", disk.rotational() == null ? null : disk.rotational() ? "yes" : "no");
        line(out, "scheduler", disk.scheduler());
        line(out, "RAID", disk.raid() == null ? "none known" : disk.raid());
        if (facts.emulates() != null) {
            line(out, "acts like", facts.emulates());
        }
        if (!facts.sharesDeviceWith().isEmpty()) {
            line(out, "shares a disk", "with " + String.join(", ", facts.sharesDeviceWith()));
        }
        facts.remarks().forEach(remark -> line(out, "note", remark));
    }

    /** {@return the device behind a volume, in words} */
    static String device(VolumeFacts facts) {
        VolumeFacts.Disk disk = facts.disk();
        if (disk.device() == null) {
            return "no block device";
        }
        return disk.device()
                + (disk.model() == null ? "" : " (" + disk.model() + ")")
                + (disk.media().equals(List.of(disk.device()))
                        ? ""
                        : " on " + String.join(", ", disk.media()))
                + (disk.backingFile() == null ? "" : ", file " + disk.backingFile())
                + (disk.virtual() ? ", virtual" : "");
    }

    /** Prints a labelled line; null is unknown. */
    private static void line(PrintWriter out, String label, @Nullable String text) {
        out.println("  " + label + " ".repeat(LABEL_WIDTH - label.length())
                + (text == null ? "unknown" : text));
    }
}
