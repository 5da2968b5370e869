package org.hubmark.bench.cli;

import org.hubmark.bench.qualify.pages.TransactionKind;
import org.hubmark.bench.qualify.phase.QualifyRequest;
import org.hubmark.bench.qualify.phase.TransactionMix;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.Map;

/** The transactions of a qualification, and what runs beside them. */
final class TransactionOptions {
    static final int USERS_MAX = 10_000_000;
    private static final int COPIES_MAX = 16;
    /** The value of the source. */
    private static final double IOPS_PER_USER = 0.18;

    /** What begins a transaction: the clock, or the end of the one before. */
    enum Loop {
        OPEN,
        CLOSED
    }

    @ArgGroup(exclusive = true, multiplicity = "1")
    private Target target = new Target();

    /** What is to be reached. */
    static final class Target {
        @Option(names = "--users", description = "Users to serve; else --target-iops.")
        private @Nullable Integer users;

        @Option(
                names = "--target-iops",
                description = "Target of I/O a second. Default: from --users.")
        private @Nullable Double iops;
    }

    @Mixin
    private CommonOptions.IopsPerUser iopsPerUser;

    @Option(
            names = "--threads",
            paramLabel = "N|auto",
            defaultValue = "auto",
            converter = BenchConverters.Threads.class,
            description = "Threads for each database.")
    private @Nullable Integer threads;

    @Option(
            names = "--loop",
            description = "Start of transactions: by the clock (open), or as fast as they end.")
    private Loop loop = Loop.OPEN;

    @Option(
            names = "--mix",
            paramLabel = "KIND=PERCENT",
            split = ",",
            defaultValue = "insert=40,delete=20,replace=5,read=35",
            description = "Percentages of transactions.")
    private Map<TransactionKind, Integer> mix;

    @Option(
            names = "--lazy-commits",
            paramLabel = "PERCENT",
            defaultValue = "70%",
            converter = BenchConverters.Percent.class,
            description = "Share of commits not synced.")
    private double lazyCommits;

    @Option(names = "--copies", description = "Copies of each database.")
    private int copies = 1;

    @Option(names = "--maintenance", description = "Check of blocks during the load.")
    private CommonOptions.Switch maintenance = CommonOptions.Switch.ON;

    /** {@return the load, checked} */
    QualifyRequest.Load read(long seed) {
        Ranges.within("--copies", copies, 1, COPIES_MAX);
        return new QualifyRequest.Load(
                target(),
                threads,
                new TransactionMix(mix),
                lazyCommits,
                copies,
                maintenance == CommonOptions.Switch.ON,
                loop == Loop.OPEN,
                seed);
    }

    /** {@return mailboxes on all databases; null where the target is given by itself} */
    @Nullable
    Integer users() {
        return target.users;
    }

    double iopsPerUser() {
        Double given = iopsPerUser.given;
        return given == null ? IOPS_PER_USER : given;
    }

    private double target() {
        if (target.iops != null) {
            if (iopsPerUser.given != null) {
                throw UserError.usage("--iops-per-user goes with --users, not with --target-iops");
            }
            return positive("--target-iops", target.iops);
        }
        double each = positive("--iops-per-user", iopsPerUser());
        return positive("--users", target.users == null ? 0 : target.users) * each;
    }

    private static double positive(String option, double value) {
        if (!(value > 0 && value <= USERS_MAX)) {
            throw UserError.usage(option + " " + value + ": above 0, at most 10000000");
        }
        return value;
    }
}
