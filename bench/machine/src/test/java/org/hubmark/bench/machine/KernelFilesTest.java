package org.hubmark.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.machine.devices.BlockDevice;
import org.hubmark.bench.machine.devices.VolumeStack;
import org.hubmark.bench.machine.kernel.HostFiles;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Proves on the kernel's files of many machines, recorded or by its documentation, what is read of them: the
 * cases of kernel.txt. Each has files, and lines of what they tell; files behind such a line replace those
 * before it, and what only grows goes on from one line to the next.
 */
class KernelFilesTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir
    private Path folder;

    private HostFiles host;
    private final Map<String, ProcessFamily> families = new HashMap<>();
    private @Nullable AllProcesses all;
    private @Nullable CycleSource cycles;
    private @Nullable MachineCpu before;

    @BeforeEach
    void begin() throws IOException {
        host = new HostFiles(folder.toRealPath());
    }

    static Stream<String> machines() throws IOException {
        return Stream.of(("\n" + RecordedFiles.text("kernel")).split("\n== ", -1))
                .skip(1);
    }

    @ParameterizedTest
    @MethodSource
    void machines(String text) throws IOException {
        StringBuilder files = new StringBuilder();
        for (String line : text.lines().skip(1).toList()) {
            if (line.startsWith("> ")) {
                RecordedFiles.add(host.root(), files.toString());
                files.setLength(0);
                String[] told = line.split(" ?= ", 2);
                String[] words = told[0].split(" ", 3);
                Object found = told(words[1], words.length < 3 ? "" : words[2]);
                // As text, so that numbers are of the same types.
                requireSame(
                        told[0],
                        MAPPER.readTree(MAPPER.writeValueAsString(found)),
                        MAPPER.readTree(told[1]));
            } else {
                files.append(line).append('\n');
            }
        }
    }

    private static void requireSame(String where, JsonNode found, JsonNode told) {
        if (told.isObject()) {
            told.properties()
                    .forEach(one -> requireSame(
                            where + " " + one.getKey(), found.path(one.getKey()), one.getValue()));
        } else {
            assertThat(found.isMissingNode() ? MAPPER.nullNode() : found)
                    .as(where)
                    .isEqualTo(told);
        }
    }

    private @Nullable Object told(String what, String of) throws IOException {
        return switch (what) {
            case "machine" -> Machine.inspect(host, List.of());
            case "model" -> CpuInfo.model(host);
            case "clock" -> Machine.clockMhz(host);
            case "cycles" -> {
                cycles = cycles == null ? new CycleSource(host) : cycles;
                yield cycles.read();
            }
            case "cpu" -> cpu();
            case "counters" -> SystemCounters.of(host);
            case "disks" -> new DiskReader(List.of(of.split(" ", -1)), host).read();
            case "limits" -> ResourceLimits.of(host, of);
            case "options" -> Disclosure.jvmOptions(host, of);
            case "files" -> MachineFiles.text(host);
            case "family" ->
                families.computeIfAbsent(of, name -> new ProcessFamily(host, Set.of(name)))
                                .nanos()
                        / ProcessCpu.TICK_NANOS;
            case "all" -> {
                all = all == null ? new AllProcesses(host) : all;
                Long nanos = all.nanos();
                yield nanos == null ? null : (Long) (nanos / ProcessCpu.TICK_NANOS);
            }
            case "stack" -> stack(of);
            case "shares" -> {
                String[] two = of.split(" ", 2);
                yield below(two[0]).shares(below(two[1]));
            }
            default -> throw new IllegalArgumentException(what);
        };
    }

    /** {@return counters of the CPU, and their growth since they were asked for before} */
    private Map<String, @Nullable Object> cpu() {
        MachineCpu now = MachineCpu.of(host);
        Map<String, @Nullable Object> told = new HashMap<>();
        told.put("now", now);
        told.put("busy", MachineCpu.growth(before, now, MachineCpu::busyTicks));
        told.put("total", MachineCpu.growth(before, now, MachineCpu::totalTicks));
        before = now;
        return told;
    }

    private VolumeStack below(String path) {
        return VolumeStack.of(Path.of(path), host);
    }

    private Map<String, @Nullable Object> stack(String path) {
        VolumeStack stack = below(path);
        Map<String, @Nullable Object> told = new HashMap<>();
        told.put("device", stack.deviceName());
        told.put("media", stack.media());
        told.put("disks", stack.disks().stream().map(BlockDevice::name).toList());
        told.put("layers", stack.layers().stream().map(BlockDevice::text).toList());
        told.put("raid", stack.raid());
        told.put("cache", stack.writeCache());
        told.put("rotational", stack.rotational());
        told.put("virtual", stack.virtual());
        told.put("ephemeral", stack.ephemeral());
        told.put("backing", String.valueOf(stack.backingFile()));
        told.put("page_cache", stack.pageCacheBytes());
        told.put("flushes", stack.flushes());
        told.put("unknown", stack.unknown());
        told.put("mount", String.valueOf(stack.mount()));
        return told;
    }
}
