package org.hubmark.bench.machine.devices;

import com.fasterxml.jackson.annotation.JsonValue;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.regex.Pattern;

/**
 * Provider of a disk that is not physical: a cloud, or a virtual machine monitor. By the names that
 * the disks have by the providers' documentation.
 */
public enum DiskService {
    AMAZON_EBS("Amazon EBS", false, "Amazon Elastic Block Store"),
    AMAZON_INSTANCE_STORE("Amazon EC2 instance store", true, "Amazon EC2 NVMe Instance Storage"),
    GOOGLE_PERSISTENT_DISK("Google Persistent Disk", false, "Google PersistentDisk|nvme_card-pd"),
    GOOGLE_LOCAL_SSD("Google Local SSD", true, "Google EphemeralDisk|nvme_card\\d*"),
    AZURE_DISK("Azure managed disk", false, "MSFT NVMe Accelerator.*"),
    AZURE_LOCAL_DISK("Azure local disk", true, "Microsoft NVMe Direct Disk.*"),
    /** Those that stay and the temporary one have one name. */
    AZURE_VIRTUAL_DISK("Azure or Hyper-V virtual disk", null, "Msft Virtual Disk"),
    /** Both kinds of Amazon's first machines are Xen's, and nameless. */
    AMAZON_XEN("Amazon EBS or instance store (Xen)", null, null),
    XEN("Xen virtual disk", false, null),
    VIRTIO("virtio disk", false, null);

    private final String text;
    private final @Nullable Boolean ephemeral;
    private final @Nullable Pattern disk;

    DiskService(String text, @Nullable Boolean ephemeral, @Nullable String disk) {
        this.text = text;
        this.ephemeral = ephemeral;
        this.disk = disk == null ? null : Pattern.compile(disk);
    }

    /** {@return what it is called} */
    @JsonValue
    public String text() {
        return text;
    }

    /** {@return whether what is there goes when the machine stops; null if it may} */
    public @Nullable Boolean ephemeral() {
        return ephemeral;
    }

    /**
     * {@return who gives a disk; null for nobody that is known}
     *
     * @param machine who made the machine, by its firmware
     */
    static @Nullable DiskService of(BlockDevice disk, @Nullable String machine) throws IOException {
        String name = disk.fullModel();
        for (DiskService service : values()) {
            if (name != null
                    && service.disk != null
                    && service.disk.matcher(name).matches()) {
                return service;
            }
        }
        if (disk.name().startsWith("xvd")) {
            return machine != null && machine.contains("Amazon") ? AMAZON_XEN : XEN;
        }
        return disk.name().startsWith("vd") ? VIRTIO : null;
    }
}
