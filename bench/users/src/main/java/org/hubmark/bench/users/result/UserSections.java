package org.hubmark.bench.users.result;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.kit.statistics.Digits;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What the report of users has beside its tables. */
final class UserSections {
    private final Document document;
    private final Table levels;

    private UserSections(Document document) {
        this.document = document;
        this.levels = document.table(LevelForm.LEVELS);
    }

    static List<Section> of(Document document) {
        UserSections its = new UserSections(document);
        List<Section> sections = new ArrayList<>();
        sections.add(new Section(2, "How levels are judged", its.judgement()));
        if (!its.levels.rows().isEmpty()) {
            sections.add(new Section(2, "Load of a user and day", List.of(its.day())));
        }
        sections.add(new Section(2, "Published", List.of(Published.points())));
        sections.add(new Section(2, "Scope of this result", its.clause()));
        sections.add(new Section(2, "Mail system", its.target()));
        sections.add(new Section(2, "Profile", List.of(its.profile())));
        return sections;
    }

    private List<Block> judgement() {
        LevelLimits limits = UsersResult.limits(document);
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Block.Text("A level passes when its score is below "
                + Digits.plain(limits.scoreMs())
                + " ms (LoadSim's limit: 1,000), the 95th percentile of sending is at most "
                + Digits.plain(limits.sendMs())
                + " ms (LoadGen's: 500), every task was done, and every message is in each of its"
                + " mailboxes once. Of five runs or more the best and the worst by their score are"
                + " left out of the means."));
        List<String> lines = new ArrayList<>();
        for (Row level : levels.rows()) {
            Judgement.reasons(document, level)
                    .forEach(reason -> lines.add(LevelForm.text(level) + ": " + reason));
            String limit = LimitingResource.of(document, level).reason();
            if (limit != null) {
                lines.add(LevelForm.text(level) + ": " + limit);
            }
            for (Repeat run : level.repeats()) {
                run.texts(LevelForm.NOTES)
                        .forEach(note -> lines.add(LevelForm.text(level) + ", run "
                                + run.name(LevelForm.RUN) + ": " + note));
            }
        }
        if (!lines.isEmpty()) {
            blocks.add(new Block.Items(lines));
        }
        return blocks;
    }

    /** {@return the load of a user and day at each level, beside what is stated of it} */
    private Block day() {
        Row last = levels.rows().getLast();
        List<@Nullable Double> expected = stated(last.names().get(LevelForm.EXPECTED.key()));
        List<@Nullable Double> published =
                stated(document.facts().get(UsersResult.PUBLISHED.key()));
        List<String> heads = new ArrayList<>(List.of("A user and day"));
        levels.rows().forEach(level -> heads.add(LevelForm.text(level)));
        heads.addAll(List.of("By the profile, " + LevelForm.text(last), "Published"));
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < LevelForm.DAY.size(); i++) {
            Column figure = LevelForm.DAY.get(i);
            List<String> row = new ArrayList<>(List.of(figure.label()));
            levels.rows()
                    .forEach(level ->
                            row.add(decimals(levels.estimate(level, figure).value(), 2)));
            row.add(decimals(expected.get(i), 2));
            row.add(decimals(published.get(i), 2));
            rows.add(row);
        }
        return new Block.Grid("Messages of a user and day", heads, rows);
    }

    private static List<@Nullable Double> stated(@Nullable Object day) {
        PerUserDay typed = Document.typed(day, PerUserDay.class);
        return typed == null ? Collections.nCopies(LevelForm.DAY.size(), null) : typed.figures();
    }

    /** {@return a number with so many decimals, or a dash} */
    static String decimals(@Nullable Double number, int decimals) {
        return number == null || !Double.isFinite(number)
                ? Cells.UNKNOWN
                : String.format(Locale.ROOT, "%,." + decimals + "f", number);
    }

    private List<Block> clause() {
        UsersResult.Pace pace = UsersResult.pace(document);
        return List.of(
                new Block.Text(
                        "This is not a result of LoadSim or LoadGen, which speak to a server by"
                                + " MAPI: tasks and limits are theirs as far as SMTP and IMAP go, and the"
                                + " weights of the score are ours, since the source prints only that READ has"
                                + " more than half. A score of one profile can't be compared with one of"
                                + " another."),
                new Block.Text("The day of " + pace.day() + " went by "
                        + Digits.plain(pace.compress())
                        + " times as fast. A level of N users has the"
                        + " load of N users times that factor, and the connections and mailboxes of N"
                        + " users."));
    }

    private List<Block> target() {
        MailSystem target = UsersResult.target(document);
        if (target == null) {
            return List.of(new Block.Text("It was not reached."));
        }
        return List.of(new Block.Facts(List.of(
                fact("SMTP", target.smtp()),
                fact("IMAP", target.imap()),
                fact("TLS", target.tls() ? "yes" : "no"),
                fact("SMTP greeting", target.smtpGreeting()),
                fact("IMAP greeting", target.imapGreeting()),
                fact("IMAP capabilities", String.join(" ", target.imapCapabilities())),
                fact("New mail", target.idle() ? "told by IDLE" : "asked for by NOOP"))));
    }

    private static Block.Fact fact(String name, @Nullable Object value) {
        String text = value == null ? "" : value.toString();
        return new Block.Fact(name, text.isEmpty() ? Cells.UNKNOWN : text);
    }

    private Block profile() {
        List<List<String>> rows = new ArrayList<>();
        if (document.facts().get(UsersResult.PROFILE.key()) instanceof Map<?, ?> profile) {
            profile.forEach((key, value) -> rows(String.valueOf(key), value, rows));
        }
        return new Block.Grid("Every row with its source", List.of("Row", "Value", "Source"), rows)
                .with(Set.of(1, 2));
    }

    /** A row is a value alone, or has a value and where it is from; a list has a name in each row. */
    private static void rows(String path, @Nullable Object value, List<List<String>> rows) {
        switch (value) {
            case Map<?, ?> row
            when row.containsKey("value") ->
                rows.add(List.of(path, plain(row.get("value")), plain(row.get("source"))));
            case Map<?, ?> group ->
                group.forEach((key, below) -> rows(path + ", " + key, below, rows));
            case List<?> list -> {
                for (Object one : list) {
                    Map<Object, Object> left =
                            one instanceof Map<?, ?> named ? new LinkedHashMap<>(named) : Map.of();
                    String name = plain(left.remove("name"));
                    String source = plain(left.remove("source"));
                    String parts = left.entrySet().stream()
                            .map(part -> part.getKey() + " " + plain(part.getValue()))
                            .collect(Collectors.joining(", "));
                    rows.add(List.of(path + ", " + name, parts, source));
                }
            }
            case null, default -> rows.add(List.of(path, plain(value), Cells.UNKNOWN));
        }
    }

    private static String plain(@Nullable Object value) {
        return switch (value) {
            case null -> Cells.UNKNOWN;
            case Number number -> Digits.plain(number.doubleValue());
            case Boolean yes -> yes ? "yes" : "no";
            default -> value.toString();
        };
    }
}
