package org.hubmark.schedules;

import org.hubmark.hub.IntakeSchedules;
import org.hubmark.hub.delivery.DispatcherSchedules;
import org.hubmark.queue.ScheduledStore;
import org.hubmark.queue.StoreSchedules;

/**
 * Threads that meet; what they promise is checked at the end, when all have ended. A scenario fails by what it
 * throws.
 */
@SuppressWarnings("ImmutableEnumChecker") // The stories have no state.
public enum Scenario {
    /** The planted fault. */
    LOST_UPDATE(Scenario::loseAnUpdate),
    STORE_CLOSE(onStore(StoreSchedules::close)),
    STORE_LANE(onStore(StoreSchedules::lane)),
    STORE_MOVE(onStore(StoreSchedules::move)),
    STORE_RECLAIM(onStore(StoreSchedules::reclaim)),
    STORE_COPY(onStore(StoreSchedules::copy)),
    STORE_DEAD_LETTERS(onStore(StoreSchedules::deadLetters)),
    STORE_OPERATOR(onStore(StoreSchedules::operator)),
    STORE_FAILURE(onStore(StoreSchedules::failure)),
    STORE_POWER(onStore(StoreSchedules::power)),
    HUB_STOP(onStore(DispatcherSchedules::stop)),
    HUB_RETRY(onStore(DispatcherSchedules::retry)),
    HUB_INTAKE(onStore(IntakeSchedules::drain));

    private static volatile int count;

    /** Runs once, from nothing to its end. */
    final Threads.Work story;

    Scenario(Threads.Work story) {
        this.story = story;
    }

    private interface StoreStory {
        void on(ScheduledStore store) throws Exception;
    }

    private static Threads.Work onStore(StoreStory story) {
        return () -> {
            try (ScheduledStore store = new ScheduledStore()) {
                story.on(store);
                store.closeStore();
                store.checkAfterReopening();
            }
        };
    }

    /** Two threads count without a lock, and one count gets lost. */
    private static void loseAnUpdate() throws InterruptedException {
        count = 0;
        Threads.Work increment = () -> {
            int before = count;
            count = before + 1;
        };
        new Threads().add("first", increment).add("second", increment).run();
        ScheduledStore.require(count == 2, "two counts gave " + count);
    }
}
