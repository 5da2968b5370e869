package org.hubmark.hub.admin;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.NetUtil;

import org.hubmark.core.Settings;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Locale;

/**
 * Settings of access to the admin server.
 *
 * @param remote whether it may listen on an address other than loopback
 */
public record AdminSettings(boolean remote) {
    /** Reads them; fails with the key of one that is not possible. */
    public static AdminSettings read(Settings settings) {
        return new AdminSettings(settings.flag(
                "admin.remote",
                false,
                "Serve metrics also on addresses other than loopback, to everyone who can reach"
                        + " them; there is no authentication."));
    }

    /**
     * Checks where the server is to listen.
     *
     * @throws IOException if that is not a loopback address and remote requests are not allowed
     */
    public void requireAllowed(InetSocketAddress listen) throws IOException {
        if (!remote && !listen.isUnresolved() && !listen.getAddress().isLoopbackAddress()) {
            throw new IOException("metrics are served on loopback only, and "
                    + NetUtil.toSocketAddressString(listen)
                    + " is another address; set admin.remote=true to serve them to everyone who can"
                    + " reach it");
        }
    }

    /** {@return what a request gets that asks for a server of another name; null for others} */
    public AdminServer.@Nullable Page refusal(HttpHeaders fields) {
        String host = fields.get(HttpHeaderNames.HOST, "");
        return allowsHost(host)
                ? null
                : AdminServer.Page.text(
                        HttpResponseStatus.MISDIRECTED_REQUEST,
                        "this server is not known as '" + host.replaceAll("[^ -~]", "?")
                                + "'; ask by address\n");
    }

    /**
     * {@return whether a request's Host field (RFC 9110 7.2) is an address or localhost} So that no web page can
     * reach the server under a name of its own (DNS rebinding).
     */
    private static boolean allowsHost(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        if (name.startsWith("[")) {
            int end = name.indexOf(']');
            return end > 0 && NetUtil.isValidIpV6Address(name.substring(1, end));
        }
        int port = name.indexOf(':');
        name = port < 0 ? name : name.substring(0, port);
        return name.equals("localhost") || NetUtil.isValidIpV4Address(name);
    }
}
