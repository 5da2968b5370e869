package org.hubmark.smtp;

import org.hubmark.core.ContentBudget;
import org.hubmark.core.Intake;
import org.jspecify.annotations.Nullable;

import java.time.InstantSource;

/** What all connections of a receiver share; all of it may be used by any thread. */
record Service(
        Intake intake,
        ContentBudget budget,
        SmtpCounters counters,
        Limits limits,
        SmtpPolicy policy,
        InstantSource clock,
        @Nullable Tls tls) {}
