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
import java.util.function.Function;
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

    /**
     * A line of the table of volumes.
     *
     * @param of what it tells of a volume; null where that isn't known
     */
    private record Line(String label, Function<VolumeDisclosure, @Nullable Object> of) {}

    private static final List<Line> OF_A_VOLUME = List.of(
            new Line("Device", VolumeDisclosure::device),
            new Line("Acts like", VolumeDisclosure::emulates),
            new Line("File system", VolumeDisclosure::filesystem),
            new Line("Write cache", volume -> volume.disk().writeCache()),
            new Line("A sync is", volume -> volume.sync().syncVerdict()),
            new Line("Rotational", volume -> volume.disk().rotational()),
            new Line("Scheduler", volume -> volume.disk().scheduler()),
            new Line(
                    "RAID",
                    volume -> volume.storage() == null ? null : volume.storage().raid()),
            new Line(
                    "Free",
                    volume -> volume.freeBytes() == null ? null : bytes(volume.freeBytes())),
            new Line("Mount options", VolumeDisclosure::mountOptions),
            new Line("Path", VolumeDisclosure::path));

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
        List<String> roles = volumes.stream().map(VolumeDisclosure::role).toList();
        return new Block.Grid(
                        "Volumes",
                        Stream.concat(Stream.of("Volume"), roles.stream()).toList(),
                        OF_A_VOLUME.stream()
                                .map(line -> Stream.concat(
                                                Stream.of(line.label),
                                                volumes.stream().map(line.of).map(CellText::text))
                                        .toList())
                                .toList())
                .with(IntStream.rangeClosed(1, roles.size()).boxed().collect(Collectors.toSet()));
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
