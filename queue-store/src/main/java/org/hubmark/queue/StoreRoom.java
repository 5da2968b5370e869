package org.hubmark.queue;

/**
 * Space that a store has left, as its committer saw it last; it looks ten times a second.
 *
 * @param logUsedPercent how much is in use of what the log may grow for mail beyond its checkpoint
 *     depth; at 100 mail waits until the queue volume has taken some of the log
 * @param queueFreePercent what is free on the queue volume, less what the log may still have to
 *     move there, in percent of store.free-space-min; below 100 mail is refused
 */
public record StoreRoom(long logUsedPercent, long queueFreePercent) {}
