package org.hubmark.bench.users.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.users.Task;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Proves that lists hold each user once, and that messages go to as many as the source says. */
class PopulationTest {
    private static final String FORMAT = "user%d@example.test";
    private static final ListRule RULE = new ListRule(4, 10, 50);

    @RepeatedTest(20)
    void listsHoldEachUserOnce(RepetitionInfo repetition) {
        long seed = Long.getLong("hubmark.seed", repetition.getCurrentRepetition());
        SplittableRandom random = new SplittableRandom(seed);
        int users = random.nextInt(2, 3000);
        Population population = new Population(FORMAT, users, RULE, seed);
        List<Integer> members = new ArrayList<>();
        population.lists.forEach(members::addAll);
        assertThat(members)
                .as("seed %s, %s users", seed, users)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, users).boxed().toList());
        for (List<Integer> list : population.lists) {
            assertThat(list.size())
                    .as("seed %s, %s users", seed, users)
                    .isBetween(Math.min(users, 4), 50);
        }
        if (users >= 100) {
            assertThat(population.meanListMembers()).as("seed %s", seed).isCloseTo(10, within(0.6));
        }
    }

    @Test
    void listsDifferInSize() {
        Population population = new Population(FORMAT, 1000, RULE, 7);
        List<Integer> sizes = population.lists.stream().map(List::size).toList();
        assertThat(sizes).contains(4).anyMatch(size -> size > 20);
    }

    @Test
    void messagesHaveSixRecipientsOnAverage() {
        long seed = Long.getLong("hubmark.seed", 1);
        UserProfile medium = Task.profile("medium");
        Population population = new Population(FORMAT, 1000, RULE, seed);
        SplittableRandom random = new SplittableRandom(seed);
        int messages = 40_000;
        long recipients = 0;
        for (int i = 0; i < messages; i++) {
            int sender = random.nextInt(1000);
            List<Integer> to = population.choose(sender, medium, random).users();
            assertThat(to).as("seed %s", seed).doesNotContain(sender).doesNotHaveDuplicates();
            recipients += to.size();
        }
        // The standard error is below 0.03; lists of the sender are left out, which are larger
        // ones.
        assertThat((double) recipients / messages).as("seed %s", seed).isCloseTo(6, within(0.25));
    }

    @Test
    void anAnswerToAllGoesToAllOthers() {
        Population population = new Population(FORMAT, 40, RULE, 3);
        List<Integer> list = population.lists.get(1);
        int self = list.getFirst();
        int[] outside = IntStream.range(0, 40)
                .filter(user -> !list.contains(user))
                .limit(2)
                .toArray();
        String to = population.address(self) + ", list2@example.test,\r\n "
                + population.address(outside[1]) + ", somebody@elsewhere.test";
        Population.Recipients all = population.all(self, outside[0], to);
        List<Integer> expected = new ArrayList<>(list);
        expected.remove(Integer.valueOf(self));
        Arrays.stream(outside).forEach(expected::add);
        assertThat(all.users()).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(all.to())
                .isEqualTo(population.address(outside[0]) + ", list2@example.test, "
                        + population.address(outside[1]));
    }

    @Test
    void twoUsersWriteToEachOther() {
        Population population = new Population(FORMAT, 2, RULE, 1);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 100; i++) {
            assertThat(population.choose(i % 2, Task.profile("heavy"), random).users())
                    .containsExactly(1 - i % 2);
        }
    }
}
