package org.hubmark.bench.machine;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.stream.Stream;

/**
 * What a machine is by its maker's tables (DMI; the device tree where there is none), as far as everybody may
 * read them. Of a virtual machine its maker is the hypervisor.
 *
 * @param firmware version of the controller that the maker has on the board, which few tell
 */
public record Platform(
        @Nullable String vendor,
        @Nullable String product,
        @Nullable String biosVendor,
        @Nullable String biosVersion,
        @Nullable String biosDate,
        @Nullable String firmware) {
    private static final String DMI = "sys/class/dmi/id/";

    /** {@return what a machine says; null where it says nothing} */
    static @Nullable Platform of(HostFiles host) {
        String product = host.line(DMI + "product_name");
        String tree = host.text("proc/device-tree/model").replace("\0", "").strip();
        Platform found = new Platform(
                host.line(DMI + "sys_vendor"),
                product == null && !tree.isEmpty() ? tree : product,
                host.line(DMI + "bios_vendor"),
                host.line(DMI + "bios_version"),
                host.line(DMI + "bios_date"),
                host.line(DMI + "ec_firmware_release"));
        return Stream.of(found.vendor, found.product, found.biosVersion).allMatch(Objects::isNull)
                ? null
                : found;
    }
}
