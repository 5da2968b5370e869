package org.hubmark.bench.cli;

import org.hubmark.bench.machine.devices.DiskService;
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
            if (i > 0) {
                out.println();
            }
            print(all.get(i), all.size() > 1, all.stream().anyMatch(VolumeLines::isUnknown), out);
        }
    }

    private static void print(
            VolumeFacts facts, boolean several, boolean someUnknown, PrintWriter out) {
        out.println(facts.path());
        facts(facts, several, someUnknown, out);
    }

    /** {@return whether nobody knows all disks of a volume, and so what it shares with others} */
    static boolean isUnknown(VolumeFacts facts) {
        return facts.disksUnknown() != null;
    }

    /**
     * What is known of a volume, but which folder it is about.
     *
     * @param someUnknown whether the disks of one of several are not known
     */
    static void facts(VolumeFacts facts, boolean several, boolean someUnknown, PrintWriter out) {
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
        line(
                out,
                "mount options",
                mount.optionsThatMatter().isEmpty()
                        ? "nothing that matters" + barriers(facts)
                        : String.join(",", mount.optionsThatMatter()) + barriers(facts));
        line(out, "write cache", writeCache(disk.writeCache()));
        line(out, "rotational", yesNo(disk.rotational()));
        line(out, "scheduler", disk.scheduler());
        line(out, "RAID", disk.raid() == null ? "none known" : disk.raid());
        if (facts.emulates() != null) {
            line(out, "acts like", facts.emulates());
        }
        if (!facts.sharesDeviceWith().isEmpty()) {
            line(out, "shares a disk", "with " + String.join(", ", facts.sharesDeviceWith()));
        } else if (several) {
            line(out, "shares a disk", someUnknown ? null : "with none of these");
        }
        facts.remarks().forEach(remark -> line(out, "note", remark));
    }

    /** Without a block device there is nothing to flush. */
    private static String barriers(VolumeFacts facts) {
        return facts.disk().media().isEmpty()
                ? ""
                : "; barriers " + onOff(facts.mount().barriers());
    }

    /** {@return the device behind a volume, in words} */
    static String device(VolumeFacts facts) {
        VolumeFacts.Disk disk = facts.disk();
        if (disk.device() == null) {
            return "no block device";
        }
        StringBuilder text = new StringBuilder(disk.device());
        if (disk.model() != null) {
            text.append(" (").append(disk.model()).append(')');
        }
        if (!disk.media().equals(List.of(disk.device()))) {
            text.append(" on ").append(String.join(", ", disk.media()));
        }
        if (disk.backingFile() != null) {
            text.append(", file ").append(disk.backingFile());
        }
        DiskService service = facts.service();
        return text.append(
                        service != null ? ", " + service.text() : disk.virtual() ? ", virtual" : "")
                .toString();
    }

    private static String writeCache(@Nullable String mode) {
        if (mode == null) {
            return "unknown";
        }
        return switch (mode) {
            case "write back" -> "write back: volatile, syncs send flushes";
            case "write through" -> "write through: none or not volatile, no flushes are sent";
            default -> mode;
        };
    }

    /** Prints a labelled line; null is unknown. */
    static void line(PrintWriter out, String label, @Nullable String text) {
        out.println("  " + label + " ".repeat(LABEL_WIDTH - label.length())
                + (text == null ? "unknown" : text));
    }

    private static String onOff(boolean on) {
        return on ? "on" : "off";
    }

    private static String yesNo(@Nullable Boolean value) {
        return value == null ? "unknown" : value ? "yes" : "no";
    }
}
