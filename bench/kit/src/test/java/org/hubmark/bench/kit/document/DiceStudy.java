package org.hubmark.bench.kit.document;

import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Formula.Counter;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The least that a study says. */
record DiceStudy(long seed, int repeats) implements Study {
    static final Counter THROWS = new Counter("throws");
    static final Counter SIXES = new Counter("sixes");
    static final Counter NANOS = new Counter("measured_ns");
    static final Name DICE = Name.of("dice", "Dice");
    static final Column RATE =
            Column.of("throws_per_s", "1/s", "Rate", 1, Better.MORE, THROWS.over(NANOS.over(1e9)));
    static final Column SHARE = Column.of(
            "sixes_percent", "%", "Sixes", 2, Better.NEITHER, SIXES.over(THROWS).times(100));
    static final Form FORM = Form.of("throws", "Throws", List.of(DICE), List.of(RATE, SHARE));
    static final Kind KIND = Made.kind("dice", FORM);

    @Override
    public Kind kind() {
        return KIND;
    }

    @Override
    public Document run(Context context) throws IOException, InterruptedException {
        for (int repeat = 1; repeat <= repeats; repeat++) {
            Random random = new Random(seed + repeat);
            context.repeat(FORM, Map.of(DICE, 2), repeat, () -> {
                long begin = context.clock().nanos();
                context.clock().sleep(Duration.ofMillis(1000 + random.nextInt(100)));
                return Repeat.counted()
                        .count(THROWS, 600)
                        .count(SIXES, 90 + random.nextInt(20))
                        .count(NANOS, context.clock().nanos() - begin)
                        .made();
            });
        }
        return context.document();
    }
}
