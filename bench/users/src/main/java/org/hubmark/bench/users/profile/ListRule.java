package org.hubmark.bench.users.profile;

/**
 * The distribution lists: they hold all users, each one once.
 *
 * @param meanMembers of all lists
 */
public record ListRule(int minMembers, double meanMembers, int maxMembers) {
    private static final int MEMBERS_MAX = 1000;

    /** Checks. */
    public ListRule {
        ProfileFile.require("min_members", minMembers, 1, MEMBERS_MAX);
        ProfileFile.require("max_members", maxMembers, 1, MEMBERS_MAX);
        if (!(meanMembers >= minMembers && meanMembers <= maxMembers)) {
            throw ProfileFile.wrong("mean_members", "is not between min_members and max_members");
        }
    }
}
