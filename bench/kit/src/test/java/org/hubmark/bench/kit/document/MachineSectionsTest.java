package org.hubmark.bench.kit.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.page.Markdown;
import org.hubmark.bench.machine.Disclosure;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.junit.jupiter.api.Test;

import java.util.List;

/** Proves that a report says of machine, server and volumes what is known, and a dash for what isn't. */
class MachineSectionsTest {
    private static final Environment DRIVER = new Environment(
            new Environment.Processor("Maker 9", 4, null, 2799.5, "cpufreq"),
            20L << 30,
            new Environment.Software("os", "6", "25", null),
            List.of(new VolumeDisclosure(
                    "log",
                    "/srv/log",
                    "vda",
                    "ext4",
                    "rw",
                    new VolumeDisclosure.Disk("write back", false, "none"),
                    512L << 20,
                    null,
                    new VolumeDisclosure.Sync("safe", ""),
                    null)),
            null);

    @Test
    void whereNobodyLookedNothingIsDisclosed() {
        assertThat(text(new MachineSections(DRIVER, null)))
                .contains("## Machine", "| CPU | Maker 9 |", "| CPU clock (MHz) | 2799.5 |")
                .contains("| Memory | 20.0 GiB |", "| Cores the driver may use | - |")
                .contains("| Volume | log |", "| A sync is | safe |", "| Free | 512.0 MiB |")
                .doesNotContain("Disclosure");
    }

    @Test
    void aServerElsewhereIsToldApartAndAnUnknownOneIsADash() {
        Environment told = DRIVER.withDisclosure(
                new Disclosure(false, null, null, List.of("-Xmx1g", "-Xms1g"), null, null));
        assertThat(text(new MachineSections(told, DRIVER).tell("Counters: ", new Read(2.5))))
                .contains("| Server's machine: CPU | Maker 9 |", "| Counters: error ms | 2.5 |")
                .contains("## Disclosure", "| driver jvm options | -Xmx1g -Xms1g |")
                .contains("| server limits | - |", "| log volume, storage | - |");
        assertThat(text(new MachineSections(told, null))).contains("| server's machine | - |");
    }

    private record Read(double errorMs) {}

    private static String text(MachineSections sections) {
        return Markdown.of("A", "", sections.all());
    }
}
