package org.hubmark.bench.users.imap;

/**
 * A folder that was opened.
 *
 * @param exists how many messages it has
 * @param uidValidity 0 when the server did not say
 * @param uidNext 0 when the server did not say
 */
public record Selected(long exists, long uidValidity, long uidNext) {}
