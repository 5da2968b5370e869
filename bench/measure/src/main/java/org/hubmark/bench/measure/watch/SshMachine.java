package org.hubmark.bench.measure.watch;

import org.hubmark.bench.machine.ControlGroup;
import org.hubmark.bench.machine.CycleSource;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.MachineCounters;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.bench.machine.NamedProcesses;
import org.hubmark.bench.machine.ProcessCpu;
import org.hubmark.bench.machine.ServerCpu;
import org.hubmark.bench.machine.SystemCounters;
import org.hubmark.bench.machine.volumes.Volume;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.hubmark.hub.volumes.BlockDevice;
import org.hubmark.hub.volumes.Mount;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A machine with nothing installed but an SSH server: a shell there sends the kernel's files, and they
 * are read here as those of this machine are. One thread.
 */
public final class SshMachine implements MachineSource {
    private static final String OPTION = "--target-host ssh:";
    /** A user, a host or an address, a port. No host begins with a dash: that would be an option. */
    private static final Pattern DESTINATION = Pattern.compile(
            "((?:[\\w.-]+@)?(?:[\\w][\\w.-]*|\\[[0-9a-fA-F:.%\\w]+]))(?::(\\d{1,5}))?");

    private static final String UPTIME = "/proc/uptime";
    /** Of /proc/uptime. */
    private static final long UPTIME_NANOS = 10_000_000;

    private static final String FREQUENCIES =
            "/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_cur_freq";
    private static final String CPUINFO = "/proc/cpuinfo";
    private static final String MOUNTS = "/proc/self/mountinfo";
    private static final String DISKS = "/proc/diskstats";

    /** What tells of the machine. */
    private static final List<String> DESCRIPTION = List.of(
            "/proc/stat",
            UPTIME,
            CPUINFO,
            FREQUENCIES,
            "/proc/meminfo",
            "/proc/1/cgroup",
            MOUNTS,
            DISKS,
            "/etc/os-release",
            "/proc/sys/kernel/osrelease",
            "/proc/sys/vm/dirty_*",
            "/proc/sys/vm/swappiness",
            "/proc/sys/net/ipv4/tcp_congestion_control",
            "/sys/kernel/mm/transparent_hugepage/enabled",
            "/sys/kernel/mm/transparent_hugepage/defrag",
            "/sys/devices/system/clocksource/clocksource0/current_clocksource",
            "/sys/devices/system/cpu/vulnerabilities/*",
            "/sys/devices/system/cpu/smt/control",
            "/sys/devices/system/cpu/isolated",
            "/sys/devices/system/cpu/cpufreq/boost",
            "/sys/devices/system/cpu/intel_pstate/no_turbo",
            "/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor",
            "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver",
            "/sys/devices/system/node/node[0-9]*/cpulist",
            "/sys/hypervisor/type",
            "/sys/class/dmi/id/sys_vendor",
            "/sys/class/dmi/id/product_name");

    private final RemoteShell shell;
    private final SentFiles files;
    private final List<String> patterns;
    private final @Nullable ServerCpu server;
    private final MachineCounters counters;
    private final long bootMillis;

    /**
     * What is to be counted there.
     *
     * @param processes by the names of their programs; empty for none
     * @param group a control group in their place, or null
     * @param volume a folder on the device whose writes stand in the log columns; null for none
     */
    public record Wanted(
            List<String> processes,
            @Nullable String group,
            @Nullable String volume) {
        /** Checks what travels as words of a line. */
        public Wanted {
            processes = List.copyOf(processes);
            if (group != null && !group.matches("[^\\s:*?\\[\\\\]+")) {
                throw UserError.usage("--target-cgroup " + group
                        + " can't be asked for by ssh: no blanks, colons or wildcards");
            }
            if (volume != null && (volume.isBlank() || !volume.matches("[^\\n\\r\\\\]+"))) {
                throw UserError.usage("--target-volume can't be asked for by ssh: no line ends and"
                        + " no backslashes");
            }
        }
    }

    /**
     * Connects.
     *
     * @param destination [USER@]HOST[:PORT]; all else is the business of ssh's own configuration
     * @throws UserError when ssh fails, or what is wanted is not there
     */
    public static WatchedMachine open(String destination, Wanted wanted) {
        return open(destination, command(destination), wanted);
    }

    /** {@return how to run a shell there} Nobody is at hand to answer a question. */
    static List<String> command(String destination) {
        Matcher parts = DESTINATION.matcher(destination);
        if (!parts.matches()) {
            throw UserError.usage(
                    OPTION + destination + " is no destination: ssh:[USER@]HOST[:PORT]");
        }
        List<String> command = new ArrayList<>(List.of(
                "ssh",
                "-T",
                "-o",
                "BatchMode=yes",
                "-o",
                "ConnectTimeout=10",
                "-o",
                "ServerAliveInterval=5",
                "-o",
                "ServerAliveCountMax=3"));
        String port = parts.group(2);
        if (port != null) {
            command.addAll(List.of("-p", port));
        }
        command.addAll(List.of("--", parts.group(1).replaceAll("[\\[\\]]", ""), "sh"));
        return command;
    }

    static WatchedMachine open(String destination, List<String> command, Wanted wanted) {
        RemoteShell shell;
        try {
            shell = RemoteShell.start(command);
        } catch (IOException e) {
            throw UserError.failed(OPTION + destination + ": ssh says: " + FileErrors.reason(e));
        }
        boolean opened = false;
        try {
            WatchedMachine machine = open(destination, shell, wanted);
            opened = true;
            return machine;
        } catch (IOException e) {
            throw UserError.failed(OPTION + destination + ": " + FileErrors.reason(e));
        } finally {
            if (!opened) {
                shell.close();
            }
        }
    }

    private static WatchedMachine open(String destination, RemoteShell shell, Wanted wanted)
            throws IOException {
        SentFiles files = new SentFiles();
        files.replace(shell.files(DESCRIPTION));
        if (files.line("proc/stat") == null || files.line("proc/uptime") == null) {
            throw new IOException("it has no /proc of Linux");
        }
        boolean scaling = !files.names("sys/devices/system/cpu", "cpu[0-9]*").stream()
                .filter(core -> files.exists(
                        "sys/devices/system/cpu/" + core + "/cpufreq/scaling_cur_freq"))
                .toList()
                .isEmpty();
        Environment machine = Machine.inspectOther(files, volumes(shell, files, wanted));
        long bootMillis = bootMillis(shell.clock(), files);
        List<String> patterns = new ArrayList<>(List.of(
                "/proc/stat",
                UPTIME,
                scaling ? FREQUENCIES : CPUINFO,
                "/proc/2/comm",
                "/proc/[0-9]*/stat"));
        if (!wanted.processes().isEmpty()) {
            patterns.add("/proc/[0-9]*/cmdline");
        }
        String group = wanted.group();
        if (group != null) {
            for (String folder : ControlGroup.folders(group)) {
                patterns.add("/" + folder + "/cpu.stat");
                patterns.add("/" + folder + "/cpuacct.usage");
                patterns.add("/" + folder + "/cgroup.procs");
            }
        }
        List<String> devices = new ArrayList<>();
        machine.volumes().forEach(volume -> {
            if (volume.device() != null) {
                devices.add(volume.device());
            }
        });
        if (!devices.isEmpty()) {
            patterns.add(DISKS);
        }
        files.replace(shell.files(patterns));
        CycleSource cycles = CycleSource.sampled(files);
        ServerCpu server = server(files, wanted);
        SshMachine source = new SshMachine(
                shell,
                files,
                patterns,
                server,
                new MachineCounters(files, server, cycles, devices),
                bootMillis);
        return WatchedMachine.of(
                source,
                new WatchedMachine.About(
                        "ssh", destination, server != null, machine, cycles.words(), UPTIME_NANOS));
    }

    private SshMachine(
            RemoteShell shell,
            SentFiles files,
            List<String> patterns,
            @Nullable ServerCpu server,
            MachineCounters counters,
            long bootMillis) {
        this.shell = shell;
        this.files = files;
        this.patterns = List.copyOf(patterns);
        this.server = server;
        this.counters = counters;
        this.bootMillis = bootMillis;
    }

    private static @Nullable ServerCpu server(SentFiles files, Wanted wanted) {
        String group = wanted.group();
        if (group != null) {
            return ControlGroup.at(group, files, "--target-cgroup");
        }
        return wanted.processes().isEmpty()
                ? null
                : NamedProcesses.named(wanted.processes(), files, "--target-processes");
    }

    private static List<Volume> volumes(RemoteShell shell, SentFiles files, Wanted wanted)
            throws IOException {
        String named = wanted.volume();
        if (named == null) {
            return List.of();
        }
        String folder = shell.folder(named);
        if (folder.isEmpty()) {
            throw UserError.usage("--target-volume " + named + " is not a folder there");
        }
        Mount mount = Mount.parse(files.text("proc/self/mountinfo"), Path.of(folder));
        String device = mount == null ? null : device(files, mount.device());
        if (mount == null || device == null) {
            throw UserError.usage("--target-volume " + named
                    + " has no block device there whose writes could be counted");
        }
        // A partition has no queue of its own, its disk has.
        String own = "sys/class/block/" + device + "/queue/";
        String disk = "sys/class/block/" + device + "/../queue/";
        Map<String, String> queue =
                shell.files(List.of("/" + own + "[wrs]*", "/" + disk + "[wrs]*"));
        String rotational = line(queue, own, disk, "rotational");
        return List.of(new Volume(
                "log",
                named,
                device,
                mount.filesystem(),
                mount.options(),
                line(queue, own, disk, "write_cache"),
                rotational == null ? null : rotational.equals("1"),
                BlockDevice.scheduler(line(queue, own, disk, "scheduler")),
                null,
                null,
                null,
                null,
                null,
                null));
    }

    private static @Nullable String line(
            Map<String, String> queue, String own, String disk, String file) {
        String line = queue.getOrDefault(own + file, queue.get(disk + file));
        return line == null ? null : line.strip();
    }

    /** {@return the kernel's name of a block device by its numbers; null for one that counts nothing} */
    private static @Nullable String device(SentFiles files, String numbers) {
        for (String line : files.text("proc/diskstats").lines().toList()) {
            String[] fields = line.strip().split(" +", 4);
            if (fields.length > 3 && (fields[0] + ":" + fields[1]).equals(numbers)) {
                return fields[2];
            }
        }
        return null;
    }

    /** Of a system whose date knows seconds alone, no better than those. */
    private static long bootMillis(String clock, SentFiles files) {
        Matcher digits = Pattern.compile("(\\d{10})(\\d{3})?.*").matcher(clock);
        if (!digits.matches()) {
            return 0;
        }
        String millis = digits.group(2);
        return Long.parseLong(digits.group(1)) * 1000
                + (millis == null ? 0 : Long.parseLong(millis))
                - uptimeNanos(files) / 1_000_000;
    }

    private static long uptimeNanos(SentFiles files) {
        String seconds = files.text("proc/uptime").strip().split(" ", 2)[0];
        return Math.round(Double.parseDouble(seconds) * 1e9);
    }

    @Override
    public MachineReading read() throws IOException {
        return read(patterns);
    }

    /** Of the processes of the last look: which they are now is in what is asked for. */
    @Override
    public MachineReading readAll() throws IOException {
        List<String> all = new ArrayList<>(patterns);
        for (String file :
                List.of(SystemCounters.MEMORY, SystemCounters.PAGING, SystemCounters.NETWORK)) {
            all.add("/" + file);
        }
        if (server != null) {
            server.processIds().forEach(process -> all.add("/proc/" + process + "/io"));
        }
        return read(all).with(counters.io(), counters.system());
    }

    private MachineReading read(List<String> wanted) throws IOException {
        String own = "/proc/" + shell.shellId() + "/stat";
        files.replace(shell.files(wanted));
        if (files.line("proc/uptime") == null) {
            throw new IOException("it sends no " + UPTIME);
        }
        long nanos = uptimeNanos(files);
        Long reader = ProcessCpu.withChildrenNanos(files.text(own.substring(1)));
        return counters.read(nanos, bootMillis + nanos / 1_000_000, reader);
    }

    @Override
    public void close() {
        shell.close();
    }
}
