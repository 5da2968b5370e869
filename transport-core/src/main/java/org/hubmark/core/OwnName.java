package org.hubmark.core;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.regex.Pattern;

/**
 * Name of this machine in mail, where nobody has set one: the one that it has, if others can make
 * something of it, and otherwise an address. RFC 5321 2.3.5 forbids nicknames, and servers refuse them.
 */
public final class OwnName {
    private static final Pattern QUALIFIED = Pattern.compile(
            "(?:[0-9A-Za-z](?:[0-9A-Za-z-]{0,61}[0-9A-Za-z])?\\.)+[0-9A-Za-z](?:[0-9A-Za-z-]{0,61}[0-9A-Za-z])?");

    private static final int NAME_LENGTH_MAX = 253;

    private OwnName() {}

    /** {@return the name that is set, or else the machine's if it has a dot; empty if there is none} */
    public static String read(Settings settings) {
        String given = settings.text(
                "smtp.host-name",
                "",
                "The domain in the greeting, in Received fields, in EHLO to a next hop (RFC 5321"
                        + " 4.1.1.1) and in notifications; empty for the machine's name, or an address"
                        + " literal where that has no dot.");
        return given.isEmpty() ? qualified(ofMachine()) : given;
    }

    /** {@return an address literal (RFC 5321 4.1.3)} */
    public static String literal(InetAddress address) {
        String text = address.getHostAddress();
        int scope = text.indexOf('%');
        return (address instanceof Inet6Address ? "[IPv6:" : "[")
                + (scope < 0 ? text : text.substring(0, scope))
                + ']';
    }

    /** {@return the literal of an address that others may know this machine by, as far as it has one} */
    public static String literalOfMachine() {
        try {
            return NetworkInterface.networkInterfaces()
                    .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address ->
                            !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                    .min(Comparator.comparing(address -> address instanceof Inet6Address))
                    .map(OwnName::literal)
                    .orElse("[127.0.0.1]");
        } catch (SocketException e) {
            return "[127.0.0.1]";
        }
    }

    /** {@return a name that is a domain of several labels, or else an empty text} */
    static String qualified(String name) {
        return name.length() <= NAME_LENGTH_MAX && QUALIFIED.matcher(name).matches() ? name : "";
    }

    /** As the kernel has it: nobody else is asked, so that no resolver that hangs keeps a hub from starting. */
    private static String ofMachine() {
        try {
            return ForeignText.read(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
