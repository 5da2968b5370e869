package org.hubmark.schedules;

import org.pastalab.fray.core.ThreadContext;
import org.pastalab.fray.core.randomness.Randomness;
import org.pastalab.fray.core.scheduler.Scheduler;

import java.util.Collection;
import java.util.List;

/** Gives the turns that a schedule says. */
final class ReplayedTurns extends Scheduler {
    private final ScheduleFile schedule;
    private final boolean isItsTurn;
    private int step;
    private boolean fits = true;

    /** One whose turn it is, or which lets all go on in order, and has its turn next. */
    ReplayedTurns(ScheduleFile schedule, boolean isItsTurn, Randomness randomness) {
        super(randomness);
        this.schedule = schedule;
        this.isItsTurn = isItsTurn;
    }

    /** {@return whether each thread could go on whose turn it was} */
    boolean fits() {
        return fits;
    }

    @Override
    public ThreadContext scheduleNextOperation(
            List<ThreadContext> enabled, Collection<ThreadContext> all) {
        if (enabled.size() == 1 || !isItsTurn) {
            return enabled.getFirst();
        }
        List<Integer> steps = schedule.steps();
        int thread = step < steps.size() ? steps.get(step) : -1;
        step++;
        for (ThreadContext context : enabled) {
            if (context.getIndex() == thread) {
                return context;
            }
        }
        fits = false;
        return enabled.getFirst();
    }

    @Override
    public Scheduler nextIteration(Randomness randomness) {
        return new ReplayedTurns(schedule, true, randomness);
    }
}
