package org.hubmark.bench.users.profile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The users, and the distribution lists that hold them: each user is in one list. A server need know
 * nothing of the lists: who writes to one sends to its members. Users are counted from 0, their
 * addresses from 1. Any thread.
 */
public final class Population {
    private final String userFormat;
    private final String listFormat;
    private final int users;
    /** The members of each list. */
    final List<List<Integer>> lists = new ArrayList<>();

    private final int[] listOf;
    private final Map<String, Integer> byAddress = new HashMap<>();
    private final Map<String, Integer> listByAddress = new HashMap<>();

    /**
     * Makes the lists.
     *
     * @param userFormat with %d for the number of the user
     */
    public Population(String userFormat, int users, ListRule rule, long seed) {
        this.userFormat = userFormat;
        this.listFormat = "list%d" + userFormat.substring(userFormat.lastIndexOf('@'));
        this.users = users;
        SplittableRandom random = new SplittableRandom(seed);
        int[] sizes = sizes(users, rule, random);
        List<Integer> left = new ArrayList<>(IntStream.range(0, users).boxed().toList());
        Collections.shuffle(left, random);
        this.listOf = new int[users];
        for (int size : sizes) {
            List<Integer> members = left.subList(left.size() - size, left.size());
            members.forEach(member -> listOf[member] = lists.size());
            listByAddress.put(listAddress(lists.size()), lists.size());
            lists.add(List.copyOf(members));
            members.clear();
        }
        for (int user = 0; user < users; user++) {
            byAddress.put(address(user), user);
        }
    }

    /** Each list has the least number of members; who is left over goes to lists of random weight. */
    private static int[] sizes(int users, ListRule rule, SplittableRandom random) {
        int most = users / rule.minMembers();
        int count = Math.max(1, Math.min(most, (int) Math.round(users / rule.meanMembers())));
        // So many at least, or they don't hold all users.
        count = Math.max(count, (users + rule.maxMembers() - 1) / rule.maxMembers());
        int[] sizes = new int[count];
        Arrays.fill(sizes, Math.min(rule.minMembers(), users / count));
        double[] upTo = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum -= Math.log(1 - random.nextDouble());
            upTo[i] = sum;
        }
        for (int left = users - Arrays.stream(sizes).sum(); left > 0; left--) {
            int found = Arrays.binarySearch(upTo, random.nextDouble() * sum);
            int list = Math.min(count - 1, found < 0 ? -found - 1 : found);
            while (sizes[list] >= rule.maxMembers()) {
                list = (list + 1) % count;
            }
            sizes[list]++;
        }
        return sizes;
    }

    /** {@return how many there are} */
    public int users() {
        return users;
    }

    /** {@return how many members the lists have on average} */
    public double meanListMembers() {
        return (double) users / lists.size();
    }

    /** {@return the address of a user} */
    public String address(int user) {
        return String.format(Locale.ROOT, userFormat, user + 1);
    }

    /**
     * A choice of recipients.
     *
     * @param to the addresses as the message has them, lists as such
     * @param users whom it is sent to, each once
     */
    public record Recipients(String to, List<Integer> users) {}

    /**
     * {@return recipients of a new message: random ones, and now and then a list} A list is one that the
     * sender and the random ones are not in, as long as there are others.
     */
    public Recipients choose(int sender, UserProfile profile, SplittableRandom random) {
        int list = random.nextDouble() * 100 < profile.writing().addListPercent()
                ? list(sender, random)
                : -1;
        Set<Integer> chosen = new LinkedHashSet<>();
        int eligible = users - 1;
        if (list >= 0) {
            eligible -= lists.get(list).size() - (listOf[sender] == list ? 1 : 0);
        }
        int wanted = Math.min(profile.writing().randomRecipients(), eligible);
        while (chosen.size() < wanted) {
            int user = random.nextInt(users);
            if (user != sender && (list < 0 || listOf[user] != list)) {
                chosen.add(user);
            }
        }
        List<String> to = new ArrayList<>();
        chosen.forEach(user -> to.add(address(user)));
        if (list >= 0) {
            to.add(listAddress(list));
            addMembers(chosen, list, sender);
        }
        return new Recipients(String.join(", ", to), List.copyOf(chosen));
    }

    private int list(int sender, SplittableRandom random) {
        if (lists.size() == 1) {
            return 0;
        }
        int list = random.nextInt(lists.size() - 1);
        return list >= listOf[sender] ? list + 1 : list;
    }

    private void addMembers(Set<Integer> to, int list, int sender) {
        for (int member : lists.get(list)) {
            if (member != sender) {
                to.add(member);
            }
        }
    }

    /** {@return any other user} */
    public int other(int user, SplittableRandom random) {
        int one = random.nextInt(users - 1);
        return one >= user ? one + 1 : one;
    }

    /** {@return one recipient} */
    public Recipients only(int user) {
        return new Recipients(address(user), List.of(user));
    }

    /**
     * {@return whom an answer to all goes to: who wrote the message and all others who got it} Addresses
     * that are none of these users are left out.
     *
     * @param from its sender
     * @param to its recipients as they stand in it
     */
    public Recipients all(int self, int from, String to) {
        Set<Integer> chosen = new LinkedHashSet<>();
        List<String> addresses = new ArrayList<>();
        if (from != self) {
            chosen.add(from);
            addresses.add(address(from));
        }
        for (String word : to.split("[,\\s]+", -1)) {
            Integer user = byAddress.get(word);
            Integer list = listByAddress.get(word);
            if (user != null && user != self && chosen.add(user)) {
                addresses.add(word);
            } else if (list != null) {
                addMembers(chosen, list, self);
                addresses.add(word);
            }
        }
        return new Recipients(String.join(", ", addresses), List.copyOf(chosen));
    }

    private String listAddress(int list) {
        return String.format(Locale.ROOT, listFormat, list + 1);
    }

    /** {@return the user of an address, or -1 when it is none of these} */
    public int user(String address) {
        return byAddress.getOrDefault(address, -1);
    }
}
