package org.hubmark.bench.users.profile;

/**
 * The distribution lists: they hold all users, each one once.
 *
 * @param meanMembers of all lists
 */
public record ListRule(int minMembers, double meanMembers, int maxMembers) {}
