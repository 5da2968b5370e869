package org.hubmark.queue;

/**
 * The syncs that made accepted messages durable and had about the same to write, since the store was
 * opened. What one sync covers is mostly one group; while syncs are slow, all groups that were
 * written during the last one. Only syncs that a message waited for are here, so there are none but
 * with durability synced.
 *
 * @param bytesMax none of them covered more bytes; a power of two, and more than half of it was written
 * @param syncs how many they were
 * @param writes write calls that they covered
 * @param bytes that those wrote
 * @param messages that they made durable
 */
public record SyncedGroups(long bytesMax, long syncs, long writes, long bytes, long messages) {
    SyncedGroups plus(SyncedGroups other) {
        return new SyncedGroups(
                bytesMax,
                syncs + other.syncs,
                writes + other.writes,
                bytes + other.bytes,
                messages + other.messages);
    }
}
