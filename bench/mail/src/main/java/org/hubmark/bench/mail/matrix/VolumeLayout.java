package org.hubmark.bench.mail.matrix;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Layout of a hub's three volumes: which of them share a device. */
public enum VolumeLayout {
    /** All on one device. */
    ONE,
    /** The log on a device of its own; queue and tracking on another. */
    APART,
    /** Each on a device of its own. */
    THREE,
    /** As three, with the queue striped over two devices (RAID 0). */
    STRIPED;

    /** How many devices the queue of {@link #STRIPED} lies on. */
    static final int STRIPES = 2;

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * {@return the layout of that name}
     *
     * @throws IllegalArgumentException naming those that there are
     */
    public static VolumeLayout named(String name) {
        for (VolumeLayout layout : values()) {
            if (layout.toString().equals(name)) {
                return layout;
            }
        }
        throw new IllegalArgumentException("'" + name + "' is not a layout ("
                + Arrays.stream(values())
                        .map(VolumeLayout::toString)
                        .collect(Collectors.joining(", "))
                + ")");
    }
}
