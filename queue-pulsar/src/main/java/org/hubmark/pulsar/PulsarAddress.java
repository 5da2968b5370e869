package org.hubmark.pulsar;

import org.hubmark.core.HostPort;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where a queue on Pulsar is: {@code pulsar://HOST:PORT/TENANT/NAMESPACE}. With several brokers,
 * {@code HOST:PORT,HOST:PORT}, the queue is found as long as one of them answers.
 *
 * @param brokers HOST:PORT of each; an IPv6 address in brackets
 * @param tenant the tenant
 * @param namespace the namespace
 */
record PulsarAddress(List<String> brokers, String tenant, String namespace) {
    static final String SCHEME = "pulsar";

    private static final int PORT_MAX = 65_535;
    private static final Pattern BROKER =
            Pattern.compile("(?:[\\w.-]+|\\[[0-9a-fA-F:.]+]):([1-9][0-9]{0,4})");

    /** As Pulsar's own NamedEntity has it. */
    private static final Pattern NAME = Pattern.compile("[-=:.\\w]+");

    PulsarAddress {
        brokers = List.copyOf(brokers);
    }

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException saying how it has to look
     */
    static PulsarAddress of(URI address) {
        String authority = address.getRawAuthority();
        List<String> brokers = authority == null ? List.of() : List.of(authority.split(",", -1));
        String path = address.getRawPath();
        String[] names = path == null ? new String[0] : path.split("/", -1);
        boolean wellFormed = SCHEME.equalsIgnoreCase(address.getScheme())
                && !brokers.isEmpty()
                && brokers.stream().allMatch(PulsarAddress::isBroker)
                && address.getRawQuery() == null
                && address.getRawFragment() == null
                && names.length == 3
                && NAME.matcher(names[1]).matches()
                && NAME.matcher(names[2]).matches();
        if (!wellFormed) {
            throw new IllegalArgumentException("'" + address
                    + "' is not the address of a queue: pulsar://HOST:PORT/TENANT/NAMESPACE");
        }
        return new PulsarAddress(brokers, names[1], names[2]);
    }

    /** {@return what the client connects to} */
    String service() {
        return SCHEME + "://" + String.join(",", brokers);
    }

    /** {@return where the brokers listen, looked up now} */
    Stream<InetSocketAddress> sockets() {
        return brokers.stream().map(broker -> HostPort.parse(broker, 1, "a broker"));
    }

    /** {@return a topic of the namespace} */
    String topic(String name) {
        return "persistent://" + tenant + "/" + namespace + "/" + name;
    }

    @Override
    public String toString() {
        return service() + "/" + tenant + "/" + namespace;
    }

    private static boolean isBroker(String text) {
        Matcher matcher = BROKER.matcher(text);
        return matcher.matches() && Integer.parseInt(matcher.group(1)) <= PORT_MAX;
    }
}
