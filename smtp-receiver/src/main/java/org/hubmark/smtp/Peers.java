package org.hubmark.smtp;

import org.hubmark.core.ContentBudget;
import org.jspecify.annotations.Nullable;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Addresses that are connected, with the share of the limits that each uses. Any thread; its lock
 * is held for a moment when a connection begins or ends, and never in between.
 */
final class Peers {
    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    /**
     * Addresses that are kept in mind. One that is not connected is kept for up to a minute, for its
     * rate; beyond this many, 10 MB or so, the rates of those without a connection are forgotten.
     */
    static final int ADDRESSES_MAX = 50_000;

    /** An IPv4 address, or the network of an IPv6 address. */
    private record Key(long high, long low) {}

    /** The connections of one address. Its fields are guarded by the table's lock. */
    static final class Address {
        private final Key key;
        private final ContentBudget content;
        private final ContentBudget envelopes;
        private int connections;
        private long nextNanos;

        private Address(Key key, ContentBudget content, ContentBudget envelopes, long nowNanos) {
            this.key = key;
            this.content = content;
            this.envelopes = envelopes;
            this.nextNanos = nowNanos;
        }

        /** {@return the budget of its content in flight} */
        ContentBudget content() {
            return content;
        }

        /** {@return the budget of its envelopes in the making} */
        ContentBudget envelopes() {
            return envelopes;
        }
    }

    /**
     * Decision on a new connection.
     *
     * @param address of a connection that is taken; when it ends, {@link #leave} is called. Else null
     * @param tooOften whether one that is not comes too soon, or is one too many at once
     */
    record Admission(@Nullable Address address, boolean tooOften) {}

    private final AddressLimits limits;
    private final ContentBudget content;
    private final ContentBudget envelopes;
    private final Address unlimited;
    private final Map<Key, Address> addresses = new HashMap<>();
    private int sweepAt = 1024;

    Peers(AddressLimits limits, ContentBudget content, ContentBudget envelopes) {
        this.limits = limits;
        this.content = content;
        this.envelopes = envelopes;
        this.unlimited = new Address(new Key(0, 0), content, envelopes, 0);
    }

    static Peers of(Limits limits) {
        return new Peers(
                limits.addresses(),
                new ContentBudget(limits.contentBytesMax()),
                new ContentBudget(limits.envelopeBytesMax()));
    }

    /** {@return what peers use that no limit of an address is for} */
    Address unlimited() {
        return unlimited;
    }

    /** Takes a connection, or says why not. */
    Admission admit(InetAddress from, long nowNanos) {
        if (limits.exceptions().contains(from)) {
            return new Admission(unlimited, false);
        }
        Key key = key(from);
        synchronized (addresses) {
            Address address = addresses.get(key);
            if (address == null) {
                sweep(nowNanos);
                address = new Address(key, share(content), share(envelopes), nowNanos);
                addresses.put(key, address);
            }
            if (address.connections >= limits.connectionsMax()) {
                return new Admission(null, false);
            }
            if (!passesRate(address, nowNanos)) {
                return new Admission(null, true);
            }
            address.connections++;
            return new Admission(address, false);
        }
    }

    /** A connection that was admitted has ended. */
    void leave(Address address, long nowNanos) {
        if (address != unlimited) {
            synchronized (addresses) {
                address.connections--;
                if (isForgettable(address, nowNanos)) {
                    addresses.remove(address.key, address);
                }
            }
        }
    }

    /** {@return how many addresses are kept in mind} */
    int known() {
        synchronized (addresses) {
            return addresses.size();
        }
    }

    /**
     * Each connection moves the time of the next one by its part of a minute; a minute ahead is too
     * far. So a burst of a minute's number passes, and the average can't.
     */
    private boolean passesRate(Address address, long nowNanos) {
        if (limits.connectionsPerMinuteMax() == 0) {
            return true;
        }
        long stepNanos = MINUTE_NANOS / limits.connectionsPerMinuteMax();
        long aheadNanos = Math.max(0, address.nextNanos - nowNanos) + stepNanos;
        if (aheadNanos > MINUTE_NANOS) {
            return false;
        }
        address.nextNanos = nowNanos + aheadNanos;
        return true;
    }

    /** Forgets who has no connection and no rate left, seldom enough to cost an entry little. */
    private void sweep(long nowNanos) {
        if (addresses.size() < sweepAt) {
            return;
        }
        addresses.values().removeIf(address -> isForgettable(address, nowNanos));
        if (addresses.size() >= ADDRESSES_MAX) {
            addresses.values().removeIf(address -> address.connections == 0);
        }
        sweepAt = Math.max(1024, addresses.size() + Math.min(addresses.size(), ADDRESSES_MAX / 2));
    }

    private static boolean isForgettable(Address address, long nowNanos) {
        return address.connections == 0 && address.nextNanos - nowNanos <= 0;
    }

    private ContentBudget share(ContentBudget whole) {
        return whole.share(Math.max(1, whole.bytesMax() / 100 * AddressLimits.MEMORY_PERCENT));
    }

    private static Key key(InetAddress address) {
        ByteBuffer octets = ByteBuffer.wrap(address.getAddress());
        if (address instanceof Inet6Address) {
            // The network, of 64 bits: its addresses count as one.
            return new Key(octets.getLong(), 0);
        }
        // As an address mapped to IPv6 (RFC 4291 2.5.5.2), which Java never keeps as one.
        return new Key(0, 0xFFFF_0000_0000L | (octets.getInt() & 0xFFFF_FFFFL));
    }
}
