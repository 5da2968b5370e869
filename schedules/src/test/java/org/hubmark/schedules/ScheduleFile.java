package org.hubmark.schedules;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A schedule in a file: the name of the scenario, that of the mutant or nothing, whether it was the first of
 * its JVM, and which thread went on
 * at each step, by the order in which the threads were made. {@code 0*12 3} is thread 0 twelve times, then
 * thread 3.
 */
record ScheduleFile(String scenario, String mutant, boolean isFirst, List<Integer> steps) {
    private static final int RUNS_PER_LINE = 20;
    private static final String FIRST = "first";

    static ScheduleFile read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        List<Integer> steps = new ArrayList<>();
        for (String line : lines.subList(3, lines.size())) {
            for (String run : line.strip().split(" ", -1)) {
                int star = run.indexOf('*');
                int count = star < 0 ? 1 : Integer.parseInt(run.substring(star + 1));
                int thread = Integer.parseInt(star < 0 ? run : run.substring(0, star));
                for (int i = 0; i < count; i++) {
                    steps.add(thread);
                }
            }
        }
        return new ScheduleFile(
                lines.get(0).strip(),
                lines.get(1).strip(),
                lines.get(2).strip().equals(FIRST),
                steps);
    }

    void write(Path file) throws IOException {
        StringBuilder text = new StringBuilder()
                .append(scenario)
                .append('\n')
                .append(mutant)
                .append('\n')
                .append(isFirst ? FIRST : "later");
        int runs = 0;
        int count = 0;
        for (int i = 0; i < steps.size(); i += count) {
            int thread = steps.get(i);
            count = 1;
            while (i + count < steps.size() && steps.get(i + count) == thread) {
                count++;
            }
            text.append(runs % RUNS_PER_LINE == 0 ? '\n' : ' ').append(thread);
            if (count > 1) {
                text.append('*').append(count);
            }
            runs++;
        }
        Files.writeString(file, text.append('\n'));
    }
}
