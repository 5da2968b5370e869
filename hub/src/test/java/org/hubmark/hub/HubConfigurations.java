package org.hubmark.hub;

import org.hubmark.core.Durability;
import org.hubmark.core.Settings;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.pressure.PressureSettings;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/** Configurations of hubs on free ports and in one folder. */
public final class HubConfigurations {
    private HubConfigurations() {}

    public static HubConfiguration on(
            Path folder, IntakeKind intake, DeliverySpec delivery, Map<String, String> settings) {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return new HubConfiguration(
                anyPort,
                anyPort,
                VolumeFolders.below(folder),
                new Durability.Synced(),
                512L << 20,
                intake,
                delivery,
                new Settings(settings),
                InstantSource.system());
    }

    /** Starts a hub that slows and refuses mail at levels of one's choice. */
    public static Hub start(HubConfiguration configuration, PressureSettings levels)
            throws IOException {
        return Hub.start(configuration, HubParts.own(), levels);
    }
}
