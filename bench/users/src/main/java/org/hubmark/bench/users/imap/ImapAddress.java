package org.hubmark.bench.users.imap;

import org.hubmark.bench.load.ClientTls;

import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Where a server is, and how it is spoken to.
 *
 * @param address resolved
 * @param implicitTls whether TLS begins before the greeting
 * @param startTls whether it begins by STARTTLS
 * @param tls what is trusted, if either
 * @param timeout to connect, and for each read
 */
public record ImapAddress(
        InetSocketAddress address,
        boolean implicitTls,
        boolean startTls,
        ClientTls tls,
        Duration timeout) {}
