package org.hubmark.bench.users;

import org.hubmark.bench.machine.MachineSource;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where the counters of the server's machine are read.
 *
 * @param name for the results
 * @param here whether that is this machine, which the driver shares then
 * @param counters null when nothing is known of it; stay the caller's, who closes them
 * @param devices whose counters count, with what each holds
 */
record ServerMachine(
        String name,
        boolean here,
        @Nullable MachineSource counters,
        Map<String, List<String>> devices) {
    /** {@return the devices of volumes, with the roles of each} */
    static Map<String, List<String>> devices(List<VolumeDisclosure> volumes) {
        Map<String, List<String>> devices = new TreeMap<>();
        for (VolumeDisclosure volume : volumes) {
            if (volume.device() != null) {
                devices.computeIfAbsent(volume.device(), unused -> new ArrayList<>())
                        .add(volume.role());
            }
        }
        return devices;
    }
}
