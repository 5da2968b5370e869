package org.hubmark.bench.mail.matrix;

import com.fasterxml.jackson.annotation.JsonCreator;

import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.hub.VolumeFolders;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the volumes act like, by role. */
public record RoleProfiles(DeviceProfile log, DeviceProfile queue, DeviceProfile tracking) {
    /** {@return one device for each role} */
    static RoleProfiles all(DeviceProfile profile) {
        return new RoleProfiles(profile, profile, profile);
    }

    /**
     * Takes a profile for all roles, or {@code ROLE=NAME,...}. As with the volumes themselves, the queue is as
     * the log and tracking as the queue, unless they are named.
     *
     * @throws IllegalArgumentException saying what is allowed
     */
    @JsonCreator
    public static RoleProfiles parse(String text) {
        if (text.indexOf('=') < 0) {
            return all(DeviceProfile.named(text));
        }
        Map<String, DeviceProfile> named = new HashMap<>();
        for (String part : text.split(",", -1)) {
            String[] pair = part.split("=", 2);
            if (pair.length < 2 || !VolumeFolders.ROLES.contains(pair[0])) {
                throw new IllegalArgumentException(
                        "'" + part + "' is not log=NAME, queue=NAME or tracking=NAME");
            }
            if (named.put(pair[0], DeviceProfile.named(pair[1])) != null) {
                throw new IllegalArgumentException("'" + text + "' names " + pair[0] + " twice");
            }
        }
        DeviceProfile log = named.get("log");
        if (log == null) {
            throw new IllegalArgumentException("'" + text + "' names no device of the log");
        }
        DeviceProfile queue = named.getOrDefault("queue", log);
        return new RoleProfiles(log, queue, named.getOrDefault("tracking", queue));
    }

    /** {@return what the device of a role is} */
    DeviceProfile of(String role) {
        return each().get(VolumeFolders.ROLES.indexOf(role));
    }

    List<DeviceProfile> each() {
        return List.of(log, queue, tracking);
    }

    /** {@return whether a layout leaves each role the device that it names} */
    boolean fit(VolumeLayout layout) {
        return of(layout.queue()) == queue && of(layout.tracking()) == tracking;
    }

    /** {@return the same with the write cache of each disk that has one on} */
    RoleProfiles withCache() {
        return new RoleProfiles(withCache(log), withCache(queue), withCache(tracking));
    }

    private static DeviceProfile withCache(DeviceProfile profile) {
        return profile == DeviceProfile.SATA_7200 ? DeviceProfile.SATA_7200_CACHE : profile;
    }

    /** {@return its name where all have the same, else that of each role; in files} */
    @Override
    public String toString() {
        return log == queue && queue == tracking
                ? log.toString()
                : "log=" + log + ",queue=" + queue + ",tracking=" + tracking;
    }
}
