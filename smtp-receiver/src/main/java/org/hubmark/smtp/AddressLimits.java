package org.hubmark.smtp;

import org.hubmark.core.Settings;

/**
 * Limits for all peers of one address together. With IPv6 they are for all peers of one network,
 * since the owner of one address there has 2^64 of them.
 *
 * @param connectionsMax connections at once
 * @param connectionsPerMinuteMax new connections a minute, zero for any number
 * @param exceptions the addresses that these limits are not for
 */
record AddressLimits(int connectionsMax, int connectionsPerMinuteMax, AddressRanges exceptions) {
    /** Share of the memory of content, and of that of envelopes, that one address may use. */
    static final int MEMORY_PERCENT = 50;

    private static final String EXCEPTIONS = "smtp.address.exceptions";

    static AddressLimits read(Settings settings) {
        return new AddressLimits(
                settings.count(
                        "smtp.address.connections-max",
                        100,
                        1,
                        1_000_000,
                        "Connections at once from one address; further ones get 421 4.7.0."),
                settings.count(
                        "smtp.address.connections-per-minute-max",
                        1200,
                        0,
                        1_000_000,
                        "New connections a minute from one address; further ones get 421 4.7.0; 0"
                                + " for any number."),
                AddressRanges.parse(
                        EXCEPTIONS,
                        settings.text(
                                EXCEPTIONS,
                                "127.0.0.0/8,::1",
                                "Addresses without the limits smtp.address.*: IPv4 and IPv6 addresses"
                                        + " and networks (192.0.2.0/24), separated by commas.")));
    }
}
