package org.hubmark.bench.kit.document;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Where it was measured, as a report says it: machines, volumes, and what else somebody has to know to
 * repeat it. One thread.
 */
public final class MachineSections {
    /** The server's machine, where that is another; a fact of documents. */
    public static final Name SERVER = Name.note("server_environment", "");

    /** How its counters were read; a fact of documents. */
    public static final Name WATCH = Name.note("target_watch", "");

    private static final long MIB = 1 << 20;

    private static final Map<String, String> LABELS = Map.of(
            "cpu_model", "CPU",
            "logical_cores", "Logical cores",
            "usable_cores", "Cores the driver may use",
            "cpu_clock_mhz", "CPU clock (MHz)",
            "cpu_clock_source", "CPU clock from",
            "memory_bytes", "Memory",
            "os", "Operating system",
            "kernel", "Kernel",
            "jdk", "JDK",
            "container", "Container");

    private static final List<String> OF_A_VOLUME = List.of(
            "Device",
            "Acts like",
            "File system",
            "Write cache",
            "A sync is",
            "Rotational",
            "Scheduler",
            "RAID",
            "Free",
            "Mount options",
            "Path");

    private final List<Block.Fact> machines = new ArrayList<>();
    private final List<VolumeDisclosure> volumes = new ArrayList<>();
    private final List<Block.Fact> disclosed = new ArrayList<>();

    /** Takes down the driver's machine, and the server's where that is another one and is known. */
    public MachineSections(Environment driver, @Nullable Environment server) {
        add("", driver);
        disclose("", driver);
        if (server != null) {
            add("Server's machine: ", server);
            disclose("server's machine, ", server);
        } else if (driver.disclosure() != null && !driver.disclosure().serverOnThisMachine()) {
            disclosed.add(new Block.Fact("server's machine", Cells.UNKNOWN));
        }
    }

    /** Takes down what else is known of a machine, a fact for each value of a record; of null nothing. */
    public MachineSections tell(String whose, @Nullable Object record) {
        add(whose, record);
        return this;
    }

    private void add(String whose, @Nullable Object record) {
        JsonFile.tree(record).properties().forEach(one -> {
            String key = one.getKey();
            JsonNode value = one.getValue();
            if (value.isValueNode() && !key.equals("disclosure")) {
                machines.add(new Block.Fact(
                        whose + LABELS.getOrDefault(key, key.replace('_', ' ')),
                        key.endsWith("_bytes") && value.isNumber()
                                ? bytes(value.asLong())
                                : text(value)));
            }
        });
    }

    private void disclose(String whose, Environment machine) {
        volumes.addAll(machine.volumes());
        if (machine.disclosure() == null) {
            return;
        }
        JsonFile.tree(machine.disclosure()).properties().forEach(one -> {
            // Of the machine of a server it goes without saying, as it has no driver.
            if (whose.isEmpty() || !(one.getValue().isNull() || one.getValue().isBoolean())) {
                disclose(whose + one.getKey(), one.getValue());
            }
        });
        for (VolumeDisclosure volume : machine.volumes()) {
            String role = whose + volume.role() + " volume";
            disclose(role + ", counts writes", JsonFile.tree(volume.countsWrites()));
            disclose(role + ", storage", JsonFile.tree(volume.storage()));
        }
    }

    private void disclose(String name, JsonNode value) {
        if (value.isObject()) {
            value.properties().forEach(one -> disclose(name + ", " + one.getKey(), one.getValue()));
        } else if (value.isArray() && !value.isEmpty() && value.get(0).isObject()) {
            value.forEach(one -> disclose(name, one));
        } else {
            disclosed.add(new Block.Fact(name.replace('_', ' '), text(value)));
        }
    }

    /** {@return the machine of the server that a document is of, as far as that is known} */
    public static Environment measured(Document document) {
        Environment server = document.fact(SERVER, Environment.class);
        return server == null ? document.provenance().environment() : server;
    }

    /** {@return what was taken down; nothing is disclosed where nobody looked} */
    public List<Section> all() {
        Block facts = new Block.Facts(machines);
        List<Section> all = new ArrayList<>();
        all.add(new Section(
                2, "Machine", volumes.isEmpty() ? List.of(facts) : List.of(facts, volumes())));
        if (!disclosed.isEmpty()) {
            all.add(new Section(2, "Disclosure", List.of(new Block.Facts(disclosed))));
        }
        return all;
    }

    /** A column for each volume, since they are few and much is known of each. */
    private Block volumes() {
        List<List<String>> cells = volumes.stream().map(MachineSections::cells).toList();
        return new Block.Grid(
                        "Volumes",
                        Stream.concat(
                                        Stream.of("Volume"),
                                        volumes.stream().map(VolumeDisclosure::role))
                                .toList(),
                        IntStream.range(0, OF_A_VOLUME.size())
                                .mapToObj(i -> Stream.concat(
                                                Stream.of(OF_A_VOLUME.get(i)),
                                                cells.stream().map(its -> its.get(i)))
                                        .toList())
                                .toList())
                .with(IntStream.rangeClosed(1, cells.size()).boxed().collect(Collectors.toSet()));
    }

    private static List<String> cells(VolumeDisclosure volume) {
        Long free = volume.freeBytes();
        return Stream.of(
                        volume.device(),
                        volume.emulates(),
                        volume.filesystem(),
                        volume.disk().writeCache(),
                        volume.sync().syncVerdict(),
                        volume.disk().rotational(),
                        volume.disk().scheduler(),
                        volume.storage() == null ? null : volume.storage().raid(),
                        free == null ? null : bytes(free),
                        volume.mountOptions(),
                        volume.path())
                .map(CellText::text)
                .toList();
    }

    /** {@return a value as it is: texts of the kernel are no words of ours} */
    private static String text(JsonNode value) {
        if (value.isArray()) {
            String all = value.valueStream().map(JsonNode::asText).collect(Collectors.joining(" "));
            return all.isEmpty() ? "none" : all;
        }
        return value.isNumber() ? Digits.plain(value.asDouble()) : Cells.of(value);
    }

    /** Bytes, which nobody reads, become MiB or GiB. */
    private static String bytes(long bytes) {
        boolean large = bytes >= 10 * 1024 * MIB;
        BigDecimal shown = BigDecimal.valueOf(bytes)
                .divide(BigDecimal.valueOf(large ? 1024 * MIB : MIB), 1, RoundingMode.HALF_UP);
        return shown.toPlainString() + (large ? " GiB" : " MiB");
    }
}
