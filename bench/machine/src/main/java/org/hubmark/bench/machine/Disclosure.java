package org.hubmark.bench.machine;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;

/**
 * What somebody else has to know to repeat a measurement, beside what the {@link Environment} says, and
 * beside the kernel's own words in {@link MachineFiles}: of
 * the driver's machine, and of the server's where that is the same; or of the machine of a server
 * elsewhere, which has no driver.
 *
 * @param serverOnThisMachine whether all that is said of the machine is said of the server's too
 * @param driverLimits of the load driver; null where there is none
 * @param serverLimits of our own hub; null for another server
 * @param driverJvmOptions of the load driver's command line, in their order; null where there is none
 * @param serverJvmOptions of our own hub's; null for another server
 * @param platform by its maker's tables; left out where they say nothing, and in earlier files
 */
public record Disclosure(
        boolean serverOnThisMachine,
        @Nullable ResourceLimits driverLimits,
        @Nullable ResourceLimits serverLimits,
        @Nullable List<String> driverJvmOptions,
        @Nullable List<String> serverJvmOptions,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Platform platform) {
    /**
     * Looks.
     *
     * @param server where it takes mail; null for what is measured in this process
     * @param hub the process of our own hub; null for another server
     */
    public static Disclosure of(@Nullable InetSocketAddress server, @Nullable Long hub) {
        HostFiles host = HostFiles.HERE;
        return new Disclosure(
                hub != null || server == null || isOwn(server),
                ResourceLimits.of(host, "self"),
                hub == null ? null : ResourceLimits.of(host, hub.toString()),
                jvmOptions(host, "self"),
                hub == null ? null : jvmOptions(host, hub.toString()),
                Platform.of(host));
    }

    /** Looks at a machine that a server runs on, and no driver. */
    public static Disclosure ofMachine(HostFiles host) {
        return new Disclosure(true, null, null, null, null, Platform.of(host));
    }

    /** {@return what the JVM of a process was told, without passwords; null when it has ended} */
    static @Nullable List<String> jvmOptions(HostFiles host, String process) {
        List<String> words = List.of(host.text("proc/" + process + "/cmdline").split("\0", -1));
        List<String> options = new ArrayList<>();
        for (int i = 1; i < words.size() && words.get(i).startsWith("-"); i++) {
            boolean path = words.get(i).equals("-cp") || words.get(i).equals("-jar");
            if (path) {
                // The next word is no option; what follows is the program's.
                i++;
            } else {
                options.add(Secrets.masked(words.get(i)));
            }
        }
        return words.size() < 2 ? null : options;
    }

    /** {@return whether an address is of this machine} */
    public static boolean isOwn(InetSocketAddress server) {
        InetAddress address =
                new InetSocketAddress(server.getHostString(), server.getPort()).getAddress();
        try {
            return address != null
                    && (address.isLoopbackAddress()
                            || NetworkInterface.getByInetAddress(address) != null);
        } catch (SocketException e) {
            return false;
        }
    }
}
